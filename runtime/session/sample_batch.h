// Launches too short for the timer: several of them are one sample.
#pragma once

#include <cstddef>
#include <optional>

namespace hone::detail {

/// Collects single costs of one configuration until the timer's resolution is a small part of their sum.
class SampleBatch {
 public:
  /// Returns the mean cost once there are enough. A resolution of 0 needs no second launch.
  std::optional<double> add(double cost, double resolution) {
    constexpr double kResolvable = 0.01;  // of a sample: as small as the differences that decisions are about
    sum_ += cost;
    ++count_;
    if (resolution > kResolvable * sum_) return std::nullopt;
    const double mean = sum_ / static_cast<double>(count_);
    *this = {};
    return mean;
  }
  bool isBegun() const { return count_ > 0; }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

}  // namespace hone::detail
