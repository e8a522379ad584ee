#include "session/race.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

const FirstLaunches kNoneSeen;

Race afterFirst(double ratio) {
  Race race;
  race.countSample();
  race.addFirst(ratio);
  return race;
}

TEST(Race, FirstLaunchIsAlone) {
  Race race;
  EXPECT_EQ(race.launchesAhead(), 1u);
  EXPECT_TRUE(race.countSample());
  race.addFirst(1.2);
  EXPECT_FALSE(race.countSample());
  EXPECT_EQ(race.launchesAhead(), 3u);
}

TEST(Race, AsksForAsManyLaunchesAsTheNextVerdictNeeds) {
  Race race = afterFirst(1);
  for (std::size_t ahead : {3u, 2u, 1u, 2u, 1u, 0u}) {
    EXPECT_EQ(race.launchesAhead(), ahead);
    EXPECT_FALSE(race.isOver() && ahead > 0);
    race.add(1);
  }
  EXPECT_TRUE(race.isOver());
}

TEST(Race, FirstLaunchTellsOnlyOfHopelessCandidates) {
  // A first launch is guessed to take up to twice as long; half as long again as that is too much.
  EXPECT_EQ(afterFirst(2.9).verdict(1, 0, kNoneSeen), Verdict::undecided);
  EXPECT_EQ(afterFirst(3.1).verdict(1, 0, kNoneSeen), Verdict::slower);
  EXPECT_EQ(afterFirst(0.1).verdict(1, 0, kNoneSeen), Verdict::undecided);
  EXPECT_EQ(afterFirst(3.1).verdict(1.1, 0, kNoneSeen), Verdict::undecided);
}

TEST(Race, OverheadsOfFirstLaunchesAreLearned) {
  FirstLaunches seen;
  EXPECT_EQ(seen.worstOverhead(), 2);
  seen.add(6, 1.5);
  EXPECT_EQ(seen.worstOverhead(), 4);
  FirstLaunches harmless;
  for (int i = 0; i < 4; ++i) harmless.add(1.02, 1);
  EXPECT_DOUBLE_EQ(harmless.worstOverhead(), 1.02);
  EXPECT_EQ(afterFirst(1.6).verdict(1, 0, harmless), Verdict::slower);
  EXPECT_EQ(afterFirst(1.5).verdict(1, 0, harmless), Verdict::undecided);
}

TEST(Race, LaterRatiosDecideWhateverTheFirstWas) {
  Race race = afterFirst(9);
  for (int i = 0; i < 3; ++i) race.add(0.45);
  EXPECT_EQ(race.verdict(0.5, 0, kNoneSeen), Verdict::faster);  // 0.9 of the incumbent
  EXPECT_EQ(race.verdict(0.45, 0, kNoneSeen), Verdict::undecided);
  EXPECT_EQ(race.ratio(), 0.45);
}

TEST(Race, CandidateThatStillBecomesFasterIsNotDropped) {
  Race race = afterFirst(2.9);
  race.add(2.0);
  EXPECT_EQ(race.verdict(1, 0, kNoneSeen), Verdict::undecided);
  race.add(1.5);
  EXPECT_EQ(race.verdict(1, 0, kNoneSeen), Verdict::undecided);
  race.add(1.45);  // as far as it gets
  EXPECT_EQ(race.verdict(1, 0, kNoneSeen), Verdict::slower);
  Race warm = afterFirst(2.9);
  for (double ratio : {2.0, 0.9, 0.9, 0.9, 0.9}) warm.add(ratio);
  EXPECT_EQ(warm.verdict(1, 0, kNoneSeen), Verdict::faster);
}

TEST(Race, WorstRatioIsThatOfOrdinaryLaunchesOnceThereAreSome) {
  EXPECT_EQ(Race().worstRatio(), std::nullopt);
  Race race = afterFirst(4);
  EXPECT_EQ(race.worstRatio(), 4);
  race.add(1.1);
  race.add(1.3);
  race.add(1.2);
  EXPECT_EQ(race.worstRatio(), 1.3);
}

TEST(Race, ThirtySamplesThatDoNotCountAreFutile) {
  Race race;
  for (int i = 0; i < 29; ++i) race.countSample();
  EXPECT_FALSE(race.isFutile());
  race.countSample();
  EXPECT_TRUE(race.isFutile());
}

}  // namespace
}  // namespace hone::detail
