// A search that takes along what it has learned: a simulation's grids differ in nothing but their size, so what was
// good on one is tried first on the next.
//
//   options.makeStrategy = fromGridToGrid(options.strategy, {});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "hone/strategy.h"

namespace hone::apps::heat {

struct FromGridToGrid {
  std::size_t inherited = 4;       // configurations that are tried first, of those that beat the default before
  std::size_t patienceFirst = 80;  // trials in a row without a new best one that end the search, on the first grid
  std::size_t patienceLater = 8;   // and on later ones
};

/// For Options::makeStrategy: strategies of this name, one for each problem in the order in which they are made, which
/// is that of the problems' first launches. All must be problems of the same search space. The function's copies share
/// what is learned. The strategies' own patience is kept where it is less, and on the first grid where it has no limit,
/// as that of the exhaustive one. Throws UsageError for an unknown name. Thread safety: internally
/// synchronised; of each strategy as of all.
std::function<std::unique_ptr<Strategy>(std::uint64_t seed)> fromGridToGrid(const std::string& name,
                                                                            const FromGridToGrid& rule);

}  // namespace hone::apps::heat
