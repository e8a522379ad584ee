// Pins: configurations that are run instead of being searched for, for reproducible results.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hone/api.h"
#include "hone/report.h"

namespace hone {

struct Pin {
  std::string tuner;  // the name of the Tuner, TunedProgram or TunedKernel; empty: any that has these parameters
  std::vector<std::pair<std::string, std::int64_t>> problem;  // for launches with these problem sizes; empty: for all
  NamedConfiguration configuration;                           // parameters that are left out have their defaults
};

/// Reads pins from a file of JSON lines, as HONE_LOG shows them:
///   {"tuner":"gemm","problem":{"M":512,"N":512,"K":512},"configuration":{"MWG":64,"NWG":32}}
/// "tuner" and "problem" may be left out; empty lines are skipped. Throws UsageError, naming file and line, if the file
/// cannot be read or understood.
HONE_API std::vector<Pin> readPins(const std::string& file);

/// One line that readPins understands.
HONE_API std::string toJson(const Pin& pin);

}  // namespace hone
