#include "statistics/comparison.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

SampleWindow repeated(double value, std::size_t count) {
  SampleWindow window;
  for (std::size_t i = 0; i < count; ++i) window.add(value);
  return window;
}

SampleWindow alternating(double first, double second, std::size_t count) {
  SampleWindow window;
  for (std::size_t i = 0; i < count; ++i) window.add(i % 2 == 0 ? first : second);
  return window;
}

TEST(Comparison, LuckySamplesDoNotWin) {
  EXPECT_EQ(compare(repeated(0.1, 1)), Verdict::undecided);
  EXPECT_EQ(compare(repeated(0.1, 4)), Verdict::undecided);
  EXPECT_EQ(compare(repeated(0.1, 5)), Verdict::better);
}

TEST(Comparison, ClearlySlowerCandidateLosesAtTheMinimumOfPairs) {
  EXPECT_EQ(compare(repeated(1.1, 4)), Verdict::undecided);
  EXPECT_EQ(compare(repeated(1.1, 5)), Verdict::worse);
}

TEST(Comparison, TwoDisturbedLaunchesOfFiveDoNotDecide) {
  SampleWindow ratios = repeated(0.8, 3);
  ratios.add(5);
  ratios.add(5);
  EXPECT_EQ(compare(ratios), Verdict::better);
}

TEST(Comparison, NoiseKeepsAPairUndecided) {
  // Median 0.96, spread 1.4826 * 0.04: twice the error, 2 * 1.2533 * 0.0593 / sqrt(6) = 0.061, hides the gain of 0.04.
  EXPECT_EQ(compare(alternating(0.92, 1.0, 6)), Verdict::undecided);
  EXPECT_EQ(compare(alternating(0.82, 0.9, 6)), Verdict::better);
}

TEST(Comparison, GainBelowTheMinimumIsNoReasonToSwitch) {
  EXPECT_EQ(compare(repeated(0.995, 5)), Verdict::undecided);
  EXPECT_EQ(compare(repeated(0.995, kMaximumPairs)), Verdict::worse);
  EXPECT_EQ(compare(repeated(0.985, 5)), Verdict::better);
}

TEST(Comparison, EndsAtTheMaximumOfPairs) {
  EXPECT_EQ(compare(alternating(0.95, 1.05, kMaximumPairs - 1)), Verdict::undecided);
  EXPECT_EQ(compare(alternating(0.95, 1.05, kMaximumPairs)), Verdict::better);  // 8 of 15 are 0.95
  EXPECT_EQ(compare(alternating(1.05, 0.95, kMaximumPairs)), Verdict::worse);
}

TEST(Comparison, OneLaunchTellsOfAHopelessCandidate) {
  EXPECT_TRUE(isHopeless(repeated(201, 1), repeated(100, 5)));
  EXPECT_FALSE(isHopeless(repeated(199, 1), repeated(100, 5)));
}

TEST(Comparison, DisturbanceThatMeetsTheIncumbentTooIsNotHeldAgainstACandidate) {
  SampleWindow incumbent = repeated(100, 5);
  incumbent.add(300);
  EXPECT_FALSE(isHopeless(repeated(290, 1), incumbent));
  EXPECT_TRUE(isHopeless(repeated(310, 1), incumbent));
}

TEST(Comparison, OneDisturbedLaunchOfTwoDoesNotMakeACandidateHopeless) {
  SampleWindow candidate = repeated(900, 1);
  candidate.add(90);
  EXPECT_FALSE(isHopeless(candidate, repeated(100, 5)));
}

}  // namespace
}  // namespace hone::detail
