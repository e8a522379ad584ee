// Explicit steps of heat diffusion in two or three dimensions. Each changes a cell's temperature by
//
//   r * (sum of its 2 * DIMENSIONS neighbours - 2 * DIMENSIONS * its own).
//
// Storage:  X x Y (x Z) cells, x fastest, in a rim one cell thick whose temperatures are fixed: X + 2 numbers a row.
//           The rim is there in both buffers; of `later` only what is inside is written.
// Launch:   advances FUSE steps. Local size BLOCK_X x BLOCK_Y (x BLOCK_Z), as many work-groups as tiles are needed to
//           cover the cells with their insides.
//
//   BLOCK_X, BLOCK_Y, BLOCK_Z  work-items of a work-group
//   TILE_X, TILE_Y, TILE_Z     cells of a work-group, multiples of these. A work-item has every BLOCK_X-th of a row, so
//                              neighbours have neighbours, and with BLOCK_X 1 a work-item has whole rows
//   LOCAL                      0: the group advances its tile, reading temperatures where they lie; all of the tile is
//                              its inside
//                              1: it copies the tile to local memory and advances its inside, without the outermost
//                              FUSE layers, which are inside of the neighbours' tiles: each step spoils one
//   FUSE                       steps of a launch; 1 where LOCAL is 0
//
// In two dimensions Z, BLOCK_Z and TILE_Z are 1. All configurations round alike: the same operations in the same order,
// none of them contracted.
#pragma OPENCL FP_CONTRACT OFF

#if DIMENSIONS == 2
#define IF_3D(then, otherwise) (otherwise)
#define TERMS_IN_3D(terms)
#else
#define IF_3D(then, otherwise) (then)
#define TERMS_IN_3D(terms) terms
#endif

#define LAYERS (LOCAL * FUSE)
#define LAYERS_Z IF_3D(LAYERS, 0)

#define AT(x, y, z) (((size_t)(z) * (Y + 2) + (y)) * (X + 2) + (x))
#define STEPPED(cell, row, plane) ((cell)[0] + r * (AROUND(cell, row, plane) - (2 * DIMENSIONS) * (cell)[0]))
#define AROUND(cell, row, plane) \
  ((cell)[-1] + (cell)[1] + ((cell)[-(row)] + (cell)[row]) TERMS_IN_3D(+ ((cell)[-(plane)] + (cell)[plane])))

// A work-item's cells of the tile, without the tile's outermost planes and rows.
#define FOR_PLANES(k, without) \
  for (int k = get_local_id(2) + IF_3D(without, 0); k < TILE_Z - IF_3D(without, 0); k += BLOCK_Z)
#define FOR_ROWS(j, without) for (int j = get_local_id(1) + (without); j < TILE_Y - (without); j += BLOCK_Y)
#define FOR_CELLS(i) for (int i = get_local_id(0); i < TILE_X; i += BLOCK_X)
#define IN_TILE(i, j, k) (((k) * TILE_Y + (j)) * TILE_X + (i))

__kernel __attribute__((reqd_work_group_size(BLOCK_X, BLOCK_Y, BLOCK_Z)))
void diffuse(const int X, const int Y, const int Z, const float r, __global const float* restrict now,
             __global float* restrict later) {
  // Where the tile begins: 0 is the rim, 1 the first cell.
  const int x = get_group_id(0) * (TILE_X - 2 * LAYERS) + 1 - LAYERS;
  const int y = get_group_id(1) * (TILE_Y - 2 * LAYERS) + 1 - LAYERS;
  const int z = IF_3D(get_group_id(2) * (TILE_Z - 2 * LAYERS) + 1 - LAYERS, 0);

#if LOCAL
  __local float even[TILE_Z * TILE_Y * TILE_X];  // temperatures after an even number of steps
  FOR_PLANES(k, 0) {
    FOR_ROWS(j, 0) {
      const bool isRow = y + j >= 0 && y + j <= Y + 1 && z + k >= 0 && z + k <= Z + 1;
      FOR_CELLS(i) {
        const bool isThere = isRow && x + i >= 0 && x + i <= X + 1;
        even[IN_TILE(i, j, k)] = isThere ? now[AT(x + i, y + j, z + k)] : 0.0f;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#if FUSE > 1
  __local float odd[TILE_Z * TILE_Y * TILE_X];
  for (int step = 1; step < FUSE; ++step) {
    __local const float* from = step % 2 ? even : odd;
    __local float* to = step % 2 ? odd : even;
    FOR_PLANES(k, step) {
      FOR_ROWS(j, step) {
        // The rim stays, and so does what is beyond it.
        const bool isRow = y + j >= 1 && y + j <= Y && IF_3D(z + k >= 1 && z + k <= Z, true);
        const int first = 1 - x, last = isRow ? X - x : -x;
        FOR_CELLS(i) {
          // A condition around the reading would cost vectors. Where a row ends, the next one's cells are read, and
          // the result is one that nobody uses.
          __local const float* cell = from + IN_TILE(i, j, k);
          const float stepped = STEPPED(cell, TILE_X, TILE_X * TILE_Y);
          to[IN_TILE(i, j, k)] = i >= first && i <= last ? stepped : cell[0];
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#define BEFORE_LAST (FUSE % 2 ? even : odd)
#else
#define BEFORE_LAST even
#endif
#define CELL(i, j, k) (BEFORE_LAST + IN_TILE(i, j, k))
#define ROW TILE_X
#define PLANE (TILE_X * TILE_Y)
#else
#define CELL(i, j, k) (now + AT(x + (i), y + (j), z + (k)))
#define ROW (X + 2)
#define PLANE ((long)(X + 2) * (Y + 2))
#endif

  const int end = min(TILE_X - LAYERS, X + 1 - x);
  FOR_PLANES(k, LAYERS) {
    FOR_ROWS(j, LAYERS) {
      if (y + j > Y || z + k > Z) continue;
      FOR_CELLS(i) {
        if (i >= LAYERS && i < end) later[AT(x + i, y + j, z + k)] = STEPPED(CELL(i, j, k), ROW, PLANE);
      }
    }
  }
}
