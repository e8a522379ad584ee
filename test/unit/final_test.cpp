#include "session/final.h"

#include <gtest/gtest.h>

namespace hone::detail {
namespace {

using Entries = std::vector<Final::EntryIndex>;

/// Launches of which each takes what a function says.
Entries run(Final& final, int launches, const std::function<double(Final::EntryIndex)>& ratio) {
  Entries order;
  for (int i = 0; i < launches; ++i) {
    const auto entry = final.next();
    if (!entry) break;
    final.countLaunch();
    final.add(*entry, ratio(*entry));
    order.push_back(*entry);
  }
  return order;
}

TEST(Final, GoesRound) {
  Final final({4, 7, 0});
  EXPECT_EQ(run(final, 7, [](auto) { return 1; }), (Entries{4, 7, 0, 4, 7, 0, 4}));
  EXPECT_TRUE(final.isEntrant(7));
  EXPECT_FALSE(final.isEntrant(3));
}

TEST(Final, OneAloneWinsAfterFiveLaunches) {
  Final final({0});
  run(final, 4, [](auto) { return 1; });
  EXPECT_FALSE(final.judge(0));
  run(final, 1, [](auto) { return 1; });
  EXPECT_TRUE(final.judge(0));
  EXPECT_EQ(final.ranking(), Entries{0});
}

TEST(Final, ClearlySlowerOnesDropOutAfterFiveRounds) {
  Final final({4, 7, 0});
  const auto ratio = [](Final::EntryIndex entry) { return entry == 0 ? 1.0 : entry == 7 ? 0.90 : 0.9001; };
  run(final, 14, ratio);
  EXPECT_FALSE(final.judge(0.01));
  EXPECT_EQ(final.ranking().size(), 3u);
  run(final, 1, ratio);
  EXPECT_FALSE(final.judge(0.01));  // the default is out, the other two are not apart
  EXPECT_EQ(run(final, 4, ratio), (Entries{4, 7, 4, 7}));
  EXPECT_EQ(final.ranking(), (Entries{7, 4}));
}

TEST(Final, OneOddLaunchKeepsTheSlowerOneInUntilErrorsTell) {
  Final final({4, 7});
  int launches = 0;
  const auto ratio = [&](Final::EntryIndex entry) { return entry == 7 && ++launches != 2 ? 1.0 : 0.9; };
  run(final, 18, ratio);
  EXPECT_FALSE(final.judge(0.01));
  EXPECT_EQ(final.ranking(), (Entries{4, 7}));
  run(final, 2, ratio);
  // Errors are 3 * 2 * 1.2533 * 0.01 * 0.9 / sqrt(10) = 0.021.
  EXPECT_TRUE(final.judge(0.01));
  EXPECT_EQ(final.ranking(), Entries{4});
}

TEST(Final, IncumbentRunsOnAlthoughItIsSlower) {
  Final final({4, 7, 8});
  const auto ratio = [](Final::EntryIndex entry) { return entry == 4 ? 1.0 : entry == 7 ? 0.8 : 0.801; };
  run(final, 15, ratio);
  EXPECT_FALSE(final.judge(0.01));
  EXPECT_EQ(run(final, 3, ratio), (Entries{4, 7, 8}));
  EXPECT_EQ(final.ranking(), (Entries{7, 8}));
}

TEST(Final, EndsWhereTheRestIsNotWorthKnowing) {
  Final final({4, 7});
  run(final, 20, [](Final::EntryIndex entry) { return entry == 4 ? 0.9 : 0.903; });
  EXPECT_TRUE(final.judge(0));  // clear, and two of them: the slower one is out
  Final noisy({4, 7});
  int launches = 0;
  const auto ratio = [&](Final::EntryIndex) { return 1 + 0.0002 * (++launches / 2 % 3); };
  run(noisy, 20, ratio);
  EXPECT_TRUE(noisy.judge(0.0005));  // errors of 3 * 2 * 1.2533 * 0.0005 / sqrt(10) = 0.0012
  EXPECT_EQ(noisy.ranking().size(), 2u);
}

TEST(Final, EndsAfterNinetyLaunches) {
  Final final({4, 7});
  EXPECT_EQ(run(final, 100, [](auto) { return 1; }).size(), 90u);
  EXPECT_EQ(final.next(), std::nullopt);
}

TEST(Final, WhoFailedRunsNoMore) {
  Final final({4, 7, 8});
  run(final, 1, [](auto) { return 1; });
  final.remove(7);
  EXPECT_EQ(run(final, 3, [](auto) { return 1; }), (Entries{4, 8, 4}));
  EXPECT_EQ(final.ranking(), (Entries{4, 8}));
}

TEST(Final, DisturbedLaunchesDoNotDecide) {
  Final final({4, 7});
  int launches = 0;
  run(final, 30, [&](Final::EntryIndex entry) { return ++launches <= 4 ? 5.0 : entry == 4 ? 1.0 : 0.9; });
  EXPECT_TRUE(final.judge(0.001));
  EXPECT_EQ(final.ranking(), Entries{7});
  EXPECT_EQ(final.ratio(4), 1.0);
}

}  // namespace
}  // namespace hone::detail
