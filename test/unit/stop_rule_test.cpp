#include "session/stop_rule.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

TEST(StopRule, FewTrialsSayNothing) { EXPECT_TRUE(isWorthGoingOn({19, 100, 0, 1e9})); }

TEST(StopRule, GainOfTheLaunchesToComeHasToPayForTheTrials) {
  // 25 trials have gained 0.5 of the default's cost: 0.02 each, times 1000 launches, is 20. A trial has cost 16 or 24.
  EXPECT_TRUE(isWorthGoingOn({25, 1000, 0.5, 400}));
  EXPECT_FALSE(isWorthGoingOn({25, 1000, 0.5, 600}));
}

TEST(StopRule, OnePerCentIsHopedForWhereNothingWasFound) {
  EXPECT_TRUE(isWorthGoingOn({25, 1000, 0, 9}));
  EXPECT_FALSE(isWorthGoingOn({25, 1000, 0, 11}));
}

}  // namespace
}  // namespace hone::detail
