// The surface on which a scalar field is 0, as triangles: marching cubes over X x Y x Z cells whose corners are
// samples of the field. countTriangles tells how many each cell has, an exclusive scan (scan.cl) where they go,
// emitTriangles writes them.
//
// Storage:  samples[(z*(Y+1) + y)*(X+1) + x]; cells are numbered x first. table[16*c] is the number of triangles in
//           case c, the edges of their corners follow; bit i of a case is set where corner i is inside, where the field
//           is above 0. Corner i is at (i & 1, i >> 1 & 1, i >> 2). Edge 4*axis + k leads along its axis from the
//           corner whose other two coordinates are k & 1 and k >> 1, in the order of axes.
// Launch:   local size BLOCK, global size ceil((cells + 1) / (BLOCK*CELLS)) * BLOCK.
//
//   BLOCK     work-items of a work-group
//   CELLS     neighbouring cells of a work-item

// A work-item's way through its cells, without a division for each.
typedef struct {
  uint x, y;       // in the grid
  size_t corner0;  // the sample at the cell's lowest corner
} Place;

Place placeOf(const uint cell, const uint X, const uint Y) {
  const uint row = cell / X;
  const uint layer = row / Y;
  Place place;
  place.x = cell - row * X;
  place.y = row - layer * Y;
  place.corner0 = ((size_t)layer * (Y + 1) + place.y) * (X + 1) + place.x;
  return place;
}

// On to the next cell: over the last sample of the row, and over the last row of the layer.
void advance(Place* place, const uint X, const uint Y) {
  ++place->corner0;
  if (++place->x < X) return;
  place->x = 0;
  ++place->corner0;
  if (++place->y < Y) return;
  place->y = 0;
  place->corner0 += X + 1;
}

uint caseOf(__global const float* corner0, const uint X, const uint Y) {
  const size_t row = X + 1, layer = row * (Y + 1);
  uint bits = 0;
  #pragma unroll
  for (uint i = 0; i < 8; ++i) {
    const float sample = corner0[(i & 1) + (i >> 1 & 1) * row + (i >> 2) * layer];
    bits |= (uint)(sample > 0.0f) << i;
  }
  return bits;
}

// Behind the last cell comes a count of 0, whose place in the scan is the number of all triangles.
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void countTriangles(const uint X, const uint Y, const uint cells, __global const float* restrict samples,
                    __global const uchar* restrict table, __global uint* restrict counts) {
  const uint first = get_global_id(0) * CELLS;
  Place place = placeOf(first, X, Y);
  for (uint cell = first; cell < first + CELLS && cell <= cells; ++cell) {
    counts[cell] = cell < cells ? table[16 * caseOf(samples + place.corner0, X, Y)] : 0;
    advance(&place, X, Y);
  }
}

// Where the surface crosses an edge, by linear interpolation, in units of cells. The result is the same whichever of
// the up to four cells at the edge asks. It stays 1/1024 of an edge off the samples: vertices of different edges never
// coincide, and the surface is closed even where samples are 0.
void writeVertex(const uint edge, const uint x, const uint y, const uint z, __global const float* corner0,
                 const uint X, const uint Y, __global float* vertex) {
  const uint axis = edge / 4, low = edge & 1, high = edge >> 1 & 1;
  const uint dx = axis == 0 ? 0 : low;
  const uint dy = axis == 0 ? low : axis == 1 ? 0 : high;
  const uint dz = axis == 2 ? 0 : high;
  const size_t row = X + 1, layer = row * (Y + 1);
  __global const float* from = corner0 + dx + dy * row + dz * layer;
  const float start = from[0], end = from[axis == 0 ? 1 : axis == 1 ? row : layer];
  const float along = clamp(start / (start - end), 1.0f / 1024, 1023.0f / 1024);
  vertex[0] = x + dx + (axis == 0 ? along : 0.0f);
  vertex[1] = y + dy + (axis == 1 ? along : 0.0f);
  vertex[2] = z + dz + (axis == 2 ? along : 0.0f);
}

// Nine floats a triangle. Those for which there is no room are left out; the host learns of it by their number.
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1)))
void emitTriangles(const uint X, const uint Y, const uint cells, __global const float* restrict samples,
                   __global const uchar* restrict table, __global const uint* restrict places, const uint room,
                   __global float* restrict triangles) {
  const uint first = get_global_id(0) * CELLS;
  Place place = placeOf(first, X, Y);
  for (uint cell = first; cell < first + CELLS && cell < cells; ++cell) {
    const uint begin = places[cell], end = places[cell + 1];
    if (begin < end && end <= room) {
      __global const float* corner0 = samples + place.corner0;
      __global const uchar* edges = table + 16 * caseOf(corner0, X, Y) + 1;
      const uint z = cell / X / Y;
      __global float* vertices = triangles + (size_t)begin * 9;
      for (uint v = 0; v < 3 * (end - begin); ++v)
        writeVertex(edges[v], place.x, place.y, z, corner0, X, Y, vertices + 3 * v);
    }
    advance(&place, X, Y);
  }
}
