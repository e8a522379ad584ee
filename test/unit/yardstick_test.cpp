#include "session/yardstick.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

using Seen = Yardstick::Seen;

Yardstick at(double level) {
  Yardstick yardstick;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(yardstick.add(level), Seen::near);
  return yardstick;
}

TEST(Yardstick, LevelIsTheMedianOfTheLatestSeven) {
  Yardstick yardstick;
  for (double sample : {100.0, 100.0, 100.0, 101.0, 102.0, 103.0, 104.0, 105.0}) yardstick.add(sample);
  EXPECT_EQ(yardstick.level(), 102);
}

TEST(Yardstick, FollowsASlowDrift) {
  Yardstick yardstick = at(100);
  for (double sample = 100; sample < 300; sample *= 1.005) EXPECT_EQ(yardstick.add(sample), Seen::near);
  EXPECT_GT(yardstick.level(), 290);
}

TEST(Yardstick, SampleFarAwayDisturbsUntilTwoAreNear) {
  Yardstick yardstick = at(100);
  EXPECT_EQ(yardstick.add(112), Seen::far);
  EXPECT_FALSE(yardstick.isCalm());
  EXPECT_EQ(yardstick.add(101), Seen::near);
  EXPECT_FALSE(yardstick.isCalm());
  EXPECT_EQ(yardstick.add(101), Seen::near);
  EXPECT_TRUE(yardstick.isCalm());
  EXPECT_EQ(yardstick.add(89), Seen::far);
  EXPECT_EQ(yardstick.level(), 100);
}

TEST(Yardstick, NoiseWidensWhatIsNear) {
  // Steps between 95 and 105 are ln(105 / 95) = 0.1001, which is sqrt(2) / 1.4826 spreads: 10.5 %. Six are 63 %.
  Yardstick yardstick;
  for (int i = 0; i < 10; ++i) yardstick.add(i % 2 == 0 ? 95 : 105);
  EXPECT_NEAR(yardstick.noise(), 0.105, 0.001);
  EXPECT_EQ(yardstick.add(170), Seen::near);  // of a level of 95, ln is 0.58
  EXPECT_EQ(yardstick.add(200), Seen::far);   // 0.74
}

TEST(Yardstick, LevelThatChangesIsNoNoise) {
  Yardstick yardstick = at(100);
  for (int i = 0; i < 100; ++i) yardstick.add(300);
  EXPECT_EQ(yardstick.noise(), 0);
}

TEST(Yardstick, FasterForEightSamplesIsTheNewLevel) {
  Yardstick yardstick = at(200);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(yardstick.add(100), Seen::far);
  EXPECT_EQ(yardstick.level(), 200);
  EXPECT_EQ(yardstick.add(100), Seen::newLevel);
  EXPECT_EQ(yardstick.level(), 100);
  EXPECT_TRUE(yardstick.isCalm());
}

TEST(Yardstick, SlowerIsADisturbanceForAThousandSamples) {
  Yardstick yardstick = at(100);
  for (int i = 0; i < 999; ++i) EXPECT_EQ(yardstick.add(i % 10 == 0 ? 100 : 300), i % 10 == 0 ? Seen::near : Seen::far);
  EXPECT_EQ(yardstick.level(), 100);
  EXPECT_FALSE(yardstick.isCalm());
  Yardstick::Seen seen = Seen::far;
  for (int i = 0; i < 110 && seen == Seen::far; ++i) seen = yardstick.add(300);
  EXPECT_EQ(seen, Seen::newLevel);
  EXPECT_EQ(yardstick.level(), 300);
}

TEST(Yardstick, NewDisturbanceIsCountedFromItsBeginning) {
  Yardstick yardstick = at(100);
  for (int i = 0; i < 600; ++i) yardstick.add(300);
  for (int i = 0; i < 2; ++i) yardstick.add(100);
  for (int i = 0; i < 600; ++i) EXPECT_EQ(yardstick.add(300), Seen::far);
}

TEST(Yardstick, CautiousLevelIsTheLowerOne) {
  Yardstick yardstick = at(100);
  yardstick.add(60);
  EXPECT_EQ(yardstick.cautiousLevel(), 60);
  yardstick.add(300);
  EXPECT_EQ(yardstick.cautiousLevel(), 100);
  for (int i = 0; i < 12; ++i) yardstick.add(100);
  for (int i = 0; i < 5; ++i) yardstick.add(104);
  EXPECT_EQ(yardstick.level(), 104);
  EXPECT_EQ(yardstick.cautiousLevel(), 100);  // most samples that are remembered
}

}  // namespace
}  // namespace hone::detail
