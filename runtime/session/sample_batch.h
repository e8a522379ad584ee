// Launches too short for the timer: several of them are one sample.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

namespace hone::detail {

/// Collects single costs of one configuration until what the timer's ticks add to their mean is small. A cost that is
/// the difference of two readings is off by half a tick in the root mean square at most, in either direction; the mean
/// of n such costs by 1 / sqrt(n) of that.
class SampleBatch {
 public:
  /// Returns the mean cost once there are enough. A resolution of 0 needs no second launch.
  std::optional<double> add(double cost, double resolution) {
    constexpr double kResolvable = 0.01;  // of a sample; five of them tell half a per cent apart
    sum_ += cost;
    ++count_;
    const double mean = sum_ / static_cast<double>(count_);
    if (0.5 * resolution > kResolvable * mean * std::sqrt(static_cast<double>(count_))) return std::nullopt;
    *this = {};
    return mean;
  }
  bool isBegun() const { return count_ > 0; }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

}  // namespace hone::detail
