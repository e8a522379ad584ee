// The temperatures of a grid on one with other numbers of cells: linear between the cells around each place, the rim
// included. Where a dimension has n cells, its rims are at 0 and n + 1, and a place is at the same part of that way in
// both grids.
//
// Storage:  as in heat.cl, X x Y x Z cells in `to`; in two dimensions Z is 1, and there is one plane.
// Launch:   global size (X + 2) x (Y + 2) x the planes.

typedef struct {
  int below, above;  // neighbours in the old grid
  float part;        // of the way from one to the other
} Between;

Between between(const int place, const int n, const int oldN) {
  const long way = (long)place * (oldN + 1);
  Between result;
  result.below = (int)(way / (n + 1));
  result.above = min(result.below + 1, oldN + 1);
  result.part = (float)(way - (long)result.below * (n + 1)) / (float)(n + 1);
  return result;
}

float mixed(const float a, const float b, const float part) { return a + part * (b - a); }

float alongX(__global const float* row, const Between x) { return mixed(row[x.below], row[x.above], x.part); }

float inPlane(__global const float* plane, const int oldX, const Between x, const Between y) {
  const size_t row = oldX + 2;
  return mixed(alongX(plane + y.below * row, x), alongX(plane + y.above * row, x), y.part);
}

__kernel void refine(const int X, const int Y, const int Z, const int oldX, const int oldY, const int oldZ,
                     __global const float* restrict from, __global float* restrict to) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const Between inX = between(x, X, oldX), inY = between(y, Y, oldY);
#if DIMENSIONS == 2
  const float temperature = inPlane(from, oldX, inX, inY);
#else
  const Between inZ = between(z, Z, oldZ);
  const size_t plane = (size_t)(oldX + 2) * (oldY + 2);
  const float below = inPlane(from + inZ.below * plane, oldX, inX, inY);
  const float above = inPlane(from + inZ.above * plane, oldX, inX, inY);
  const float temperature = mixed(below, above, inZ.part);
#endif
  to[((size_t)z * (Y + 2) + y) * (X + 2) + x] = temperature;
}
