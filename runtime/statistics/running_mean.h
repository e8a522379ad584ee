// Mean and standard error of a series that nobody keeps.
#pragma once

#include <boost/accumulators/accumulators.hpp>
#include <boost/accumulators/statistics/count.hpp>
#include <boost/accumulators/statistics/mean.hpp>
#include <boost/accumulators/statistics/stats.hpp>
#include <boost/accumulators/statistics/variance.hpp>
#include <cmath>
#include <cstddef>

namespace hone::detail {

/// Count, mean and the mean's standard error of all numbers added.
class RunningMean {
 public:
  void add(double number) { accumulators_(number); }
  void clear() { accumulators_ = {}; }

  std::size_t count() const { return boost::accumulators::count(accumulators_); }
  /// REQUIRES: count() > 0
  double mean() const { return boost::accumulators::mean(accumulators_); }
  /// sqrt(v / (n - 1)) with v the mean squared deviation from the mean, which is what Boost calls variance; so
  /// the same as s / sqrt(n). Assumes independent numbers. 0 for fewer than two.
  double standardError() const {
    if (count() < 2) return 0;
    return std::sqrt(boost::accumulators::variance(accumulators_) / static_cast<double>(count() - 1));
  }

 private:
  // tag::variance is the immediate one: the lazy one is E[x^2] - mean^2, which loses all digits where the spread is
  // small.
  using Statistics = boost::accumulators::stats<boost::accumulators::tag::count, boost::accumulators::tag::mean,
                                                boost::accumulators::tag::variance>;
  boost::accumulators::accumulator_set<double, Statistics> accumulators_;
};

}  // namespace hone::detail
