#include "statistics/comparison.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

SampleWindow repeated(double cost, std::size_t count) {
  SampleWindow window;
  for (std::size_t i = 0; i < count; ++i) window.add(cost);
  return window;
}

SampleWindow alternating(double low, double high, std::size_t count) {
  SampleWindow window;
  for (std::size_t i = 0; i < count; ++i) window.add(i % 2 == 0 ? low : high);
  return window;
}

TEST(Comparison, RatioIsCandidateOverIncumbent) {
  EXPECT_DOUBLE_EQ(compare(repeated(50, 3), repeated(100, 5)).ratio, 0.5);
}

TEST(Comparison, LuckySamplesDoNotWin) {
  EXPECT_EQ(compare(repeated(10, 1), repeated(100, 5)).verdict, Verdict::undecided);
  EXPECT_EQ(compare(repeated(10, 4), repeated(100, 5)).verdict, Verdict::undecided);
  EXPECT_EQ(compare(repeated(10, 5), repeated(100, 5)).verdict, Verdict::better);
}

TEST(Comparison, HopelessCandidateLosesWithItsFirstSample) {
  EXPECT_EQ(compare(repeated(201, 1), repeated(100, 5)).verdict, Verdict::worse);
  EXPECT_EQ(compare(repeated(199, 1), repeated(100, 5)).verdict, Verdict::undecided);
}

TEST(Comparison, DisturbanceThatMeetsTheIncumbentTooIsNotHeldAgainstACandidate) {
  SampleWindow incumbent = repeated(100, 5);
  incumbent.add(300);
  EXPECT_EQ(compare(repeated(290, 1), incumbent).verdict, Verdict::undecided);
  EXPECT_EQ(compare(repeated(310, 1), incumbent).verdict, Verdict::worse);
}

TEST(Comparison, OneDisturbedSampleOfTwoIsNotHeldAgainstACandidate) {
  SampleWindow candidate = repeated(900, 1);
  candidate.add(90);
  EXPECT_EQ(compare(candidate, repeated(100, 5)).verdict, Verdict::undecided);
}

TEST(Comparison, ClearlySlowerCandidateLosesAtTheMinimumOfSamples) {
  EXPECT_EQ(compare(repeated(110, 4), repeated(100, 5)).verdict, Verdict::undecided);
  EXPECT_EQ(compare(repeated(110, 5), repeated(100, 5)).verdict, Verdict::worse);
}

TEST(Comparison, NoiseKeepsAPairUndecided) {
  // Medians 96 and 100, spread 1.4826 * 4 each: twice the error, 0.086, hides the gain of 0.04.
  EXPECT_EQ(compare(alternating(92, 100, 6), alternating(96, 104, 6)).verdict, Verdict::undecided);
}

TEST(Comparison, GainBelowTheMinimumIsNoReasonToSwitch) {
  EXPECT_EQ(compare(repeated(99.5, kMaximumSamples), repeated(100, 10)).verdict, Verdict::worse);
  EXPECT_EQ(compare(repeated(98.5, kMaximumSamples), repeated(100, 10)).verdict, Verdict::better);
}

TEST(Comparison, EndsAtTheMaximumOfSamples) {
  EXPECT_EQ(compare(alternating(92, 100, kMaximumSamples), alternating(96, 104, 10)).verdict, Verdict::better);
  EXPECT_EQ(compare(alternating(104, 96, kMaximumSamples), alternating(96, 104, 10)).verdict, Verdict::worse);
}

}  // namespace
}  // namespace hone::detail
