// The measured costs of one configuration, and the order statistics taken from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hone::detail {

/// The most recent costs of one configuration, oldest first out. Costs are finite and positive; their unit is the
/// caller's.
class SampleWindow {
 public:
  /// Enough for the longest race and the longest final, and for a median that follows a changing device within seconds.
  static constexpr std::size_t kCapacity = 32;

  void add(double cost);
  void clear() { total_ = 0; }

  /// Samples in the window.
  std::size_t size() const { return total_ < kCapacity ? static_cast<std::size_t>(total_) : kCapacity; }

  /// Exact median of the window; the mean of the two middle samples where their number is even.
  /// REQUIRES: size() > 0
  double median() const;
  /// A cautious center: the mean of the samples between the median and the quantile 0.85, but never of the largest: of
  /// n >= 3 sorted ones those from 0.5 n to min(0.85 n, n - 1), the ones at the ends in part; of two the larger. Where
  /// a law has two modes, the median of a few samples is one or the other by luck, and the best of many medians a lucky
  /// one; this is near the upper mode until few samples are there. REQUIRES: size() > 0
  double upperMidmean() const;
  /// Of the latest `count`, or of all where there are fewer. REQUIRES: size() > 0, count > 0
  double medianOfLatest(std::size_t count) const;

  /// REQUIRES: size() > 0
  double latest() const { return samples_[(total_ - 1) % kCapacity]; }
  double smallest() const;
  double largest() const;
  /// The sample below which a part q of the others lies: of n sorted ones, that at the position q (n - 1), rounded.
  /// REQUIRES: size() > 0, q from 0 to 1
  double quantile(double q) const;

  /// Median absolute deviation from the median, scaled so that it estimates the standard deviation of normally
  /// distributed samples. 0 for a single sample. REQUIRES: size() > 0
  double spread() const;

  /// The same samples in another unit.
  SampleWindow dividedBy(double unit) const;

 private:
  std::array<double, kCapacity> samples_{};
  std::uint64_t total_ = 0;  // since the last clear
};

}  // namespace hone::detail
