#include "session/sandwich.h"

#include <gtest/gtest.h>

#include <vector>

namespace hone::detail {
namespace {

using Seen = Yardstick::Seen;

/// Five launches of the incumbent, which costs half of the default.
Sandwich calm() {
  Sandwich sandwich;
  for (int i = 0; i < 5; ++i) sandwich.addIncumbent(50, 0.5);
  return sandwich;
}

TEST(Sandwich, SampleCountsOnceTheIncumbentCameAfterIt) {
  Sandwich sandwich = calm();
  sandwich.addOther(3, 120, true);
  EXPECT_EQ(sandwich.waiting().size(), 1u);
  EXPECT_EQ(sandwich.addIncumbent(50, 0.5), Seen::near);
  EXPECT_TRUE(sandwich.waiting().empty());
  ASSERT_EQ(sandwich.counted().size(), 1u);
  EXPECT_EQ(sandwich.counted()[0].entry, 3u);
  EXPECT_DOUBLE_EQ(sandwich.counted()[0].value, 1.2);  // of the default's cost, 100
  EXPECT_TRUE(sandwich.counted()[0].isFirst);
  sandwich.addIncumbent(50, 0.5);
  EXPECT_TRUE(sandwich.counted().empty());
}

TEST(Sandwich, DisturbedSamplesAreDroppedButForAFirstLaunchThatIsSlowerStill) {
  Sandwich sandwich = calm();
  sandwich.addOther(3, 900, true);
  sandwich.addOther(4, 900, false);
  EXPECT_EQ(sandwich.addIncumbent(150, 0.5), Seen::far);
  EXPECT_TRUE(sandwich.counted().empty());
  EXPECT_TRUE(sandwich.waiting().empty());
  EXPECT_EQ(sandwich.disturbedFirst(3), 3);  // the device was at 300
  EXPECT_EQ(sandwich.disturbedFirst(4), std::nullopt);
  sandwich.addIncumbent(150, 0.5);
  EXPECT_EQ(sandwich.disturbedFirst(3), std::nullopt);
}

TEST(Sandwich, FewFarSamplesAmongNearOnesAreTheIncumbentsOwn) {
  Sandwich sandwich = calm();
  for (int i = 0; i < 3; ++i) sandwich.addIncumbent(100, 0.5);
  sandwich.addIncumbent(50, 0.5);
  EXPECT_TRUE(sandwich.outliers().empty());  // one near sample is not calm yet
  sandwich.addIncumbent(50, 0.5);
  EXPECT_EQ(sandwich.outliers(), (std::vector<double>{1, 1, 1}));
  for (int i = 0; i < 4; ++i) sandwich.addIncumbent(100, 0.5);
  for (int i = 0; i < 2; ++i) sandwich.addIncumbent(50, 0.5);
  EXPECT_TRUE(sandwich.outliers().empty());  // four are the device's
}

TEST(Sandwich, ThreeWitnessesBlameTheIncumbent) {
  Sandwich sandwich = calm();
  for (int i = 0; i < 7; ++i) sandwich.addIncumbent(80, 0.5);
  EXPECT_TRUE(sandwich.witness(100, 1));
  EXPECT_TRUE(sandwich.witness(101, 1));
  EXPECT_FALSE(sandwich.isIncumbentToBlame());
  EXPECT_FALSE(sandwich.witness(160, 1));  // as slow as the incumbent: it is the device
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(sandwich.witness(100, 1));
  ASSERT_TRUE(sandwich.isIncumbentToBlame());
  EXPECT_DOUBLE_EQ(sandwich.blameIncumbent(), 0.8);
  EXPECT_EQ(sandwich.outliers().size(), 7u);
  EXPECT_TRUE(sandwich.yardstick().isCalm());
}

TEST(Sandwich, AnotherLevelForgetsWhatWaits) {
  Sandwich sandwich = calm();
  for (int i = 0; i < 7; ++i) {
    sandwich.addIncumbent(25, 0.5);
    sandwich.addOther(3, 60, false);
  }
  EXPECT_EQ(sandwich.addIncumbent(25, 0.5), Seen::newLevel);
  EXPECT_TRUE(sandwich.counted().empty());
  EXPECT_DOUBLE_EQ(sandwich.yardstick().level(), 50);
}

TEST(Sandwich, HoldsABoundedNumber) {
  Sandwich sandwich = calm();
  for (int i = 0; i < 100; ++i) sandwich.addOther(3, 100, false);
  EXPECT_EQ(sandwich.waiting().size(), 64u);
}

TEST(Sandwich, TheDefaultAloneIsItsOwnYardstick) {
  Sandwich sandwich = calm();
  EXPECT_EQ(sandwich.addDefaultAlone(100, 1), Seen::near);
  EXPECT_EQ(sandwich.addDefaultAlone(300, 1), Seen::far);
  EXPECT_FALSE(sandwich.yardstick().isCalm());
  EXPECT_EQ(sandwich.yardstick().cautiousLevel(), 100);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(sandwich.addDefaultAlone(101, 1), Seen::near);
  EXPECT_EQ(sandwich.outliers(), std::vector<double>{3});
  // Says nothing of what the incumbent costs.
  for (int i = 0; i < 5; ++i) sandwich.addIncumbent(60, 0.5);
  EXPECT_NEAR(sandwich.blameIncumbent(), 0.6, 1e-9);
}

}  // namespace
}  // namespace hone::detail
