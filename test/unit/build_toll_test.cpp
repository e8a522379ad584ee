#include "session/build_toll.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::detail {
namespace {

TEST(BuildToll, GuessesUntilLaunchesWereSeen) {
  BuildToll toll(500);
  for (int i = 0; i < 4; ++i) toll.add(1.2);
  EXPECT_EQ(toll.slowdown(), 1);
  toll.add(1.2);
  EXPECT_NEAR(toll.slowdown(), 0.2, 1e-12);
  EXPECT_EQ(toll.expected(), 500);
}

TEST(BuildToll, TakesTheSlowdownForLargerThanItSeems) {
  BuildToll toll(0);
  for (double ratio : {1.0, 1.1, 1.2, 1.3, 1.4}) toll.add(ratio);
  // Mean 1.2, mean squared deviation 0.02: a standard error of sqrt(0.02 / 4).
  EXPECT_NEAR(toll.slowdown(), 0.2 + 2 * std::sqrt(0.02 / 4), 1e-12);
}

TEST(BuildToll, NothingIsGainedBesideABuild) {
  BuildToll toll(0);
  for (int i = 0; i < 10; ++i) toll.add(0.9);
  EXPECT_EQ(toll.slowdown(), 0);
}

TEST(BuildToll, NextBuildIsAsDearAsTheDearestLately) {
  BuildToll toll(500);
  const auto build = [&] {
    toll.beginBuild();
    toll.endBuild();
  };
  toll.beginBuild();
  toll.charge(10);
  toll.charge(20);
  toll.endBuild();
  EXPECT_DOUBLE_EQ(toll.expected(), 1.1 * 30);
  toll.beginBuild();
  toll.charge(5);
  toll.endBuild();
  EXPECT_DOUBLE_EQ(toll.expected(), 1.1 * 30);
  for (int i = 0; i < 32; ++i) build();  // so many are remembered
  EXPECT_EQ(toll.expected(), 0);
}

}  // namespace
}  // namespace hone::detail
