#include "statistics/running_mean.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

TEST(RunningMean, MeanAndItsStandardError) {
  RunningMean mean;
  for (double number : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) mean.add(number);
  EXPECT_EQ(mean.count(), 8u);
  EXPECT_DOUBLE_EQ(mean.mean(), 5);
  EXPECT_DOUBLE_EQ(mean.standardError(), std::sqrt(32.0 / 7 / 8));  // squared deviations sum up to 32
}

TEST(RunningMean, FewNumbersHaveNoError) {
  RunningMean mean;
  EXPECT_EQ(mean.standardError(), 0);
  mean.add(3);
  EXPECT_EQ(mean.mean(), 3);
  EXPECT_EQ(mean.standardError(), 0);
}

TEST(RunningMean, SmallSpreadOfLargeNumbersIsKept) {
  RunningMean mean;
  for (double number : {1e9, 1e9 + 1, 1e9 + 2}) mean.add(number);
  EXPECT_NEAR(mean.standardError(), std::sqrt(2.0 / 2 / 3), 1e-6);
}

TEST(RunningMean, ClearForgetsEverything) {
  RunningMean mean;
  mean.add(3);
  mean.clear();
  EXPECT_EQ(mean.count(), 0u);
  mean.add(5);
  EXPECT_EQ(mean.mean(), 5);
}

}  // namespace
}  // namespace hone::detail
