// One search of a workload, as a program that tunes itself runs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "hone/report.h"
#include "hone/search_space.h"
#include "workload.h"

namespace hone::bench {

struct NamedSpace {
  SearchSpace space;               // with the device's limits
  std::vector<std::string> names;  // of its parameters, in order of declaration
};

struct SearchOrder {
  std::string strategy;
  std::uint64_t seed = 1;
  double seconds = 120;  // at most
};

struct SearchRun {
  Report report;  // at its very end; costs in ns
  SearchSpace space;
  std::vector<Trial> tried;  // in order, the default first
  bool hasSettled = false;   // false: its time was up
};

/// Launches the workload's first problem until the search has ended by itself, whatever it costs meanwhile, and its
/// final is over. Throws InputError where the environment has another strategy run.
SearchRun runSearch(apps::Workload& workload, const std::vector<apps::Restriction>& restrictions,
                    const SearchOrder& order, apps::Console& console);

/// The space of such a search, with its parameters' names. Throws InputError as runSearch does.
NamedSpace spaceOf(apps::Workload& workload, const std::vector<apps::Restriction>& restrictions);

/// The configuration of a rank with its names.
NamedConfiguration named(const std::vector<std::string>& names, const std::vector<std::int64_t>& values);

}  // namespace hone::bench
