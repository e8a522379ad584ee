// Prefix sums of n unsigned integers, modulo 2^32: out[i] = in[0] + ... + in[i], or without in[i] where `kept` says
// so. `out` may be `in`.
//
//   SCAN_BLOCK      work-items of a work-group, a multiple of 32
//   SCAN_ITEMS      elements of a work-item; the SCAN_BLOCK * SCAN_ITEMS elements of a work-group are a tile
//   SCAN_STAGED     how a tile reaches its work-items. 0: each reads its neighbouring elements from global memory, in
//                   vectors; 1: through local memory, so that neighbours read neighbours at any SCAN_ITEMS
//   SCAN_RAKERS     work-items that add up the others' totals, SCAN_BLOCK / SCAN_RAKERS each: 1, 8 or 32
//   SCAN_LOOK_BACK  0: reduceChunks, scanSums and scanChunks; each reads what it needs, the elements are read twice
//                   1: scanLookBack, which reads them once, but where work-groups wait for each other
//
// `kept` is 0 for inclusive sums and 0xffffffff for exclusive ones: what of an element is taken off its sum.

#define SCAN_TILE (SCAN_BLOCK * SCAN_ITEMS)
#define SCAN_PER_RAKER (SCAN_BLOCK / SCAN_RAKERS)

#if SCAN_STAGED
// One slot in 32 is left out: work-items that are SCAN_ITEMS elements apart then use different banks of local memory.
#define SCAN_SLOT(i) ((i) + (i) / 32)
#define SCAN_STAGE SCAN_SLOT(SCAN_TILE)
#else
#define SCAN_STAGE 1
#endif

// What is read and written at once; SCAN_UNPACK and SCAN_PACK move it to and from a work-item's elements.
#if SCAN_ITEMS % 4 == 0
#define SCAN_VECTOR 4
#define SCAN_UNPACK(vector, i, elements) vstore4(vector, i, elements)
#define SCAN_PACK(i, elements) vload4(i, elements)
typedef uint4 ScanVector;
#elif SCAN_ITEMS % 2 == 0
#define SCAN_VECTOR 2
#define SCAN_UNPACK(vector, i, elements) vstore2(vector, i, elements)
#define SCAN_PACK(i, elements) vload2(i, elements)
typedef uint2 ScanVector;
#else
#define SCAN_VECTOR 1
#define SCAN_UNPACK(vector, i, elements) ((elements)[i] = (vector))
#define SCAN_PACK(i, elements) ((elements)[i])
typedef uint ScanVector;
#endif

typedef struct {
  uint totals[SCAN_BLOCK];      // of the work-items
  uint raked[2 * SCAN_RAKERS];  // of the rakers, before and after a step
  uint stage[SCAN_STAGE];
} ScanLocal;

// Calls of these functions are made by all work-items of a group.

// The work-item's elements of the tile that begins at `first`; those from n on are 0.
void scanLoad(__global const uint* in, const uint first, const uint n, uint* mine, __local ScanLocal* shared) {
  const uint item = get_local_id(0);
#if SCAN_STAGED
  barrier(CLK_LOCAL_MEM_FENCE);  // the stage may still be read from
  #pragma unroll
  for (uint i = 0; i < SCAN_ITEMS; ++i) {
    const uint at = i * SCAN_BLOCK + item;
    shared->stage[SCAN_SLOT(at)] = first + at < n ? in[first + at] : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  #pragma unroll
  for (uint i = 0; i < SCAN_ITEMS; ++i) mine[i] = shared->stage[SCAN_SLOT(item * SCAN_ITEMS + i)];
#else
  const uint from = first + item * SCAN_ITEMS;
  if (first + SCAN_TILE <= n) {
    #pragma unroll
    for (uint i = 0; i < SCAN_ITEMS / SCAN_VECTOR; ++i) {
      SCAN_UNPACK(((__global const ScanVector*)(in + from))[i], i, mine);
    }
  } else {
    #pragma unroll
    for (uint i = 0; i < SCAN_ITEMS; ++i) mine[i] = from + i < n ? in[from + i] : 0;
  }
#endif
}

void scanStore(__global uint* out, const uint first, const uint n, const uint* mine, __local ScanLocal* shared) {
  const uint item = get_local_id(0);
#if SCAN_STAGED
  #pragma unroll
  for (uint i = 0; i < SCAN_ITEMS; ++i) shared->stage[SCAN_SLOT(item * SCAN_ITEMS + i)] = mine[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  #pragma unroll
  for (uint i = 0; i < SCAN_ITEMS; ++i) {
    const uint at = i * SCAN_BLOCK + item;
    if (first + at < n) out[first + at] = shared->stage[SCAN_SLOT(at)];
  }
#else
  const uint to = first + item * SCAN_ITEMS;
  if (first + SCAN_TILE <= n) {
    #pragma unroll
    for (uint i = 0; i < SCAN_ITEMS / SCAN_VECTOR; ++i) ((__global ScanVector*)(out + to))[i] = SCAN_PACK(i, mine);
  } else {
    #pragma unroll
    for (uint i = 0; i < SCAN_ITEMS; ++i) {
      if (to + i < n) out[to + i] = mine[i];
    }
  }
#endif
}

// Turns the work-items' totals into the sums of those before each, and returns the sum of all: each raker adds up its
// share, the rakers' sums are added in steps of 1, 2, 4 ... (Hillis and Steele), and each raker goes over its share
// once more.
uint scanTotals(__local ScanLocal* shared) {
  const uint item = get_local_id(0);
  __local uint* share = shared->totals + item * SCAN_PER_RAKER;  // of a raker
  uint sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < SCAN_RAKERS) {
    for (uint i = 0; i < SCAN_PER_RAKER; ++i) sum += share[i];
    shared->raked[item] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint now = 0;  // the half of `raked` that holds the sums
  #pragma unroll
  for (uint step = 1; step < SCAN_RAKERS; step *= 2) {
    if (item < SCAN_RAKERS) {
      const uint before = item >= step ? shared->raked[now + item - step] : 0;
      shared->raked[SCAN_RAKERS - now + item] = shared->raked[now + item] + before;
    }
    now = SCAN_RAKERS - now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item < SCAN_RAKERS) {
    uint before = shared->raked[now + item] - sum;
    for (uint i = 0; i < SCAN_PER_RAKER; ++i) {
      const uint total = share[i];
      share[i] = before;
      before += total;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return shared->raked[now + SCAN_RAKERS - 1];
}

// The sum of the work-items' numbers.
uint scanSumOfGroup(const uint number, __local ScanLocal* shared) {
  barrier(CLK_LOCAL_MEM_FENCE);  // the totals may still be read from
  shared->totals[get_local_id(0)] = number;
  return scanTotals(shared);
}

uint scanSumOf(const uint* mine) {
  uint sum = 0;
  #pragma unroll
  for (uint i = 0; i < SCAN_ITEMS; ++i) sum += mine[i];
  return sum;
}

// Turns the elements into their prefix sums, beginning with `before`.
void scanItems(uint* mine, uint before, const uint kept) {
  #pragma unroll
  for (uint i = 0; i < SCAN_ITEMS; ++i) {
    const uint element = mine[i];
    before += element;
    mine[i] = before - (element & kept);
  }
}

// --- reduce, then scan: each work-group owns a chunk of neighbouring tiles ------------------------------------------

#if !SCAN_LOOK_BACK

// Chunk sums. The barrier holds the group together: PoCL runs one work-item as far as the next barrier before it
// starts with the second, and would go through the whole chunk in large strides for each.
__kernel __attribute__((reqd_work_group_size(SCAN_BLOCK, 1, 1)))
void reduceChunks(__global const uint* in, const uint n, const uint chunk, __global uint* sums) {
  __local ScanLocal shared;
  const uint item = get_local_id(0);
  const uint first = get_group_id(0) * chunk;
  const uint last = min(n, first + chunk);
  uint sum = 0;
  for (uint tile = first; tile < last; tile += SCAN_TILE) {
    if (tile + SCAN_TILE <= last) {
      __global const ScanVector* vectors = (__global const ScanVector*)(in + tile);
      uint some[SCAN_ITEMS];
      #pragma unroll
      for (uint i = 0; i < SCAN_ITEMS / SCAN_VECTOR; ++i) SCAN_UNPACK(vectors[i * SCAN_BLOCK + item], i, some);
      sum += scanSumOf(some);
    } else {
      for (uint at = tile + item; at < last; at += SCAN_BLOCK) sum += in[at];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const uint all = scanSumOfGroup(sum, &shared);
  if (item == 0) sums[get_group_id(0)] = all;
}

// Tiles first .. last, one after the other.
void scanInTurn(__global const uint* in, __global uint* out, const uint first, const uint last, uint before,
                const uint kept, __local ScanLocal* shared) {
  for (uint tile = first; tile < last; tile += SCAN_TILE) {
    uint mine[SCAN_ITEMS];
    scanLoad(in, tile, last, mine, shared);
    const uint all = scanSumOfGroup(scanSumOf(mine), shared);
    scanItems(mine, before + shared->totals[get_local_id(0)], kept);
    scanStore(out, tile, last, mine, shared);
    before += all;
  }
}

// The sums of the chunks before each: one work-group.
__kernel __attribute__((reqd_work_group_size(SCAN_BLOCK, 1, 1)))
void scanSums(__global uint* sums, const uint chunks) {
  __local ScanLocal shared;
  scanInTurn(sums, sums, 0, chunks, 0, 0xffffffff, &shared);
}

// `sums` is read where there is more than one chunk.
__kernel __attribute__((reqd_work_group_size(SCAN_BLOCK, 1, 1)))
void scanChunks(__global const uint* in, __global uint* out, const uint n, const uint kept, const uint chunk,
                __global const uint* sums) {
  __local ScanLocal shared;
  const uint first = get_group_id(0) * chunk;
  const uint before = first > 0 ? sums[get_group_id(0)] : 0;
  scanInTurn(in, out, first, min(n, first + chunk), before, kept, &shared);
}

// --- one pass with look-back: each work-group owns a tile, and waits for those before it ----------------------------

#else

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

// What a work-group has published of its tile, in one word so that it is read as a whole: 31 bits of the launch's
// number, which tell it from an earlier launch's; whether the sum begins at the first tile or at its own; the sum.
#define SCAN_WORD(launch, isPrefix, sum) ((ulong)(launch) << 33 | (ulong)(isPrefix) << 32 | (sum))
#define SCAN_LAUNCH_OF(word) ((uint)((word) >> 33))
#define SCAN_IS_PREFIX(word) ((uint)((word) >> 32) & 1)
#define SCAN_WINDOW 32  // tiles that are looked at together: all work-groups have as many work-items

// Tiles are numbered in the order in which work-groups begin, so whoever is waited for has begun, and never waits for
// one that has not.
uint scanTakeTile(__global uint* begun) {
  const uint tile = atomic_inc(begun);
  if (tile == get_num_groups(0) - 1) atomic_xchg(begun, 0);  // the last one; the next launch counts from 0 again
  return tile;
}

__kernel __attribute__((reqd_work_group_size(SCAN_BLOCK, 1, 1)))
void scanLookBack(__global const uint* in, __global uint* out, const uint n, const uint kept, const uint launch,
                  __global uint* begun, __global ulong* published) {
  __local ScanLocal shared;
  __local uint taken;
  __local uint found[2];  // the sum of a window's tiles, and whether it begins at the first tile
  __local ulong window[SCAN_WINDOW];
  const uint item = get_local_id(0);
  if (item == 0) taken = scanTakeTile(begun);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint tile = taken;

  uint mine[SCAN_ITEMS];
  scanLoad(in, tile * SCAN_TILE, n, mine, &shared);
  const uint all = scanSumOfGroup(scanSumOf(mine), &shared);
  if (item == 0) atom_xchg(published + tile, SCAN_WORD(launch, tile == 0, all));

  uint before = 0;
  for (uint end = tile; end > 0; end -= min(end, (uint)SCAN_WINDOW)) {
    if (item < SCAN_WINDOW) {
      ulong word = SCAN_WORD(launch, 1, 0);  // before the first tile
      if (item < end) {
        do word = atom_add(published + (end - 1 - item), 0UL);
        while (SCAN_LAUNCH_OF(word) != launch);
      }
      window[item] = word;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
      uint sum = 0, isComplete = 0;
      for (uint i = 0; i < SCAN_WINDOW; ++i) {
        sum += isComplete ? 0 : (uint)window[i];
        isComplete |= SCAN_IS_PREFIX(window[i]);
      }
      found[0] = sum;
      found[1] = isComplete;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    before += found[0];
    if (found[1]) break;
  }
  if (item == 0 && tile > 0) atom_xchg(published + tile, SCAN_WORD(launch, 1, before + all));
  scanItems(mine, before + shared.totals[item], kept);
  scanStore(out, tile * SCAN_TILE, n, mine, &shared);
}

#endif
