#include "statistics/samples.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

SampleWindow windowOf(std::initializer_list<double> costs) {
  SampleWindow window;
  for (double cost : costs) window.add(cost);
  return window;
}

TEST(SampleWindow, MedianOfOddNumberIsTheMiddleSample) { EXPECT_EQ(windowOf({5, 1, 9}).median(), 5); }

TEST(SampleWindow, MedianOfEvenNumberIsTheMeanOfTheMiddleTwo) { EXPECT_EQ(windowOf({8, 1, 2, 100}).median(), 5); }

TEST(SampleWindow, SingleSampleIsItsOwnMedianWithoutSpread) {
  EXPECT_EQ(windowOf({7}).median(), 7);
  EXPECT_EQ(windowOf({7}).spread(), 0);
}

TEST(SampleWindow, SpreadIsTheScaledMedianDeviation) {
  // Median 4; deviations 3, 1, 0, 2, 96: their median is 2.
  EXPECT_DOUBLE_EQ(windowOf({1, 3, 4, 6, 100}).spread(), 1.4826 * 2);
}

TEST(SampleWindow, UpperMidmeanIsAMeanAboveTheMedianWithoutTheLargest) {
  EXPECT_EQ(windowOf({7}).upperMidmean(), 7);
  EXPECT_EQ(windowOf({7, 9}).upperMidmean(), 9);
  EXPECT_EQ(windowOf({100, 5, 1}).upperMidmean(), 5);
  EXPECT_EQ(windowOf({1, 2, 5, 100}).upperMidmean(), 5);
  // Half of the third and all of the fourth.
  EXPECT_DOUBLE_EQ(windowOf({1, 2, 3, 6, 100}).upperMidmean(), (0.5 * 3 + 6) / 1.5);
  // Of ten, from 5 to 8.5.
  EXPECT_DOUBLE_EQ(windowOf({9, 8, 7, 6, 5, 4, 3, 2, 1, 0}).upperMidmean(), (5 + 6 + 7 + 0.5 * 8) / 3.5);
}

TEST(SampleWindow, KnowsItsExtremes) {
  EXPECT_EQ(windowOf({5, 1, 9}).smallest(), 1);
  EXPECT_EQ(windowOf({5, 1, 9}).largest(), 9);
  EXPECT_EQ(windowOf({5, 1, 9}).latest(), 9);
}

TEST(SampleWindow, KeepsTheMostRecent) {
  SampleWindow window;
  for (int i = 0; i < 100; ++i) window.add(1);
  for (std::size_t i = 0; i < SampleWindow::kCapacity / 2 + 1; ++i) window.add(3);
  EXPECT_EQ(window.size(), SampleWindow::kCapacity);
  EXPECT_EQ(window.median(), 3);
}

TEST(SampleWindow, MedianOfTheLatest) {
  EXPECT_EQ(windowOf({9, 9, 9, 1, 2, 3}).medianOfLatest(3), 2);
  EXPECT_EQ(windowOf({1, 2, 3}).medianOfLatest(7), 2);
  SampleWindow window;
  for (std::size_t i = 0; i < SampleWindow::kCapacity; ++i) window.add(1);
  for (double sample : {5.0, 6.0, 7.0}) window.add(sample);
  EXPECT_EQ(window.medianOfLatest(3), 6);
}

TEST(SampleWindow, QuantileIsASample) {
  const SampleWindow window = windowOf({50, 10, 40, 20, 30});
  EXPECT_EQ(window.quantile(0), 10);
  EXPECT_EQ(window.quantile(0.5), 30);
  EXPECT_EQ(window.quantile(0.9), 50);  // position 3.6
  EXPECT_EQ(window.quantile(1), 50);
}

TEST(SampleWindow, DividedByAUnit) {
  const SampleWindow window = windowOf({2, 4, 6}).dividedBy(2);
  EXPECT_EQ(window.size(), 3u);
  EXPECT_EQ(window.median(), 2);
  EXPECT_EQ(window.latest(), 3);
}

TEST(SampleWindow, ClearForgetsEverything) {
  SampleWindow window = windowOf({1, 2, 3});
  window.clear();
  EXPECT_EQ(window.size(), 0u);
  window.add(8);
  EXPECT_EQ(window.median(), 8);
}

}  // namespace
}  // namespace hone::detail
