#include "heat/grid.h"

#include <algorithm>
#include <cmath>

namespace hone::apps::heat {

std::array<std::size_t, 3> Grid::stored() const {
  std::array<std::size_t, 3> stored{};
  for (std::size_t axis = 0; axis < 3; ++axis) stored[axis] = static_cast<std::size_t>(cells[axis]) + 2;
  if (dimensions == 2) stored[2] = 1;
  return stored;
}

std::size_t Grid::size() const {
  const auto [x, y, z] = stored();
  return x * y * z;
}

double Grid::cellCount() const {
  return static_cast<double>(cells[0]) * static_cast<double>(cells[1]) * static_cast<double>(cells[2]);
}

std::size_t Grid::at(std::size_t x, std::size_t y, std::size_t z) const {
  const auto extents = stored();
  return (z * extents[1] + y) * extents[0] + x;
}

std::vector<std::int64_t> problemOf(const Grid& grid) {
  return {grid.cells.begin(), grid.cells.begin() + grid.dimensions};
}

Grid gridOf(const std::vector<std::int64_t>& problem) {
  Grid grid;
  grid.dimensions = static_cast<int>(problem.size());
  std::copy(problem.begin(), problem.end(), grid.cells.begin());
  return grid;
}

std::vector<Grid> levelsUpTo(const Grid& finest, std::size_t count) {
  std::vector<Grid> levels(count, finest);
  for (std::size_t level = 0; level < count; ++level) {
    const double part = std::pow(0.5, static_cast<double>(count - 1 - level) / finest.dimensions);
    for (int axis = 0; axis < finest.dimensions; ++axis) {
      std::int64_t& cells = levels[level].cells[static_cast<std::size_t>(axis)];
      cells = std::max<std::int64_t>(std::llround(part * static_cast<double>(cells)), 1);
    }
  }
  return levels;
}

}  // namespace hone::apps::heat
