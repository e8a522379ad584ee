// Search spaces from files and messages, for programs that know nothing of C++.
//
//   const NamedSpace space = readSpaceFile("gemm.csv.gz", seed);
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hone/search_space.h"

namespace hone::detail {

struct NamedSpace {
  std::vector<std::string> names;  // of the parameters
  SearchSpace space;
};

/// A space declared in JSON:
///   {"parameters": {"MWG": [16, 32, 64], "VWM": [1, 2, 4]},
///    "constraints": ["MWG % VWM == 0"],                 optional; C syntax
///    "configurations": [[16, 1], [32, 2]],              optional: these and no others, in the parameters' order
///    "default": {"MWG": 32, "VWM": 1}}                  optional
/// Without a default, a random one of the configurations is taken for it, or else the valid configuration closest to
/// the middle of all ranges. Throws UsageError, naming what is wrong.
NamedSpace parseSpace(const nlohmann::ordered_json& declaration, std::uint64_t seed);

/// The same from a file of that JSON, or from a table of configurations (.csv, or .csv.gz): its first line has the
/// parameters' names and, from "time_ms" on, columns that are not looked at; of it, a configuration is a line. Throws
/// UsageError, naming file and line.
NamedSpace readSpaceFile(const std::string& file, std::uint64_t seed);

}  // namespace hone::detail
