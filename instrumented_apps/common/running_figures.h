// Figures over a whole run that need no memory of it, and a median over its latest part.
#pragma once

#include <algorithm>
#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/max.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/sum.hpp>
#include <cstddef>
#include <optional>
#include <vector>

namespace hone::apps {

/// Count, sum, mean and maximum of all numbers added.
class RunningFigures {
 public:
  void add(double number) { accumulators_(number); }

  std::size_t count() const { return boost::accumulators::count(accumulators_); }
  double sum() const { return boost::accumulators::sum(accumulators_); }
  /// Empty without numbers.
  std::optional<double> mean() const {
    if (count() == 0) return std::nullopt;
    return boost::accumulators::mean(accumulators_);
  }
  std::optional<double> max() const {
    if (count() == 0) return std::nullopt;
    return boost::accumulators::max(accumulators_);
  }

 private:
  using Statistics = boost::accumulators::stats<boost::accumulators::tag::count, boost::accumulators::tag::sum,
                                                boost::accumulators::tag::mean, boost::accumulators::tag::max>;
  boost::accumulators::accumulator_set<double, Statistics> accumulators_;
};

/// The exact median of the latest 1023 numbers; with an even count, the mean of the two in the middle.
class RecentMedian {
 public:
  void add(double number) {
    if (numbers_.size() < kKept) {
      numbers_.push_back(number);
    } else {
      numbers_[next_] = number;
    }
    next_ = (next_ + 1) % kKept;
  }

  /// Empty without numbers. Cost: sorts a copy.
  std::optional<double> value() const {
    if (numbers_.empty()) return std::nullopt;
    std::vector<double> sorted = numbers_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

 private:
  static constexpr std::size_t kKept = 1023;

  std::vector<double> numbers_;
  std::size_t next_ = 0;
};

}  // namespace hone::apps
