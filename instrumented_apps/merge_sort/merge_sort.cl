// A stable merge sort of n keys (32 bits, ascending), alone or with a value each: sortTiles sorts tiles in local
// memory, then findSplits and mergeChunks merge sorted runs in pairs, twice as long in each pass, until one run is
// left.
//
//   SORT_BLOCK SORT_ITEMS    sortTiles: work-items of a work-group, and elements of a work-item; a work-group's
//                            elements are a tile. Powers of two
//   SPLIT_BLOCK              findSplits: work-items of a work-group; a work-item finds where one chunk begins
//   MERGE_BLOCK MERGE_ITEMS  mergeChunks: work-items of a work-group, and elements of a work-item; a work-group's
//                            elements are a chunk of the merged pair
//   PADDING                  1: in local memory one slot in 32 is left out, which moves neighbours' elements to
//                            different banks
//   HAS_VALUES               1: values are moved with their keys

#define TILE (SORT_BLOCK * SORT_ITEMS)
#define CHUNK (MERGE_BLOCK * MERGE_ITEMS)

#if PADDING
#define SLOT(i) ((i) + (i) / 32)
#else
#define SLOT(i) (i)
#endif

// What is moved about: a key, or a key above its value.
#if HAS_VALUES
typedef ulong Element;
#define KEY(element) ((uint)((element) >> 32))
#define READ(keys, values, i) ((ulong)(keys)[i] << 32 | (values)[i])
#define WRITE(element, keys, values, i) ((keys)[i] = KEY(element), (values)[i] = (uint)(element))
#define LARGEST 0xffffffffffffffffUL
#define VALUES(type, name) , __global type* name
#else
typedef uint Element;
#define KEY(element) (element)
#define READ(keys, values, i) ((keys)[i])
#define WRITE(element, keys, values, i) ((keys)[i] = (element))
#define LARGEST 0xffffffff
#define VALUES(type, name)
#endif

// How many of the first `diagonal` elements of the merged runs A and B come from A; of equal keys A's come first. A
// binary search for the point where the merge path crosses the diagonal (Odeh, Green, Mwassi, Shmueli, Birk, Merge
// Path, 2012). A macro, because OpenCL C 1.2 has no function for several address spaces. keyA and keyB are macros of
// an index.
#define CROSS(crossing, diagonal, lengthA, lengthB, keyA, keyB)                    \
  uint crossing = (diagonal) - min((uint)(diagonal), (uint)(lengthB));             \
  for (uint high = min((uint)(diagonal), (uint)(lengthA)); crossing < high;) {     \
    const uint probe = (crossing + high) / 2;                                      \
    if (keyA(probe) <= keyB((diagonal) - 1 - probe)) {                             \
      crossing = probe + 1;                                                        \
    } else {                                                                       \
      high = probe;                                                                \
    }                                                                              \
  }

// Two runs in local memory on their way to one: A, whose next element is at `a`, ends at `middle`, where B begins; `b`
// and `end` likewise.
typedef struct {
  uint a, middle, b, end;
  Element nextA, nextB;
} Merge;

// Begins at element `diagonal` of the merged run. A begins at `first`.
void beginMerge(Merge* merge, __local const Element* tile, const uint first, const uint middle, const uint end,
                const uint diagonal) {
#define KEY_A(i) KEY(tile[SLOT(first + (i))])
#define KEY_B(i) KEY(tile[SLOT(middle + (i))])
  CROSS(crossing, diagonal, middle - first, end - middle, KEY_A, KEY_B)
#undef KEY_A
#undef KEY_B
  merge->a = first + crossing;
  merge->middle = middle;
  merge->b = middle + diagonal - crossing;
  merge->end = end;
  merge->nextA = merge->a < middle ? tile[SLOT(merge->a)] : LARGEST;
  merge->nextB = merge->b < end ? tile[SLOT(merge->b)] : LARGEST;
}

// The next element of the merged run; behind its end, anything.
Element takeNext(Merge* merge, __local const Element* tile) {
  const bool takesA =
      merge->b >= merge->end || (merge->a < merge->middle && KEY(merge->nextA) <= KEY(merge->nextB));
  const Element next = takesA ? merge->nextA : merge->nextB;
  if (takesA) {
    ++merge->a;
    if (merge->a < merge->middle) merge->nextA = tile[SLOT(merge->a)];
  } else {
    ++merge->b;
    if (merge->b < merge->end) merge->nextB = tile[SLOT(merge->b)];
  }
  return next;
}

// Sorts the work-item's elements: only neighbours change places, and only where they are in the wrong order, so equal
// keys stay in theirs. Every index is a constant, so that the array becomes registers.
void sortItems(Element* mine) {
  #pragma unroll
  for (uint round = 0; round < SORT_ITEMS; ++round) {
    #pragma unroll
    for (uint i = round % 2; i + 1 < SORT_ITEMS; i += 2) {
      const Element left = mine[i], right = mine[i + 1];
      const bool isWrong = KEY(left) > KEY(right);
      mine[i] = isWrong ? right : left;
      mine[i + 1] = isWrong ? left : right;
    }
  }
}

__kernel __attribute__((reqd_work_group_size(SORT_BLOCK, 1, 1)))
void sortTiles(const uint n, __global const uint* keys, __global uint* sortedKeys
               VALUES(const uint, values) VALUES(uint, sortedValues)) {
  __local Element tile[SLOT(TILE)];
  const uint item = get_local_id(0);
  const uint first = get_group_id(0) * TILE;
  // Behind the end lie the largest keys, which stay there.
  #pragma unroll
  for (uint i = 0; i < SORT_ITEMS; ++i) {
    const uint at = i * SORT_BLOCK + item;
    tile[SLOT(at)] = first + at < n ? READ(keys, values, first + at) : LARGEST;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  Element mine[SORT_ITEMS];
  #pragma unroll
  for (uint i = 0; i < SORT_ITEMS; ++i) mine[i] = tile[SLOT(item * SORT_ITEMS + i)];
  sortItems(mine);
  for (uint run = SORT_ITEMS; run < TILE; run *= 2) {
    // A work-item writes only what it has read itself, or what was read before the last barrier.
    #pragma unroll
    for (uint i = 0; i < SORT_ITEMS; ++i) tile[SLOT(item * SORT_ITEMS + i)] = mine[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint pair = item * SORT_ITEMS / (2 * run) * (2 * run);
    Merge merge;
    beginMerge(&merge, tile, pair, pair + run, pair + 2 * run, item * SORT_ITEMS - pair);
    #pragma unroll
    for (uint i = 0; i < SORT_ITEMS; ++i) mine[i] = takeNext(&merge, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  #pragma unroll
  for (uint i = 0; i < SORT_ITEMS; ++i) tile[SLOT(item * SORT_ITEMS + i)] = mine[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  #pragma unroll
  for (uint i = 0; i < SORT_ITEMS; ++i) {
    const uint at = i * SORT_BLOCK + item;
    if (first + at < n) WRITE(tile[SLOT(at)], sortedKeys, sortedValues, first + at);
  }
}

// Runs of `run` keys are merged in pairs, and each pair in `chunksOfPair` chunks. splits[chunk] becomes the number of
// keys of the pair's first run that lie before the chunk.
__kernel __attribute__((reqd_work_group_size(SPLIT_BLOCK, 1, 1)))
void findSplits(const uint n, const uint run, const uint chunksOfPair, const uint chunks, __global const uint* keys,
                __global uint* splits) {
  const uint chunk = get_global_id(0);
  if (chunk >= chunks) return;
  const uint pair = chunk / chunksOfPair;
  const uint first = pair * 2 * run;
  const uint middle = min(n, first + run);
  const uint end = min(n, first + 2 * run);
  const uint diagonal = min(end - first, (chunk - pair * chunksOfPair) * CHUNK);
#define KEY_A(i) keys[first + (i)]
#define KEY_B(i) keys[middle + (i)]
  CROSS(crossing, diagonal, middle - first, end - middle, KEY_A, KEY_B)
#undef KEY_A
#undef KEY_B
  splits[chunk] = crossing;
}

__kernel __attribute__((reqd_work_group_size(MERGE_BLOCK, 1, 1)))
void mergeChunks(const uint n, const uint run, const uint chunksOfPair, __global const uint* splits,
                 __global const uint* keys, __global uint* mergedKeys
                 VALUES(const uint, values) VALUES(uint, mergedValues)) {
  __local Element tile[SLOT(CHUNK)];
  const uint item = get_local_id(0);
  const uint chunk = get_group_id(0);
  const uint pair = chunk / chunksOfPair;
  const uint first = pair * 2 * run;
  const uint middle = min(n, first + run);
  const uint end = min(n, first + 2 * run);
  const uint before = (chunk - pair * chunksOfPair) * CHUNK;  // merged keys of the pair before this chunk
  if (before >= end - first) return;                 // the last pair may be shorter
  const uint after = min(end - first, before + CHUNK);
  const uint count = after - before;

  // The chunk's elements of the first run, and behind them those of the second.
  const uint split = splits[chunk];
  const uint nextSplit = after < end - first ? splits[chunk + 1] : middle - first;
  const uint countA = nextSplit - split;
  const uint fromA = first + split;
  const uint fromB = middle + (before - split) - countA;  // where the elements of B would begin if they included A's
  #pragma unroll
  for (uint i = 0; i < MERGE_ITEMS; ++i) {
    const uint at = i * MERGE_BLOCK + item;
    const uint from = at < countA ? fromA + at : fromB + at;
    if (at < count) tile[SLOT(at)] = READ(keys, values, from);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  Merge merge;
  beginMerge(&merge, tile, 0, countA, count, min(count, item * MERGE_ITEMS));
  Element merged[MERGE_ITEMS];
  #pragma unroll
  for (uint i = 0; i < MERGE_ITEMS; ++i) merged[i] = takeNext(&merge, tile);
  barrier(CLK_LOCAL_MEM_FENCE);
  #pragma unroll
  for (uint i = 0; i < MERGE_ITEMS; ++i) tile[SLOT(item * MERGE_ITEMS + i)] = merged[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  #pragma unroll
  for (uint i = 0; i < MERGE_ITEMS; ++i) {
    const uint at = i * MERGE_BLOCK + item;
    if (at < count) WRITE(tile[SLOT(at)], mergedKeys, mergedValues, first + before + at);
  }
}
