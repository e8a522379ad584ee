#include "search/expected_improvement.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::detail {
namespace {

TEST(ExpectedImprovement, IsTheFormula) {
  EXPECT_NEAR(logExpectedImprovement(0, 0, 1), std::log(0.3989422804014327), 1e-15);  // phi(0)
  EXPECT_NEAR(logExpectedImprovement(0, 1, 4), -0.9273690838273744, 1e-14);           // z = -1/2
  EXPECT_NEAR(logExpectedImprovement(1, 0, 0.25), 0.0042363652282830415, 1e-14);      // z = 2
}

TEST(ExpectedImprovement, IsRightBeyondWhereTheFormulaCancels) {  // by arithmetic with 60 digits
  EXPECT_NEAR(logExpectedImprovement(0, 24.9, 1), -317.358485742667, 1e-9);
  EXPECT_NEAR(logExpectedImprovement(0, 25.1, 1), -322.374409872464, 1e-6);
  EXPECT_NEAR(logExpectedImprovement(0, 40, 1), -808.298568356620, 1e-6);
  EXPECT_TRUE(std::isfinite(logExpectedImprovement(0, 1, 1e-24)));
}

TEST(ExpectedImprovement, GrowsWithVarianceAndFallsWithTheMean) {
  double last = -1e300;
  for (double mean = 60; mean > -5; mean -= 0.01) {
    const double promise = logExpectedImprovement(0, mean, 1);
    EXPECT_GT(promise, last - 1e-6);
    last = promise;
  }
  last = -1e300;
  for (double variance = 1e-4; variance < 10; variance *= 1.01) {
    const double promise = logExpectedImprovement(0, 0.5, variance);
    EXPECT_GT(promise, last - 1e-6);
    last = promise;
  }
}

}  // namespace
}  // namespace hone::detail
