// A scalar field on a grid, and its surface as the host computes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "marching_cubes/triangle_table.h"

namespace hone::apps::marching_cubes {

/// The largest number of cells along an axis: vertices are kept 1/1024 of a cell off the samples, and up to here a
/// float has room for that behind a cell's number.
inline constexpr std::int64_t kMaximumCells = 4096;

struct Grid {
  std::size_t x, y, z;  // cells; there is one sample more along each axis

  std::size_t cells() const { return x * y * z; }
  std::size_t samples() const { return (x + 1) * (y + 1) * (z + 1); }
};

/// "sphere", "torus", "blobs", "gyroid"
std::vector<std::string> fieldNames();

/// The field on a box that is the grid, -1 .. 1 along each axis: above 0 inside, and below 0 on the whole border, so
/// that all surfaces are closed. Samples in the order of marching_cubes.cl. REQUIRES: one of fieldNames()
std::vector<float> sampleField(const std::string& name, const Grid& grid);

/// Nine coordinates for each triangle, in cells, in the order of the cells: what the kernels are to write.
std::vector<float> referenceTriangles(const Grid& grid, const std::vector<float>& samples, const TriangleTable& table);

}  // namespace hone::apps::marching_cubes
