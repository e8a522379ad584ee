// CLTune's table across devices: what was best on another one, used here.
#pragma once

#include <string>

#include "papers/bench_context.h"

namespace hone::bench {

/// A row for each program of `other` whose best is known here too, on the problem of this device. Both meet in a match.
std::string otherDeviceTable(const BenchContext& context, const DeviceBest& other,
                             const std::vector<StudiedProgram>& programs);

}  // namespace hone::bench
