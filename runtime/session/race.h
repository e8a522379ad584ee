// One candidate against the incumbent: what was measured of it, and what follows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "statistics/comparison.h"
#include "statistics/samples.h"

namespace hone::detail {

struct RaceThresholds {
  ComparisonThresholds comparison;
  /// Launches that are begun without waiting for a ratio: most races are decided by then.
  std::size_t closeRace = 3;
  /// As after one pair, but for the first launch's overhead.
  double hopeless = 1.5;
  /// More than noise, less than what drivers and clocks do to first launches.
  double stillFalling = 0.9;
  /// Samples for each pair: a device that is disturbed half of the time needs 4.
  std::size_t futile = 6;
};

/// What first launches take compared with later ones of the same configuration; the worse it is, the less a first
/// launch tells.
class FirstLaunches {
 public:
  /// A first launch took `first`, and the ordinary ones `median`.
  void add(double first, double median) { overheads_.add(first / median); }

  /// The largest overhead of late, or a guess.
  double worstOverhead() const {
    return overheads_.size() < kEnough ? std::max(kGuess, overheads_.size() > 0 ? overheads_.largest() : 0)
                                       : std::max(1.0, overheads_.largest());
  }

 private:
  static constexpr std::size_t kEnough = 4;
  // Of recorded first launches, 9 of 10 take less than 1.02 times the later ones on an RTX 3090, and less than 2.5
  // times on a PRO W6600.
  static constexpr double kGuess = 2;

  SampleWindow overheads_;
};

/// Ratios are costs divided by the default's at that moment, each measured between two undisturbed launches of the
/// incumbent. The first launch may have one-time costs and is judged alone.
class Race {
 public:
  explicit Race(const RaceThresholds& thresholds = {}) : thresholds_(thresholds) {}

  /// Launches that may be under way without a ratio now: one while nothing is known of the candidate; then as many as
  /// the next verdict can need.
  std::size_t launchesAhead() const {
    if (samples_ == 0) return 1;
    const std::size_t wanted = ratios_.size() < thresholds_.closeRace ? thresholds_.closeRace : maximumPairs();
    return wanted - std::min(wanted, ratios_.size());
  }
  /// A sample came in, whether or not it counts. Returns whether it is the first launch's.
  bool countSample() { return ++samples_ == 1; }
  std::size_t samples() const { return samples_; }

  void addFirst(double ratio) { first_ = ratio; }
  void add(double ratio) {
    const std::optional<double> before = ratios_.size() > 0 ? ratios_.latest() : first_;
    isWarmingUp_ = before && ratio < thresholds_.stillFalling * *before;
    ratios_.add(ratio);
  }

  /// `incumbent` is the incumbent's ratio, `noise` the spread of its samples.
  Verdict verdict(double incumbent, double noise, const FirstLaunches& firstLaunches) const {
    if (ratios_.size() > 0) {
      const Verdict verdict = compare(relativeTo(incumbent), noise, thresholds_.comparison);
      // What still becomes faster from launch to launch is not known to be slow.
      return verdict == Verdict::slower && isWarmingUp_ && !isOver() ? Verdict::undecided : verdict;
    }
    const bool isHopeless = first_ && *first_ > thresholds_.hopeless * firstLaunches.worstOverhead() * incumbent;
    return isHopeless ? Verdict::slower : Verdict::undecided;
  }
  /// Whether the verdict so far is the last one; a candidate undecided then is as good as the incumbent.
  bool isOver() const { return ratios_.size() >= maximumPairs(); }
  /// Whether so many samples were disturbed that nothing will come of it.
  bool isFutile() const { return samples_ >= thresholds_.futile * maximumPairs() && !isOver(); }

  /// The candidate's ratio to the default, as far as it is known.
  std::optional<double> ratio() const {
    if (ratios_.size() > 0) return ratios_.median();
    return first_;
  }
  /// What its next launch will cost at worst, judged by those before; empty if there were none.
  std::optional<double> worstRatio() const {
    if (ratios_.size() > 0) return ratios_.largest();
    return first_;
  }
  const SampleWindow& ratios() const { return ratios_; }
  std::optional<double> first() const { return first_; }

 private:
  std::size_t maximumPairs() const { return thresholds_.comparison.maximumPairs; }
  SampleWindow relativeTo(double incumbent) const { return ratios_.dividedBy(incumbent); }

  RaceThresholds thresholds_;
  std::optional<double> first_;
  SampleWindow ratios_;
  std::size_t samples_ = 0;
  bool isWarmingUp_ = false;  // the latest ratio is well below the one before
};

}  // namespace hone::detail
