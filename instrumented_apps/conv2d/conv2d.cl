// A float image filtered with FS x FS coefficients, with the tuning parameters of CLTune's conv2d space.
//
//   out(x, y) = sum over fx, fy = 0 .. FS-1 of filter(fx, fy) * image(x + fx - HFS, y + fy - HFS),  FS = 2 * HFS + 1
//
// The filter is not mirrored. Outside of its borders the image is 0: `in` holds these zeros, so that nothing is tested
// while summing.
//
// Storage:  out[y*width + x]; filter[fy*FS + fx]; in[(y + HFS)*pitch + x + HFS] is pixel (x, y). REACH more columns and
//           rows of zeros follow: pitch >= width + 2*HFS + REACH and a multiple of 4, height + 2*HFS + REACH rows.
// Launch:   local size {TBX_XL, TBY_XL}, global size {ceil(width/(TBX*WPTX))*TBX_XL, ceil(height/(TBY*WPTY))*TBY_XL}.
//
//   TBX TBY        threads of a work-group that compute; the group owns TBX*WPTX x TBY*WPTY outputs
//   WPTX WPTY      outputs of a thread: neighbours, so that it uses what it loads several times; sums are in registers
//   LOCAL          0: each thread reads global memory; 1: the group first copies its inputs to local memory, a thread
//                  its own and some of the halo's; 2: likewise, with more threads, so that none copies more than WPTX
//                  x WPTY
//   TBX_XL TBY_XL  threads of a work-group: TBX TBY, and where LOCAL is 2 what the halo needs beyond them
//   VECTOR         width of the vectors in which outputs are stored and, where LOCAL is 2, inputs copied
//   UNROLL_FACTOR  1: the loops over the filter are left as loops; FS: they are unrolled completely
//   PADDING        1: rows in local memory are one element longer, which moves them to other banks
//   EDGE           0: TBX*WPTX, TBY*WPTY divide width, height, nothing is guarded; 1: any width, height >= 1
//
// A valid configuration satisfies the rules of the space, so every quotient below is exact.

#define FS (2 * HFS + 1)
#define REACH 7  // the largest WPTX, WPTY - 1: how far a thread with an output in the image reaches over its edge

// float1, load1 and store1 complete OpenCL's families, so that one text serves every width. These loads and stores need
// no alignment.
#define float1 float
#define load1(p) (*(p))
#define load2(p) vload2(0, p)
#define load4(p) vload4(0, p)
#define load8(p) vload8(0, p)
#define store1(value, p) (*(p) = (value))
#define store2(value, p) vstore2(value, 0, p)
#define store4(value, p) vstore4(value, 0, p)
#define JOIN_(x, y) x##y
#define JOIN(x, y) JOIN_(x, y)

// A thread's outputs in one row: summed as a whole, which a compiler for a CPU turns into the widest instructions that
// it has; stored in vectors.
typedef JOIN(float, WPTX) FloatX;
typedef JOIN(float, VECTOR) FloatV;
typedef union {
  FloatX whole;
  FloatV part[WPTX / VECTOR];
  float element[WPTX];
} Outputs;

// Where a thread reads its inputs: rows are STRIDE elements apart.
#if LOCAL
#define CACHE_X (TBX * WPTX + 2 * HFS)
#define CACHE_Y (TBY * WPTY + 2 * HFS)
#define STRIDE (CACHE_X + PADDING)
typedef __local const float* Inputs;

// Rows in local memory start at a multiple of the vector's width unless they are padded.
#define COPY_VECTOR (LOCAL == 2 ? VECTOR : 1)
#if LOCAL == 1
typedef float Copied;
#define storeCopied(value, p) (*(p) = (value))
#else
typedef FloatV Copied;
#if PADDING
#define storeCopied(value, p) JOIN(store, VECTOR)(value, p)
#else
#define storeCopied(value, p) (*(__local FloatV*)(p) = (value))
#endif
#endif
#else
#define STRIDE pitch
typedef __global const float* Inputs;
#endif

__kernel __attribute__((reqd_work_group_size(TBX_XL, TBY_XL, 1)))
void conv2d(const int width, const int height, const int pitch,
            __global const float* restrict in,
            __constant float* restrict filter,
            __global float* restrict out) {
  const int threadX = get_local_id(0);
  const int threadY = get_local_id(1);
  const int tileX = get_group_id(0) * (TBX * WPTX);
  const int tileY = get_group_id(1) * (TBY * WPTY);
  const int x = tileX + threadX * WPTX;
  const int y = tileY + threadY * WPTY;

#if LOCAL
  // Neighbouring threads copy neighbouring vectors, whoever uses them later.
  __local float cache[CACHE_Y * STRIDE] __attribute__((aligned(16)));
  for (int row = threadY; row < CACHE_Y; row += TBY_XL) {
    __global const float* from = in + (size_t)(tileY + row) * pitch + tileX;
    #pragma unroll
    for (int first = 0; first < CACHE_X; first += TBX_XL * COPY_VECTOR) {
      const int column = first + threadX * COPY_VECTOR;
      bool isCopied = column < CACHE_X;
#if EDGE
      isCopied = isCopied && tileX + column < pitch && tileY + row < height + 2 * HFS + REACH;
#endif
      if (isCopied) storeCopied(*(__global const Copied*)(from + column), cache + row * STRIDE + column);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  Inputs inputs = cache + threadY * WPTY * STRIDE + threadX * WPTX;
#else
  Inputs inputs = in + (size_t)y * pitch + x;
#endif

#if LOCAL == 2
  if (threadX >= TBX || threadY >= TBY) return;
#endif
#if EDGE
  if (x >= width || y >= height) return;
#endif

  Outputs sum[WPTY];
  #pragma unroll
  for (int j = 0; j < WPTY; ++j) sum[j].whole = (FloatX)(0.0f);

  // OpenCL C lets the compiler contract the sums to fused multiply-adds unless told otherwise.
#if UNROLL_FACTOR == 1
  #pragma unroll 1
  for (int fy = 0; fy < FS; ++fy) {
    #pragma unroll 1
    for (int fx = 0; fx < FS; ++fx) {
      const float factor = filter[fy * FS + fx];
      #pragma unroll
      for (int j = 0; j < WPTY; ++j) sum[j].whole += factor * JOIN(load, WPTX)(inputs + (size_t)j * STRIDE + fx);
    }
    inputs += STRIDE;
  }
#else
  // Row by row of the inputs: each is loaded once, and serves all rows of outputs that it belongs to. The loads of
  // neighbouring fx overlap; on a GPU, where they are single elements, the compiler finds that they are the same.
  #pragma unroll
  for (int row = 0; row < WPTY + FS - 1; ++row) {
    #pragma unroll
    for (int fx = 0; fx < FS; ++fx) {
      const FloatX input = JOIN(load, WPTX)(inputs + fx);
      #pragma unroll
      for (int j = 0; j < WPTY; ++j) {
        const int fy = row - j;
        if (fy >= 0 && fy < FS) sum[j].whole += filter[fy * FS + fx] * input;
      }
    }
    inputs += STRIDE;
  }
#endif

  __global float* to = out + (size_t)y * width + x;
#if EDGE
  if (x + WPTX > width) {
    // Rare, so it is left as loops, fed from a copy: the sums themselves are to stay in registers.
    Outputs copy[WPTY];
    #pragma unroll
    for (int j = 0; j < WPTY; ++j) copy[j] = sum[j];
    for (int j = 0; j < WPTY && y + j < height; ++j) {
      for (int i = 0; x + i < width; ++i) to[(size_t)j * width + i] = copy[j].element[i];
    }
    return;
  }
  #pragma unroll
  for (int j = 0; j < WPTY; ++j) {
    if (y + j < height) {
      #pragma unroll
      for (int i = 0; i < WPTX / VECTOR; ++i)
        JOIN(store, VECTOR)(sum[j].part[i], to + (size_t)j * width + i * VECTOR);
    }
  }
#else
  #pragma unroll
  for (int j = 0; j < WPTY; ++j) {
    #pragma unroll
    for (int i = 0; i < WPTX / VECTOR; ++i) ((__global FloatV*)(to + (size_t)j * width))[i] = sum[j].part[i];
  }
#endif
}
