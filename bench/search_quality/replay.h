// One search replayed on a recorded space: a trial is one launch, and takes what was measured.
//
//   const ReplaySpace space(recorded, seed);
//   const Course course = replay(space, *makeStrategy("annealing", seed), {.trials = 400, .seed = seed});
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hone/strategy.h"
#include "search_quality/scores.h"
#include "support/recorded_space.h"

namespace hone::bench {

/// The times of a recorded space's rows, in ns.
TimesOfSpace timesOf(const test::RecordedSpace& recorded);

/// A recorded space as one search sees it. No default is known: what the strategies take for it is a row that the seed
/// chooses. Refers to the recorded space.
/// Thread safety: immutable.
class ReplaySpace {
 public:
  ReplaySpace(const test::RecordedSpace& recorded, std::uint64_t seed);

  const SearchSpace& space() const { return space_; }
  const test::RecordedRow& row(Rank rank) const { return recorded_->rows()[rowOf_[rank]]; }
  double optimumNs() const { return *recorded_->best().timeNs; }
  double worstNs() const { return worstNs_; }

 private:
  const test::RecordedSpace* recorded_;
  SearchSpace space_;
  std::vector<std::size_t> rowOf_;
  double worstNs_;
};

struct ReplaySettings {
  std::size_t trials = 400;
  std::size_t batch = 1;  // how many candidates are asked for at a time; all of them are tried before the next are
  /// A trial takes a recorded sample of its row instead of the row's median. Of a row without samples it is the median.
  /// What a strategy wants to have measured again is, before anything new is tried; a trial each. The cost of what was
  /// measured several times is the median.
  bool isNoisy = false;
  std::uint64_t seed = 1;  // of the samples
};

/// What became of a search.
struct Course {
  /// After each trial, the recorded time of the configuration that the evidence shows as the best; before the first
  /// success, that of the space's worst. One for each trial of the settings: where the strategy had nothing more to
  /// propose, or noise-free once the optimum was found, the last one stays.
  std::vector<double> bestNs;
  std::size_t trials = 0;               // that were made
  std::size_t duplicates = 0;           // of configurations that were tried before, or twice in one batch
  std::size_t remeasured = 0;           // at the strategy's wish
  std::vector<double> stepDurationsNs;  // of each call to propose, for each trial that it led to
};

/// Runs the search. Costs are relative to those of the first successful trial. A failure or a duplicate costs a trial,
/// too, and the latter tells the strategy nothing.
Course replay(const ReplaySpace& space, Strategy& strategy, const ReplaySettings& settings);

}  // namespace hone::bench
