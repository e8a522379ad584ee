#include <gtest/gtest.h>

#include "hone/strategy.h"

namespace hone {
namespace {

TEST(Evidence, IsEmptyAtFirst) {
  const Evidence evidence;
  EXPECT_TRUE(evidence.trials().empty());
  EXPECT_EQ(evidence.best(), nullptr);
  EXPECT_EQ(evidence.find(0), nullptr);
}

TEST(Evidence, KeepsTheOrderOfJudging) {
  Evidence evidence;
  for (Rank rank : {7, 3, 5}) evidence.add({rank, 1.0});
  ASSERT_EQ(evidence.trials().size(), 3u);
  EXPECT_EQ(evidence.trials()[0].rank, 7u);
  EXPECT_EQ(evidence.trials()[2].rank, 5u);
}

TEST(Evidence, FindsATrialByItsRank) {
  Evidence evidence;
  evidence.add({7, 1.5});
  evidence.add({3, std::nullopt});
  ASSERT_NE(evidence.find(7), nullptr);
  EXPECT_EQ(evidence.find(7)->relativeCost, 1.5);
  ASSERT_NE(evidence.find(3), nullptr);
  EXPECT_FALSE(evidence.find(3)->relativeCost);
  EXPECT_EQ(evidence.find(0), nullptr);
}

TEST(Evidence, BestIsTheCheapest) {
  Evidence evidence;
  evidence.add({7, 1.0});
  evidence.add({3, 0.5});
  evidence.add({4, 0.7});
  EXPECT_EQ(evidence.best()->rank, 3u);
}

TEST(Evidence, BestOfEqualsIsTheEarliest) {
  Evidence evidence;
  evidence.add({7, 1.0});
  evidence.add({3, 0.5});
  evidence.add({2, 0.5});
  EXPECT_EQ(evidence.best()->rank, 3u);
}

TEST(Evidence, FailuresAreNeverTheBest) {
  Evidence evidence;
  evidence.add({7, std::nullopt});
  EXPECT_EQ(evidence.best(), nullptr);
  evidence.add({3, 9.0});
  evidence.add({2, std::nullopt});
  EXPECT_EQ(evidence.best()->rank, 3u);
}

TEST(Evidence, RevisedTrialsKeepTheirPlace) {
  Evidence evidence;
  for (Rank rank : {7, 3, 5}) evidence.add({rank, static_cast<double>(rank)});
  evidence.revise({3, 4.0, 2});
  EXPECT_EQ(evidence.trials().size(), 3u);
  EXPECT_EQ(evidence.trials()[1].rank, 3u);
  EXPECT_EQ(evidence.find(3)->relativeCost, 4.0);
  EXPECT_EQ(evidence.find(3)->measurements, 2u);
  EXPECT_EQ(evidence.find(5)->measurements, 1u);
  EXPECT_EQ(evidence.revisions(), 1u);
}

TEST(Evidence, BestIsTheCheapestAfterRevising) {
  Evidence evidence;
  evidence.add({7, 1.0});
  evidence.add({3, 0.5});
  evidence.add({4, 0.7});
  evidence.add({9, std::nullopt});
  evidence.revise({3, 0.8, 2});  // it had only been lucky
  EXPECT_EQ(evidence.best()->rank, 4u);
  evidence.revise({7, 0.7, 2});
  EXPECT_EQ(evidence.best()->rank, 7u);  // the earliest of equals
  for (Rank rank : {7, 3, 4}) evidence.revise({rank, std::nullopt, 2});
  EXPECT_EQ(evidence.best(), nullptr);
}

TEST(Evidence, CopiesAreIndependent) {
  Evidence evidence;
  evidence.add({7, 1.0});
  const Evidence copy = evidence;
  evidence.add({3, 0.5});
  EXPECT_EQ(copy.best()->rank, 7u);
  EXPECT_EQ(copy.find(3), nullptr);
}

}  // namespace
}  // namespace hone
