// What builds take from the launches where both run on the same cores.
#pragma once

#include <algorithm>
#include <cstddef>

#include "statistics/running_mean.h"
#include "statistics/samples.h"

namespace hone::detail {

struct TollThresholds {
  /// Launches beside a build from which on the slowdown is known; and the standard errors by which it is taken for
  /// larger than it seems.
  std::size_t known = 5;
  double errors = 2;
  /// Until then: as if each launch waited for a thread that gets half of a core.
  double guess = 1;
  /// What the next build may take, in multiples of the dearest one lately.
  double caution = 1.1;
};

/// One for all problems of a tuner, as the account is: how much longer launches take while something is being built,
/// and what a build takes from them in all.
/// Thread safety: externally synchronised.
class BuildToll {
 public:
  /// `firstBuild` is what a build is expected to take before one was seen, in the unit of costs.
  explicit BuildToll(double firstBuild, const TollThresholds& thresholds = {})
      : thresholds_(thresholds), firstBuild_(firstBuild) {}

  /// A launch beside a build took `ratio` times as long as others of its configuration.
  void add(double ratio) { ratios_.add(ratio); }
  /// A launch beside a build takes (1 + slowdown) times as long, rather too much.
  double slowdown() const {
    if (ratios_.count() < thresholds_.known) return thresholds_.guess;
    return std::max(0.0, ratios_.mean() + thresholds_.errors * ratios_.standardError() - 1);
  }

  void beginBuild() { ++running_; }
  /// A launch beside a build has cost so much more.
  void charge(double excess) { ofThisBuild_ += excess; }
  /// REQUIRES: one was begun
  void endBuild() {
    --running_;
    ofBuilds_.add(ofThisBuild_);
    ofThisBuild_ = 0;
  }
  /// For any of the problems; what they take is still to be charged.
  std::size_t running() const { return running_; }
  /// What the next build may take.
  double expected() const { return ofBuilds_.size() == 0 ? firstBuild_ : thresholds_.caution * ofBuilds_.largest(); }

 private:
  TollThresholds thresholds_;
  double firstBuild_;
  RunningMean ratios_;
  SampleWindow ofBuilds_;
  double ofThisBuild_ = 0;
  std::size_t running_ = 0;
};

}  // namespace hone::detail
