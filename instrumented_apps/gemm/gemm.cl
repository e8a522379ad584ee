// C = A * B with the tuning parameters of CLTune's GEMM space, in single precision or, with PRECISION 64, in double.
//
// Storage:  A is k rows of m numbers (a[p*m + i]); B is transposed: k rows of n numbers (b[p*n + j]); C is c[j*m + i].
// Launch:   local size {MDIMC, NDIMC}, global size {ceil(m/MWG)*MDIMC, ceil(n/NWG)*NDIMC}.
//
//   MWG NWG KWG    a work-group computes an MWG x NWG tile of C, KWG terms of the sums at a time
//   MDIMC NDIMC    threads of a work-group; each owns (MWG/MDIMC) x (NWG/NDIMC) results, held in registers
//   SA SB          1: the group first copies its tile of A (B) to local memory; 0: each thread reads global memory
//   MDIMA NDIMB    shape of the group while it copies: MDIMA x (threads/MDIMA) for A, (threads/NDIMB) x NDIMB for B
//   VWM VWN        width of the vectors in which A and C (VWM) and B (VWN) are loaded and stored
//   STRM STRN      0: the vectors of a thread are neighbours; 1: they are strided, neighbouring threads use neighbours
//   KWI            unroll factor of the loop over KWG
//   EDGE           0: MWG, NWG, KWG divide m, n, k, nothing is guarded; 1: any m, n, k >= 1
//
// A valid configuration satisfies the divisibility rules of the space, so every quotient below is exact.

#define MWI (MWG / MDIMC)  // results of a thread along m: 1, 2, 4, 8 or 16
#define NWI (NWG / NDIMC)  // results of a thread along n: likewise
#define THREADS (MDIMC * NDIMC)
#define KDIMA (THREADS / MDIMA)
#define KDIMB (THREADS / NDIMB)

#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)

// float1 (double1), load1 and store1 complete OpenCL's families, so that one text serves every width. These loads and
// stores need no alignment.
#if PRECISION == 64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double Real;
#define double1 double
#define REALS(width) JOIN(double, width)
#else
typedef float Real;
#define float1 float
#define REALS(width) JOIN(float, width)
#endif
#define load1(p) (*(p))
#define load2(p) vload2(0, p)
#define load4(p) vload4(0, p)
#define load8(p) vload8(0, p)
#define store1(value, p) (*(p) = (value))
#define store2(value, p) vstore2(value, 0, p)
#define store4(value, p) vstore4(value, 0, p)
#define store8(value, p) vstore8(value, 0, p)

typedef REALS(VWM) RealM;
typedef REALS(VWN) RealN;

// A thread's share of one row of A (B) is loaded in vectors of VWM (VWN), and read by element or as a whole: its sums
// are kept in vectors along the longer side of its results, because a compiler for a CPU turns these into the widest
// instructions that it has, whatever VWM and VWN are. A GPU works by element in either case.
#define ALONG_M (MWI >= NWI)
#if ALONG_M
#define LONG MWI
#define SHORT NWI
#define SHARE_LONG shareA
#define SHARE_SHORT shareB
#define SUM(i, j) sum[j].element[i]
#else
#define LONG NWI
#define SHORT MWI
#define SHARE_LONG shareB
#define SHARE_SHORT shareA
#define SUM(i, j) sum[i].element[j]
#endif

#if LONG == 1
typedef Real RealLong;
#elif LONG == 2
typedef REALS(2) RealLong;
#elif LONG == 4
typedef REALS(4) RealLong;
#elif LONG == 8
typedef REALS(8) RealLong;
#else
typedef REALS(16) RealLong;
#endif

typedef union {
  RealM part[MWI / VWM];
  Real element[MWI];
#if ALONG_M
  RealLong whole;
#endif
} ShareM;

typedef union {
  RealN part[NWI / VWN];
  Real element[NWI];
#if !ALONG_M
  RealLong whole;
#endif
} ShareN;

typedef union {
  RealLong whole;
  Real element[LONG];
} Sums;

typedef union {
  RealM vector;
  Real element[VWM];
} ElementsM;

typedef union {
  RealN vector;
  Real element[VWN];
} ElementsN;

// Where the vectors of thread t lie in a row of the tile: its i-th is vector FIRST + i * STEP of the row. The loads
// below add i * STEP, a constant, to a pointer to the first and not to its number: one address then serves all i,
// where PoCL would save one number for each i and thread across the barriers.
#if STRM
#define FIRST_M(t, threads) (t)
#define STEP_M(threads) (threads)
#else
#define FIRST_M(t, threads) ((t) * (MWG / VWM / (threads)))
#define STEP_M(threads) 1
#endif
#if STRN
#define FIRST_N(t, threads) (t)
#define STEP_N(threads) (threads)
#else
#define FIRST_N(t, threads) ((t) * (NWG / VWN / (threads)))
#define STEP_N(threads) 1
#endif

// Column of C that holds the thread's j-th result along n.
#define COLUMN(j) (tileN + (firstN + (j) / VWN * STEP_N(NDIMC)) * VWN + (j) % VWN)

#if EDGE
// Copies `width` elements from column `x` on of row `p`, in a matrix of `rows` rows of `columns` elements. What lies
// beyond the matrix reads as 0, which adds nothing to a sum. The loop is left rolled: it runs rarely, and unrolled it
// made whole kernels up to 4 times slower (PoCL 3.1, LLVM 15).
void loadGuarded(__global const Real* restrict matrix, const int columns, const int rows, const int p, const int x,
                 const int width, Real* element) {
  for (int e = 0; e < width; ++e) {
    element[e] = p < rows && x + e < columns ? matrix[(size_t)p * columns + x + e] : 0;
  }
}
#endif

// loadM (loadN) loads from row `p` of A (B) the vector that lies `step` vectors after column `first`. Without edges
// each row starts at a multiple of the vector's width, so that an aligned load will do.
RealM loadM(__global const Real* restrict a, const int m, const int k, const int p, const int first, const int step) {
#if EDGE
  const int x = first + step * VWM;
  if (p < k && x + VWM <= m) return JOIN(load, VWM)(a + (size_t)p * m + x);
  ElementsM value;
  loadGuarded(a, m, k, p, x, VWM, value.element);
  return value.vector;
#else
  return ((__global const RealM*)(a + (size_t)p * m + first))[step];
#endif
}

RealN loadN(__global const Real* restrict b, const int n, const int k, const int p, const int first, const int step) {
#if EDGE
  const int x = first + step * VWN;
  if (p < k && x + VWN <= n) return JOIN(load, VWN)(b + (size_t)p * n + x);
  ElementsN value;
  loadGuarded(b, n, k, p, x, VWN, value.element);
  return value.vector;
#else
  return ((__global const RealN*)(b + (size_t)p * n + first))[step];
#endif
}

// Stores results in column `y` of C, `step` vectors after row `first`.
void storeM(__global Real* restrict c, const int m, const int n, const int y, const int first, const int step,
            const ElementsM value) {
#if EDGE
  const int x = first + step * VWM;
  if (y >= n) return;
  if (x + VWM <= m) {
    JOIN(store, VWM)(value.vector, c + (size_t)y * m + x);
    return;
  }
  for (int e = 0; e < VWM; ++e) {
    if (x + e < m) c[(size_t)y * m + x + e] = value.element[e];
  }
#else
  ((__global RealM*)(c + (size_t)y * m + first))[step] = value.vector;
#endif
}

__kernel __attribute__((reqd_work_group_size(MDIMC, NDIMC, 1)))
void gemm(const int m, const int n, const int k,
          __global const Real* restrict a,
          __global const Real* restrict b,
          __global Real* restrict c) {
  const int threadM = get_local_id(0);
  const int threadN = get_local_id(1);
  const int tileM = get_group_id(0) * MWG;
  const int tileN = get_group_id(1) * NWG;
  const int firstM = FIRST_M(threadM, MDIMC);
  const int firstN = FIRST_N(threadN, NDIMC);

#if SA || SB
  const int thread = threadN * MDIMC + threadM;
#endif
#if SA
  __local RealM tileA[KWG][MWG / VWM];
  const int copyM = FIRST_M(thread % MDIMA, MDIMA);
  const int copyRowA = thread / MDIMA * (KWG / KDIMA);
#endif
#if SB
  __local RealN tileB[KWG][NWG / VWN];
  const int copyN = FIRST_N(thread % NDIMB, NDIMB);
  const int copyRowB = thread / NDIMB * (KWG / KDIMB);
#endif

  // All loops over the sums are unrolled, so that every index is a constant and the array becomes registers.
  Sums sum[SHORT];
  #pragma unroll
  for (int s = 0; s < SHORT; ++s) sum[s].whole = (RealLong)(0);

  for (int tileK = 0; tileK < k; tileK += KWG) {
#if SA
    #pragma unroll
    for (int p = copyRowA; p < copyRowA + KWG / KDIMA; ++p) {
      #pragma unroll
      for (int i = 0; i < MWG / VWM / MDIMA; ++i) {
        const int step = i * STEP_M(MDIMA);
        (tileA[p] + copyM)[step] = loadM(a, m, k, tileK + p, tileM + copyM * VWM, step);
      }
    }
#endif
#if SB
    #pragma unroll
    for (int p = copyRowB; p < copyRowB + KWG / KDIMB; ++p) {
      #pragma unroll
      for (int j = 0; j < NWG / VWN / NDIMB; ++j) {
        const int step = j * STEP_N(NDIMB);
        (tileB[p] + copyN)[step] = loadN(b, n, k, tileK + p, tileN + copyN * VWN, step);
      }
    }
#endif
#if SA || SB
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    for (int p0 = 0; p0 < KWG; p0 += KWI) {
      #pragma unroll
      for (int p = p0; p < p0 + KWI; ++p) {
        ShareM shareA;
        #pragma unroll
        for (int i = 0; i < MWI / VWM; ++i) {
          const int step = i * STEP_M(MDIMC);
#if SA
          shareA.part[i] = (tileA[p] + firstM)[step];
#else
          shareA.part[i] = loadM(a, m, k, tileK + p, tileM + firstM * VWM, step);
#endif
        }
        ShareN shareB;
        #pragma unroll
        for (int j = 0; j < NWI / VWN; ++j) {
          const int step = j * STEP_N(NDIMC);
#if SB
          shareB.part[j] = (tileB[p] + firstN)[step];
#else
          shareB.part[j] = loadN(b, n, k, tileK + p, tileN + firstN * VWN, step);
#endif
        }
        // OpenCL C lets the compiler contract this to fused multiply-adds unless told otherwise.
        #pragma unroll
        for (int s = 0; s < SHORT; ++s) sum[s].whole += SHARE_LONG.whole * SHARE_SHORT.element[s];
      }
    }
#if SA || SB
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
  }

#if EDGE
  // The guarded stores stay in rolled loops, fed from an array: 256 of them in a row took PoCL minutes to compile.
  ElementsM results[NWI][MWI / VWM];
  #pragma unroll
  for (int j = 0; j < NWI; ++j) {
    #pragma unroll
    for (int i = 0; i < MWI; ++i) results[j][i / VWM].element[i % VWM] = SUM(i, j);
  }
  for (int j = 0; j < NWI; ++j) {
    for (int i = 0; i < MWI / VWM; ++i) {
      storeM(c, m, n, COLUMN(j), tileM + firstM * VWM, i * STEP_M(MDIMC), results[j][i]);
    }
  }
#else
  #pragma unroll
  for (int j = 0; j < NWI; ++j) {
    #pragma unroll
    for (int i = 0; i < MWI / VWM; ++i) {
      ElementsM result;
      #pragma unroll
      for (int e = 0; e < VWM; ++e) result.element[e] = SUM(i * VWM + e, j);
      storeM(c, m, n, COLUMN(j), tileM + firstM * VWM, i * STEP_M(MDIMC), result);
    }
  }
#endif
}
