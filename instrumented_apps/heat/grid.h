// The grid that a simulation runs on: its sizes, where each temperature is stored, and the coarser grids before it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hone::apps::heat {

/// Cells in a rim one cell thick, on which temperatures are fixed. X cells of the first dimension lie at 1 .. X; the
/// rim is 0 and X + 1. Neighbours in the first dimension are neighbours in memory.
struct Grid {
  int dimensions = 2;                          // or 3
  std::array<std::int64_t, 3> cells{1, 1, 1};  // of each dimension; the third is 1 where there are two

  /// Of each dimension, with the rim: 1 where there is no third.
  std::array<std::size_t, 3> stored() const;
  /// Temperatures that are stored, the rim included.
  std::size_t size() const;
  /// Of the cells alone.
  double cellCount() const;
  std::size_t at(std::size_t x, std::size_t y, std::size_t z) const;
  /// Along the first dimension, whose length is 1.
  double spacing() const { return 1 / (static_cast<double>(cells[0]) + 1); }

  friend bool operator==(const Grid&, const Grid&) = default;
};

/// The sizes as --problem takes them: two or three.
std::vector<std::int64_t> problemOf(const Grid& grid);
/// REQUIRES: two or three sizes
Grid gridOf(const std::vector<std::int64_t>& problem);

/// `count` grids from coarse to fine, the last one `finest`: each has sqrt(2) times the cells along a dimension in two
/// dimensions, and 2^(1/3) times in three, so twice as many in all. Never less than one. REQUIRES: count >= 1
std::vector<Grid> levelsUpTo(const Grid& finest, std::size_t count);

}  // namespace hone::apps::heat
