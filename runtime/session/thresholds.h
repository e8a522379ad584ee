// All that decides, with its reasons where it stands: what each of them trades is a table of bench/decisions.
#pragma once

#include <cstddef>

#include "session/final.h"
#include "session/mean_bounds.h"
#include "session/race.h"
#include "session/sandwich.h"
#include "session/stop_rule.h"

namespace hone::detail {

/// What a launch may cost that nobody has seen yet, and how much of the account that leaves.
struct BookingThresholds {
  MeanThresholds means;
  /// What a trial's launch has cost counts a tenth more: its configuration's mean may be above what was seen of it.
  double cautiousCost = 1.1;
  /// Launches of the default that no trial may spend. A few samples do not show a tail that is hidden in their law: of
  /// the recorded configurations on an RTX 3090, some take 4.7 times their median in four launches of ten, which three
  /// launches miss in one case of five.
  double heldBack = 1;
  /// What a first launch is expected to cost while hardly any was seen; then, this quantile of them.
  double firstRatioGuess = 2;
  std::size_t firstRatiosKnown = 4;
  double firstRatioQuantile = 0.9;
};

struct Thresholds {
  SandwichThresholds sandwich;
  RaceThresholds race;
  FinalThresholds final;
  BookingThresholds booking;
  StopThresholds stop;
};

}  // namespace hone::detail
