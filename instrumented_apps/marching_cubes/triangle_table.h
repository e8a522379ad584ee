// Which triangles a cell has, for each of the 256 cases of its corners' being inside or outside. Worked out, not looked
// up: nothing has to be believed, and the surface has no holes.
#pragma once

#include <array>
#include <cstdint>

namespace hone::apps::marching_cubes {

/// A row a case: the number of triangles, then the edges of their corners, counter-clockwise seen from outside. Corners
/// and edges are numbered as in marching_cubes.cl.
using TriangleTable = std::array<std::array<std::uint8_t, 16>, 256>;

/// On each face of a cell, the crossings around a run of inside corners are connected: inside corners that face each
/// other across a diagonal are always cut off separately. So two cells agree on the face they share. The lines of all
/// faces form closed polygons, which are divided into triangles by diagonals that lie in no face: there a diagonal
/// could meet the neighbour's.
TriangleTable makeTriangleTable();

}  // namespace hone::apps::marching_cubes
