#include "statistics/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "search/random_engine.h"

namespace hone::detail {
namespace {

SampleWindow windowOf(std::initializer_list<double> ratios) {
  SampleWindow window;
  for (double ratio : ratios) window.add(ratio);
  return window;
}

SampleWindow repeated(double value, std::size_t count) {
  SampleWindow window;
  for (std::size_t i = 0; i < count; ++i) window.add(value);
  return window;
}

TEST(Comparison, LuckySamplesDoNotWin) {
  EXPECT_EQ(compare(repeated(0.1, 1), 0), Verdict::undecided);
  EXPECT_EQ(compare(repeated(0.1, 2), 0), Verdict::undecided);
  EXPECT_EQ(compare(repeated(0.1, 3), 0), Verdict::faster);
}

TEST(Comparison, TheSlowerTheSoonerDropped) {
  EXPECT_EQ(compare(repeated(1.51, 1), 0), Verdict::slower);
  EXPECT_EQ(compare(repeated(1.49, 1), 0), Verdict::undecided);
  EXPECT_EQ(compare(repeated(1.11, 2), 0), Verdict::slower);
  EXPECT_EQ(compare(repeated(1.09, 2), 0), Verdict::undecided);
  EXPECT_EQ(compare(repeated(1.031, 3), 0), Verdict::slower);
  EXPECT_EQ(compare(repeated(1.029, 3), 0), Verdict::undecided);
  EXPECT_EQ(compare(repeated(1.021, 4), 0), Verdict::slower);
  EXPECT_EQ(compare(repeated(1.019, 4), 0), Verdict::undecided);
}

TEST(Comparison, NoiseWidensTheMargins) {
  // 6, 4 and 3 times a noise of 10 %.
  EXPECT_EQ(compare(repeated(1.59, 1), 0.1), Verdict::undecided);
  EXPECT_EQ(compare(repeated(1.61, 1), 0.1), Verdict::slower);
  EXPECT_EQ(compare(repeated(1.39, 2), 0.1), Verdict::undecided);
  EXPECT_EQ(compare(repeated(1.41, 2), 0.1), Verdict::slower);
  EXPECT_EQ(compare(repeated(0.71, 3), 0.1), Verdict::undecided);
  EXPECT_EQ(compare(repeated(0.69, 3), 0.1), Verdict::faster);
}

TEST(Comparison, OneRatioOnTheOtherSideKeepsAnEarlyVerdictOpen) {
  EXPECT_EQ(compare(windowOf({9, 9, 1, 9}), 0), Verdict::undecided);
  EXPECT_EQ(compare(windowOf({0.5, 0.5, 1, 0.5}), 0), Verdict::undecided);
}

TEST(Comparison, OneDisturbedLaunchOfFiveDoesNotDecide) {
  EXPECT_EQ(compare(windowOf({0.8, 5, 0.8, 0.8, 0.8}), 0), Verdict::faster);
  EXPECT_EQ(compare(windowOf({1.2, 0.1, 1.2, 1.2, 1.2}), 0), Verdict::slower);
}

TEST(Comparison, TwoKindsOfLaunchesDecideNothing) {
  EXPECT_EQ(compare(windowOf({0.8, 1.2, 0.8, 1.2, 0.8}), 0), Verdict::undecided);
  EXPECT_EQ(compare(windowOf({0.8, 5, 0.8, 5, 0.8}), 0), Verdict::undecided);
}

TEST(Comparison, FivePairsTellWhatTheirErrorAllows) {
  // Deviations from the median 0.96 are 0, 0.01, 0.01, 0.02, 0.02: spread 0.0148, twice the error of the median 0.0166.
  // The upper midmean is (0.5 * 0.96 + 0.97) / 1.5 = 0.9667.
  EXPECT_EQ(compare(windowOf({0.94, 0.95, 0.96, 0.97, 0.98}), 0), Verdict::faster);
  EXPECT_EQ(compare(windowOf({0.955, 0.965, 0.975, 0.985, 0.995}), 0), Verdict::undecided);  // 0.9817 + 0.0166 > 0.995
  EXPECT_EQ(compare(windowOf({1.00, 1.01, 1.02, 1.03, 1.04}), 0), Verdict::undecided);       // 1.02 - 0.0166 < 1.005
  EXPECT_EQ(compare(windowOf({1.01, 1.02, 1.03, 1.04, 1.05}), 0), Verdict::slower);
  // The incumbent's noise counts where it is larger: 2 * 1.2533 * 0.04 / sqrt(5) = 0.0448.
  EXPECT_EQ(compare(windowOf({0.94, 0.95, 0.96, 0.97, 0.98}), 0.04), Verdict::undecided);
}

TEST(Comparison, DifferenceThatIsNotWorthKnowingDecidesNothing) {
  EXPECT_EQ(compare(repeated(0.996, 5), 0), Verdict::undecided);
  EXPECT_EQ(compare(repeated(0.994, 5), 0), Verdict::faster);
  EXPECT_EQ(compare(repeated(1.004, 5), 0), Verdict::undecided);
  EXPECT_EQ(compare(repeated(1.006, 5), 0), Verdict::slower);
}

TEST(Comparison, MedianErrorIsThatOfNormalSamples) {
  EXPECT_DOUBLE_EQ(medianError(windowOf({1, 3, 4, 6, 100}), 0), 1.2533 * 1.4826 * 2 / std::sqrt(5.0));
  EXPECT_DOUBLE_EQ(medianError(repeated(7, 4), 0.5), 1.2533 * 0.5 / 2);
}

TEST(Comparison, EqualsAreRarelyTakenForFasterOrSlower) {
  // Normal noise of 1 % on each ratio, races of up to five pairs. The stated error is 5 % on both sides together for
  // the last look; 2.5 % of it on the wrong side, and a little more for the looks before and for a spread of five
  // samples.
  const auto verdictOf = [](std::uint64_t seed) {
    RandomEngine engine(seed);
    SampleWindow ratios;
    while (true) {
      double sum = -6;
      for (int i = 0; i < 12; ++i) sum += engine.unit();
      ratios.add(1 + 0.01 * sum);
      const Verdict verdict = compare(ratios, 0.01);
      if (verdict != Verdict::undecided || ratios.size() == ComparisonThresholds().maximumPairs) return verdict;
    }
  };
  int faster = 0, slower = 0;
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    faster += verdictOf(seed) == Verdict::faster ? 1 : 0;
    slower += verdictOf(seed) == Verdict::slower ? 1 : 0;
  }
  EXPECT_LE(faster, 500);
  EXPECT_LE(slower, 500);
}

}  // namespace
}  // namespace hone::detail
