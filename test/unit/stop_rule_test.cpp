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

TEST(StopRule, WhereLittleWasFoundMoreIsHopedFor) {
  EXPECT_TRUE(isWorthGoingOn({20, 1000, 0, 199}));  // a fifth
  EXPECT_FALSE(isWorthGoingOn({20, 1000, 0, 201}));
  EXPECT_TRUE(isWorthGoingOn({40, 1000, 0.01, 99}));  // a tenth
  EXPECT_FALSE(isWorthGoingOn({40, 1000, 0.01, 101}));
}

}  // namespace
}  // namespace hone::detail
