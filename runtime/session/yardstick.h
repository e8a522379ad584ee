// What everything is compared with: the default's cost at this moment, known from the incumbent's launches.
//
//   yardstick.add(cost / incumbentsRatio);        // each measured launch of the incumbent
//   ratio = cost / yardstick.level();             // of another configuration's launch between two of those
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "statistics/samples.h"

namespace hone::detail {

struct YardstickThresholds {
  /// A sample is far from the level by a tenth, or by 6 times the spread where that is more: of recorded launches on an
  /// RTX 3090, one in 500 is. A device's clock steps are a tenth and more.
  double farAtLeast = 0.1;
  double farSpreads = 6;
  /// One near sample may be an accident of the disturbance.
  std::size_t calmSamples = 2;
  /// More than the level's own samples.
  std::size_t fasterLasts = 8;
  /// Twice the longest disturbance that is to leave no trace.
  std::size_t slowerLasts = 1000;
};

/// Follows a level through noise, and tells noise from disturbances.
///
/// A sample is *far* if it is away from the level by more than noise explains. Far samples disturb: until several in a
/// row are near the level again, nothing should be decided. If they last, theirs is the new level: soon where the
/// device has become faster (nothing makes it faster than it is: the old level was the disturbance), late where it has
/// become slower, since a disturbance of some hundred launches is to leave no trace.
/// Thread safety: externally synchronised.
class Yardstick {
 public:
  explicit Yardstick(const YardstickThresholds& thresholds = {}) : thresholds_(thresholds) {}

  enum class Seen {
    near,
    far,
    newLevel  // the samples until now are to be forgotten: the device is another one
  };
  Seen add(double sample);

  /// The median of the latest near samples: the default's median cost. REQUIRES: there is one
  double level() const { return level_; }
  /// The lowest one of the level, the median of all near samples and the latest sample, near or far: for what must not
  /// be overestimated. Where three samples of ten take several times as long, the level is one of those now and then.
  double cautiousLevel() const { return std::min({level_, nearMedian_, latest_}); }
  bool hasLevel() const { return near_.size() > 0; }
  /// Near samples that are remembered.
  std::size_t samples() const { return near_.size(); }

  /// Relative spread of the samples, from the differences of neighbouring ones, near or far: so a level that changes
  /// does not count as noise, and what was taken for far does. sigma = median |ln(x / the one before)| * 1.4826 /
  /// sqrt(2), for normal samples. 0 below two of them.
  double noise() const;

  /// Whether the latest samples are near.
  bool isCalm() const { return nearInARow_ >= thresholds_.calmSamples; }
  /// What add would say of another configuration's sample.
  bool isNear(double sample) const { return !isFar(sample); }
  /// The far samples were none of the device's doing.
  void calmDown();
  /// A median that withstands three samples off, and is soon renewed.
  static constexpr std::size_t kLevelSamples = 7;

 private:
  bool isFar(double sample) const;
  void findLevel();

  YardstickThresholds thresholds_;
  SampleWindow near_;
  SampleWindow far_;    // of the disturbance, since it changed sides
  SampleWindow steps_;  // |ln(sample / the one before)|
  // Found when a sample comes, since each launch asks for them.
  double level_ = 0;
  double nearMedian_ = 0;
  double latest_ = 0;
  std::size_t nearInARow_ = thresholds_.calmSamples;
  std::size_t farInARow_ = 0;  // ended by calm alone
  std::size_t fasterInARow_ = 0;
};

}  // namespace hone::detail
