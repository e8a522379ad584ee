// What is known about one problem's tuning at a moment, for people and for logs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hone/api.h"

namespace hone {

enum class Phase {
  warmingUp,  // the default runs until its cost is known
  exploring,  // candidates race the incumbent
  settled     // the incumbent runs, after a final of the best and the default; or nothing is searched for
};

/// "warming up", "exploring", "settled"
HONE_API const char* toString(Phase phase);

/// Parameter names with their values, in order of declaration.
using NamedConfiguration = std::vector<std::pair<std::string, std::int64_t>>;

/// What tuning has cost, in the unit of the costs; one for all problems of a tuner. Estimated cautiously: savings are
/// counted once they are known, trials as they are measured.
struct AccountReport {
  double balance = 0;  // what the next trials may cost; infinite with an unlimited budget
  double spent = 0;    // what was tried has cost so much more than the default would have
  double saved = 0;    // better configurations have cost so much less
  /// What the default would have cost instead of all launches until now, each at its moment: an estimate, not a bound.
  double byDefault = 0;
};

struct Report {
  Phase phase = Phase::warmingUp;
  std::uint64_t launches = 0;              // all measurements started for this problem
  std::size_t trials = 0;                  // candidates judged, failed ones included
  std::size_t failed = 0;                  // of these, the ones that did not build, launch or finish
  std::optional<std::uint64_t> settledAt;  // the launch with which it settled; empty where nothing was searched for
  bool isDecided = false;                  // settled, and its final is over: the best one stays
  /// Median costs: nanoseconds, or the unit of stopMeasurement(cost). Empty before the first usable sample.
  std::optional<double> defaultCost;
  std::optional<double> bestCost;
  NamedConfiguration best;  // the incumbent's values
  AccountReport account;
};

}  // namespace hone
