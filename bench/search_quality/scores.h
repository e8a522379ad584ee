// How good a search was: scores of best-so-far curves on a space of which every configuration is measured. Numbers in,
// numbers out.
//
//   const TimesOfSpace space(times, rows);
//   const double score = normalisedScore(space, meanBestAfter);
//
// A curve's k-th element (from 0) is the time of the configuration that a search holds to be the best after k + 1
// trials. Times are in any one unit; smaller is better.
#pragma once

#include <cstddef>
#include <vector>

namespace hone::bench {

/// The times of a space's valid configurations, in ascending order, and how many configurations it has in all.
class TimesOfSpace {
 public:
  /// REQUIRES: 0 < validTimes.size() <= rows
  TimesOfSpace(std::vector<double> validTimes, std::size_t rows);

  const std::vector<double>& ascending() const { return ascending_; }
  std::size_t rows() const { return rows_; }  // the failed ones included

  double optimum() const { return ascending_.front(); }
  double worst() const { return ascending_.back(); }
  double median() const;

 private:
  std::vector<double> ascending_;
  std::size_t rows_;
};

/// The q-quantile, linear between the order statistics: of n sorted numbers x_0 .. x_(n-1) it is x at q (n - 1).
/// REQUIRES: numbers is not empty, 0 <= q <= 1
double quantile(std::vector<double> numbers, double q);

/// REQUIRES: numbers is not empty
double mean(const std::vector<double>& numbers);

/// What random search without replacement has found after k trials: S0(k) = ascending[round((N + 1) / (k + 1) - 1)],
/// N rows; a half is rounded to even, and the index is kept within the valid ones. (N + 1) / (k + 1) is the mean rank
/// of the best of k among N, from 1.
double baseline(const TimesOfSpace& space, std::size_t trials);

/// The window of the normalised score: the trials with which the baseline comes within 5 % of (median - optimum) of the
/// optimum.
std::size_t scoringBudget(const TimesOfSpace& space);

/// On spaces with a budget below it, the normalised score is a matter of a few trials, and left out.
inline constexpr std::size_t kMinimumScoringBudget = 20;

/// P0 = mean over k = 1 .. budget of (S0(k) - F(k)) / (S0(k) - optimum), where F is the mean curve of a strategy's
/// searches: 0 for one as good as the baseline, 1 for one that knows the optimum, and below 0 for a worse one.
/// REQUIRES: the curve has a point for each trial of the budget
double normalisedScore(const TimesOfSpace& space, const std::vector<double>& meanBestAfter);

/// The exact expectation of optimum / best for random search without replacement. Before the first valid one, the worst
/// valid time counts. O(rows).
double expectedFractionOfRandom(const TimesOfSpace& space, std::size_t trials);

}  // namespace hone::bench
