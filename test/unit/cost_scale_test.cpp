#include "search/cost_scale.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hone::detail {
namespace {

using Costs = std::vector<std::optional<double>>;
constexpr double kRounding = 0x1p-32;

TEST(CostScale, IsTheLogarithmUpToTheThirdQuartile) {
  const CostScale scale(Costs{4.0, 1.0, 2.0, 8.0, 16.0});
  EXPECT_EQ(scale.value(1.0), 0);
  EXPECT_NEAR(scale.value(2.0), std::log(2), kRounding);
  EXPECT_NEAR(scale.value(8.0), std::log(8), kRounding);
  EXPECT_NEAR(scale.value(16.0), std::log(8) * (1 + 0.5 * std::log1p(1.0 / 3)), kRounding);  // log 2 beyond log 8
  EXPECT_NEAR(scale.value(0.5), -std::log(2), kRounding);  // cheaper than what made the scale
}

TEST(CostScale, FailuresAreAsBadAsTheWorst) {
  const CostScale scale(Costs{4.0, std::nullopt, 2.0});
  EXPECT_EQ(scale.value(std::nullopt), scale.value(4.0));
  EXPECT_GT(scale.value(std::nullopt), 0);
}

TEST(CostScale, BrokenMeasurementsAreFailures) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const CostScale scale(Costs{4.0, kInfinity, 2.0, std::nan(""), 0.0, -3.0});
  for (double broken : {kInfinity, std::nan(""), 0.0, -3.0, -kInfinity}) {
    EXPECT_FALSE(isUsable(broken));
    EXPECT_EQ(scale.value(broken), scale.value(4.0));
  }
  EXPECT_EQ(scale.value(2.0), 0);
}

TEST(CostScale, IsTheSameInEveryUnit) {
  const Costs costs{0.7, 1.3, 2.9, std::nullopt, 117.0, 3.1};
  const CostScale scale(costs);
  for (double unit : {1e-9, 0.3, 1e7}) {
    Costs scaled;
    for (const auto& cost : costs) scaled.push_back(cost ? std::optional(*cost * unit) : cost);
    const CostScale other(scaled);
    for (std::size_t i = 0; i < costs.size(); ++i) EXPECT_EQ(scale.value(costs[i]), other.value(scaled[i]));
    EXPECT_EQ(scale.spread(), other.spread());
  }
}

TEST(CostScale, SpreadIsTheStandardDeviationOfTheValues) {
  EXPECT_NEAR(CostScale(Costs{1.0, 4.0, 1.0, 4.0}).spread(), std::log(2), 1e-8);
}

TEST(CostScale, SurvivesWhatTellsNothing) {
  for (const Costs& costs : {Costs{}, Costs{std::nullopt}, Costs{5.0, 5.0, 5.0}}) {
    const CostScale scale(costs);
    EXPECT_EQ(scale.value(std::nullopt), 0);
    EXPECT_EQ(scale.spread(), 1);
  }
  const CostScale extreme(Costs{1e-300, 1e300, 1.0});
  EXPECT_TRUE(std::isfinite(extreme.value(1e300)));
}

}  // namespace
}  // namespace hone::detail
