#include "session/mean_bounds.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::detail {
namespace {

/// n numbers of which the mean is `mean` and the standard error `error`. REQUIRES: n is even
RunningMean meanOf(std::size_t n, double mean, double error) {
  // n numbers at mean +- d have a mean squared deviation of d^2, so a standard error of d / sqrt(n - 1).
  const double d = error * std::sqrt(static_cast<double>(n - 1));
  RunningMean numbers;
  for (std::size_t i = 0; i < n; ++i) numbers.add(i % 2 == 0 ? mean + d : mean - d);
  return numbers;
}

TEST(MeanBounds, DefaultIsTakenForCheaperThanItSeems) {
  EXPECT_EQ(leastMean(meanOf(4, 2, 0), {}), 1);  // too few
  EXPECT_NEAR(leastMean(meanOf(6, 2, 0.1), {}), 1.7, 1e-12);
}

TEST(MeanBounds, RatioIsTakenForLargerThanItSeems) {
  EXPECT_NEAR(cautiousRatio(meanOf(8, 0.5, 0.01), meanOf(6, 1, 0.1), {}), 0.53 / 0.7, 1e-12);
}

TEST(MeanBounds, FewSamplesSaveNothing) {
  EXPECT_EQ(cautiousRatio(RunningMean(), meanOf(6, 1, 0), {}), 1);
  EXPECT_EQ(cautiousRatio(meanOf(6, 0.5, 0), meanOf(6, 1, 0), {}), 1);
  EXPECT_EQ(cautiousRatio(meanOf(8, 0.5, 0), meanOf(4, 1, 0), {}), 1);
  EXPECT_NEAR(cautiousRatio(meanOf(2, 3, 0.1), RunningMean(), {}), 3.3, 1e-12);  // but they may cost
}

TEST(MeanBounds, AboveIsBeyondDoubt) {
  const RunningMean ofDefault = meanOf(6, 1, 0.1);
  EXPECT_FALSE(isAbove(meanOf(8, 1.59, 0.1), ofDefault, {}));
  EXPECT_TRUE(isAbove(meanOf(8, 1.61, 0.1), ofDefault, {}));
  EXPECT_FALSE(isAbove(meanOf(6, 9, 0), ofDefault, {}));
  EXPECT_FALSE(isAbove(meanOf(8, 9, 0), meanOf(4, 1, 0), {}));
}

}  // namespace
}  // namespace hone::detail
