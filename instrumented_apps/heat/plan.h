// How far a simulation goes on each of its grids.
#pragma once

#include <cstdint>
#include <vector>

#include "heat/grid.h"

namespace hone::apps::heat {

/// Shares of `total` sections, in inverse proportion to the grids' cells, so that each takes about as long: they add up
/// to `total`, and each is at least one. REQUIRES: total >= levels.size()
std::vector<std::uint64_t> sectionsOf(const std::vector<Grid>& levels, std::uint64_t total);

}  // namespace hone::apps::heat
