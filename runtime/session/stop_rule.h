// Whether the next trials still pay.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hone::detail {

/// What is known of a search, in units of the default's cost.
struct SearchSoFar {
  std::size_t trials = 0;
  std::uint64_t launches = 0;
  double gain = 0;     // what a launch of the incumbent saves: 1 - its ratio
  double expense = 0;  // what all trials have cost above the default
};

struct StopThresholds {
  /// Fewer say nothing about those to come.
  std::size_t leastTrials = 20;
  /// Hoped for after the least trials, half of it after twice as many. With a hundredth, one in three searches on a
  /// matrix product (H200, 2048, default at 0.6 of the best) ended after 20 trials without the gain of 1.6 that the
  /// others found, the first one after 31 trials.
  double hopedGain = 0.2;
  /// How many times as long a search goes on that has found nothing better than the default: one whose first trials are
  /// all in vain is more likely unlucky than done. Where one configuration in 50 gains 40 %, random search finds one in
  /// 55 % of the runs with 1, in 84 % with 2 and in 98 % with 4, after 177, 246 and 279 launches (bench/decisions).
  std::size_t patienceInVain = 4;
};

/// Trials have gained gain / trials each, and go on to do so: an overestimate, since gains become rarer, but one that
/// forgives a search some trials in vain. The gain holds for the launches to come: as many as there were until now,
/// since a run that is met at a random moment is half over (J. R. Gott, Nature 363, 1993). So another trial pays while
///
///   gain / trials * launches > expense / trials
///
/// A search that has found little yet is taken for an unlucky one, the less so the more trials it had.
inline bool isWorthGoingOn(const SearchSoFar& search, const StopThresholds& thresholds = {}) {
  if (search.trials < thresholds.leastTrials) return true;
  const double ofTrials = static_cast<double>(thresholds.leastTrials) / static_cast<double>(search.trials);
  return std::max(search.gain, thresholds.hopedGain * ofTrials) * static_cast<double>(search.launches) > search.expense;
}

}  // namespace hone::detail
