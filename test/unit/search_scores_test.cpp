#include <gtest/gtest.h>

#include "search_quality/density.h"
#include "search_quality/scores.h"

namespace hone::bench {
namespace {

/// Five valid configurations of nine: optimum 1, median 3, worst 10.
const TimesOfSpace& fiveOfNine() {
  static const TimesOfSpace space({10, 2, 1, 4, 3}, 9);
  return space;
}

TEST(SearchScores, SpaceIsSorted) {
  EXPECT_EQ(fiveOfNine().ascending(), (std::vector<double>{1, 2, 3, 4, 10}));
  EXPECT_EQ(fiveOfNine().optimum(), 1);
  EXPECT_EQ(fiveOfNine().median(), 3);
  EXPECT_EQ(fiveOfNine().worst(), 10);
}

TEST(SearchScores, QuantileIsLinearBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(quantile({40, 10, 30, 20}, 0), 10);
  EXPECT_DOUBLE_EQ(quantile({40, 10, 30, 20}, 0.1), 13);  // at 0.3 of the way from 10 to 20
  EXPECT_DOUBLE_EQ(quantile({40, 10, 30, 20}, 0.5), 25);
  EXPECT_DOUBLE_EQ(quantile({40, 10, 30, 20}, 1), 40);
  EXPECT_DOUBLE_EQ(quantile({7}, 0.9), 7);
}

TEST(SearchScores, BaselineIsTheRowOfTheMeanRank) {
  // 10 / (k + 1) - 1, from 0: 4, 2.33, 1.5, 1, 0.67, 0.43; a half goes to the even neighbour, 2.
  const double expected[] = {10, 3, 3, 2, 2, 1};
  for (std::size_t trials = 1; trials <= 6; ++trials) EXPECT_EQ(baseline(fiveOfNine(), trials), expected[trials - 1]);
  EXPECT_EQ(baseline(fiveOfNine(), 1000), 1);
}

TEST(SearchScores, BaselineStaysWithinTheValidOnes) {
  const TimesOfSpace mostlyFailed({5, 6}, 100);  // 101 / 2 - 1 = 49.5, and there are two
  EXPECT_EQ(baseline(mostlyFailed, 1), 6);
}

TEST(SearchScores, BudgetEndsWhereTheBaselineIsNearTheOptimum) {
  EXPECT_EQ(scoringBudget(fiveOfNine()), 6u);                // 1 + 0.05 (3 - 1) = 1.1
  EXPECT_EQ(scoringBudget(TimesOfSpace({3, 3, 3}, 3)), 1u);  // all alike
  // Goal 1.04 + 0.05 * 0.96; 8 / (k + 1) - 1 is 1.67 for k = 2 and 1 for k = 3: the second best is good enough.
  EXPECT_EQ(scoringBudget(TimesOfSpace({1.04, 1.05, 1.9, 2, 2.5, 3, 4}, 7)), 3u);
}

TEST(SearchScores, NormalisedScoreIsTheMeanGainOverTheBaseline) {
  // Gains over 10, 3, 3, 2, 2, relative to the largest possible ones, 9, 2, 2, 1, 1: 0, 0, 1, 1, 1. The sixth trial's
  // baseline is the optimum, so that nothing could be gained.
  EXPECT_DOUBLE_EQ(normalisedScore(fiveOfNine(), {10, 3, 1, 1, 1, 1}), 0.6);
}

TEST(SearchScores, NormalisedScoreIsBelowZeroForASearchThatIsWorseThanTheBaseline) {
  // Gains 0, (3 - 10) / 2, the same, 0, 0.
  EXPECT_DOUBLE_EQ(normalisedScore(fiveOfNine(), {10, 10, 10, 2, 2, 2}), -7.0 / 5);
}

TEST(SearchScores, NormalisedScoreOfTheBaselineIsZeroAndThatOfTheOptimumOne) {
  std::vector<double> random;
  for (std::size_t trials = 1; trials <= 6; ++trials) random.push_back(baseline(fiveOfNine(), trials));
  EXPECT_DOUBLE_EQ(normalisedScore(fiveOfNine(), random), 0);
  EXPECT_DOUBLE_EQ(normalisedScore(fiveOfNine(), std::vector<double>(6, 1.0)), 1);
}

TEST(SearchScores, ExpectationOfRandomSearchIsExact) {
  const TimesOfSpace space({1, 2, 4}, 4);
  // One draw: 1, 1/2 or 1/4, or the failed one, for which the worst counts.
  EXPECT_DOUBLE_EQ(expectedFractionOfRandom(space, 1), (1 + 0.5 + 0.25 + 0.25) / 4);
  // Two of four, six pairs: three with the best; two with the second but not the best; the third with the failed one.
  EXPECT_DOUBLE_EQ(expectedFractionOfRandom(space, 2), (3 * 1 + 2 * 0.5 + 0.25) / 6);
  EXPECT_DOUBLE_EQ(expectedFractionOfRandom(space, 4), 1);
  EXPECT_DOUBLE_EQ(expectedFractionOfRandom(space, 100), 1);
}

TEST(Density, IsThatOfTheNormalDistributionAroundEachNumber) {
  EXPECT_NEAR(densityAt(0, {0}, 1), 0.398942, 1e-6);  // the table of the normal distribution
  EXPECT_NEAR(densityAt(1, {0, 2}, 1), 0.241971, 1e-6);
  EXPECT_NEAR(densityAt(3, {1}, 2), 0.241971 / 2, 1e-6);
}

TEST(Density, BandwidthFollowsSilverman) {
  // Standard deviation 1.5811; the interquartile range 2 gives 1.48258, the smaller one. 0.9 * 1.48258 * 5^-0.2
  EXPECT_NEAR(bandwidthOf({0, 1, 2, 3, 4}, 0.01), 0.96709, 1e-4);
  EXPECT_EQ(bandwidthOf({5, 5, 5}, 0.01), 0.01);
  EXPECT_EQ(bandwidthOf({5}, 0.01), 0.01);
}

}  // namespace
}  // namespace hone::bench
