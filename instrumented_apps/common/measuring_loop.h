// The loop that every instrumented program consists of: launch, keep the device busy, stop in time, look at the result.
#pragma once

#include <cstdint>
#include <optional>

#include "console.h"
#include "hone/report.h"
#include "workload.h"

namespace hone::apps {

/// The run ends with whichever is reached first.
struct RunLimits {
  std::optional<std::uint64_t> launches;
  std::optional<double> seconds;
  bool endsSettled = false;  // as soon as the search has ended
};

struct RunFigures {
  Report report;                           // at the very end
  std::uint64_t launches = 0;              // the closing ones included
  std::optional<std::uint64_t> settledAt;  // empty if the search was still going on when the run ended
  double totalSeconds = 0;                 // wall clock, first launch call to last completion, without settling down
  double deviceSeconds = 0;                // sum of the launches' event times
  std::optional<double> stallMaxMs;  // longest launch call; the first launch is left out: it may build the default
  std::optional<double> stallMeanMs;
  std::optional<double> launchMedianMs;  // of the latest event times, whatever their configuration
};

/// Launches until a limit is reached and ends the search. A final of default and best follows, without a
/// compiler or checks beside it, and a last launch, which is checked. Exceptions of the work pass through; the status
/// line is removed before.
RunFigures runLaunches(const TunedWork& work, const RunLimits& limits, Console& console);

}  // namespace hone::apps
