#include "search/exhaustive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "support/searches.h"

namespace hone {
namespace {

using detail::Exhaustive;
using test::grid;
using test::Ranks;
using test::search;

/// The whole order, whatever the costs.
Ranks orderOf(const SearchSpace& space, std::uint64_t seed = 1) {
  Exhaustive strategy(seed);
  return search(strategy, space, [](const auto&) { return 1.0; });
}

/// The distinct steps from one trial's rank to the next one's, modulo the size.
std::set<Rank> stepsOf(const SearchSpace& space, std::uint64_t seed = 1) {
  const Ranks order = orderOf(space, seed);
  std::set<Rank> steps;
  for (std::size_t i = 1; i < order.size(); ++i) steps.insert((order[i] + space.size() - order[i - 1]) % space.size());
  return steps;
}

TEST(Exhaustive, TriesEveryConfigurationOnce) {
  for (std::int64_t size = 1; size <= 240; ++size) {  // primes, powers, and what many numbers divide
    Ranks order = orderOf(grid({size}), static_cast<std::uint64_t>(size));
    std::sort(order.begin(), order.end());
    Ranks all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), Rank{0});
    EXPECT_EQ(order, all);
  }
}

TEST(Exhaustive, StepsByTheGoldenRatioToACoprimeNumber) {
  EXPECT_EQ(stepsOf(grid({2})), std::set<Rank>{1});
  EXPECT_EQ(stepsOf(grid({3})), std::set<Rank>{2});      // 1.85
  EXPECT_EQ(stepsOf(grid({10})), std::set<Rank>{7});     // 6.18; 6 shares the 2
  EXPECT_EQ(stepsOf(grid({13})), std::set<Rank>{8});     // 8.03; Fibonacci's neighbours
  EXPECT_EQ(stepsOf(grid({101})), std::set<Rank>{62});   // 62.4
  EXPECT_EQ(stepsOf(grid({30})), std::set<Rank>{19});    // 18.5
  EXPECT_EQ(stepsOf(grid({210})), std::set<Rank>{131});  // 129.8; 130 shares 2 and 5
}

TEST(Exhaustive, SeedChoosesOnlyWhereTheOrderBegins) {
  const SearchSpace space = grid({10});
  std::set<Rank> begins;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    EXPECT_EQ(stepsOf(space, seed), std::set<Rank>{7});
    begins.insert(orderOf(space, seed).front());
  }
  EXPECT_EQ(begins.size(), 10u);
}

/// How many values of a parameter come up in `count` trials in a row.
std::size_t valuesIn(const SearchSpace& space, const Ranks& order, std::size_t first, std::size_t count,
                     std::size_t parameter) {
  std::set<std::uint32_t> values;
  for (std::size_t i = first; i < first + count; ++i) values.insert(space.point(order[i])[parameter]);
  return values.size();
}

TEST(Exhaustive, IsSpreadOutFromTheStart) {
  // 504 configurations, stride 311. Multiples of the golden ratio, taken modulo 1, lie at most 1/phi^5 = 0.0902 apart
  // once there are 13 of them, and 13 * |311/504 - 1/phi| = 0.0126 is what the whole number costs: 0.103 < 1/8. So 13
  // trials in a row have all 8 values of the first parameter; in random order, 6.6 on average, in order of rank, 1.
  // 311 and 7 have no common factor: 7 in a row have all 7 values of the last one.
  const SearchSpace space = grid({8, 9, 7});
  const Ranks order = orderOf(space);
  ASSERT_EQ(order.size(), 504u);
  for (std::size_t first = 0; first + 13 <= order.size(); ++first) {
    EXPECT_EQ(valuesIn(space, order, first, 13, 0), 8u) << "from trial " << first;
    EXPECT_EQ(valuesIn(space, order, first, 7, 2), 7u) << "from trial " << first;
  }
}

TEST(Exhaustive, LeavesOutWhatWasJudged) {
  const SearchSpace space = grid({6, 7, 3});
  Exhaustive whole(1), rest(1);
  Ranks expected = whole.propose(space, {}, 126).candidates;
  Evidence evidence;
  for (std::size_t i : {0, 1, 5, 40, 125}) evidence.add({expected[i], 1.0});
  for (std::size_t i : {125, 40, 5, 1, 0}) expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(i));
  while (!expected.empty()) {
    ASSERT_EQ(rest.propose(space, evidence, 1).candidates, Ranks{expected.front()});
    evidence.add({expected.front(), std::nullopt});
    expected.erase(expected.begin());
  }
  EXPECT_TRUE(rest.propose(space, evidence, 1).isConverged);
}

TEST(Exhaustive, KeepsItsStepWhereProductsOfRanksExceed64Bits) {
  const SearchSpace space = grid({1 << 20, 1 << 20, (1 << 20) - 1});  // no power of two: 2^64 would be a multiple of it
  const Ranks order = Exhaustive(1).propose(space, {}, 100).candidates;
  ASSERT_EQ(order.size(), 100u);
  std::set<Rank> steps;
  for (std::size_t i = 1; i < order.size(); ++i) steps.insert((order[i] + space.size() - order[i - 1]) % space.size());
  EXPECT_EQ(steps.size(), 1u);
  EXPECT_NEAR(static_cast<double>(*steps.begin()) / static_cast<double>(space.size()), 0.6180339887498949, 1e-12);
}

TEST(Exhaustive, IsNeverOutOfPatience) { EXPECT_EQ(Exhaustive(1).patience(), std::numeric_limits<std::size_t>::max()); }

}  // namespace
}  // namespace hone
