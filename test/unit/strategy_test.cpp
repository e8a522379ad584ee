#include "hone/strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "hone/error.h"
#include "search/annealing.h"
#include "search/nelder_mead.h"
#include "search/random.h"
#include "search/random_engine.h"
#include "support/reference_spaces.h"
#include "support/searches.h"

namespace hone {
namespace {

using detail::Annealing;
using detail::NelderMead;
using detail::RandomEngine;
using test::Cost;
using test::diagonal;
using test::grid;
using test::Ranks;
using test::search;

/// A valley with its bottom at (3, 5, 2), whatever the number of parameters; every seventh configuration fails.
std::optional<double> valley(const std::vector<std::int64_t>& configuration) {
  constexpr std::int64_t kBottom[] = {3, 5, 2};
  double cost = 1;
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < configuration.size(); ++p) {
    const auto distance = static_cast<double>(configuration[p] - kBottom[p % 3]);
    cost += 0.125 * distance * distance;
    sum += configuration[p];
  }
  if (sum % 7 == 6) return std::nullopt;
  return cost;
}

double bestOf(const Ranks& order, const SearchSpace& space, const Cost& cost) {
  double best = std::numeric_limits<double>::infinity();
  for (Rank rank : order) best = std::min(best, cost(space.configuration(rank)).value_or(best));
  return best;
}

int differences(const Point& a, const Point& b) {
  int count = 0;
  for (std::size_t p = 0; p < a.size(); ++p) count += a[p] != b[p];
  return count;
}

// ---- Names

TEST(Strategies, AreNamedInAlphabeticalOrder) {
  EXPECT_EQ(strategyNames(),
            (std::vector<std::string>{"annealing", "auto", "exhaustive", "nelder-mead", "random", "swarm"}));
}

TEST(Strategies, RejectsUnknownNameAndListsTheKnown) {
  try {
    makeStrategy("anealing", 1);
    FAIL() << "nothing was thrown";
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "there is no strategy 'anealing'; the strategies are: annealing, auto, exhaustive, nelder-mead, random, swarm");
  }
}

// ---- What every strategy promises

class EveryStrategy : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Strategy> make(std::uint64_t seed = 1) const { return makeStrategy(GetParam(), seed); }
};

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy, ::testing::ValuesIn(strategyNames()), [](const auto& strategy) {
  std::string name = strategy.param;
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
});

TEST_P(EveryStrategy, FindsAllOfASmallSpaceWithoutRepeats) {
  const SearchSpace spaces[] = {
      grid({30}),   grid({6, 7, 3}), grid({2, 2, 2, 2, 2, 2}),
      diagonal(20), grid({1, 9, 1}), grid({8, 8}, [](const auto& p) { return (p[0] * 5 + p[1] * 3) % 7 < 2; })};
  for (const SearchSpace& space : spaces) {
    for (std::size_t ahead : {1, 3, 1000}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        SCOPED_TRACE("size " + std::to_string(space.size()) + ", seed " + std::to_string(seed));
        Ranks order = search(*make(seed), space, valley, 1'000'000, ahead);
        std::sort(order.begin(), order.end());
        ASSERT_EQ(order.size(), space.size());
        EXPECT_EQ(std::adjacent_find(order.begin(), order.end()), order.end());
      }
    }
  }
}

TEST_P(EveryStrategy, FindsAllWhereEveryTrialFails) {
  const SearchSpace space = grid({6, 7, 3});
  EXPECT_EQ(search(*make(), space, [](const auto&) { return std::nullopt; }).size(), space.size());
}

TEST_P(EveryStrategy, FindsAllWhereAllCostTheSame) {
  const SearchSpace space = grid({6, 7, 3});
  EXPECT_EQ(search(*make(), space, [](const auto&) { return 1.0; }).size(), space.size());
}

TEST_P(EveryStrategy, IsConvergedOnceNothingElseWillBeWanted) {
  const SearchSpace space = grid({6, 2});
  const auto strategy = make();
  Evidence evidence;
  while (evidence.trials().size() < space.size()) {
    const std::size_t left = space.size() - evidence.trials().size();
    for (std::size_t atMost : {left - 1, left, left + 1}) {
      const Proposal proposal = strategy->propose(space, evidence, atMost);
      EXPECT_EQ(proposal.isConverged, proposal.candidates.size() == left);
    }
    const Rank next = strategy->propose(space, evidence, 1).candidates.at(0);
    evidence.add({next, valley(space.configuration(next))});
  }
  const Proposal last = strategy->propose(space, evidence, 5);
  EXPECT_TRUE(last.candidates.empty());
  EXPECT_TRUE(last.isConverged);
}

TEST_P(EveryStrategy, KnowsASpaceOfOneConfiguration) {
  const SearchSpace space = grid({1, 1});
  const auto strategy = make();
  Evidence evidence;
  const Proposal first = strategy->propose(space, evidence, 8);
  EXPECT_EQ(first.candidates, Ranks{0});
  EXPECT_TRUE(first.isConverged);
  evidence.add({0, 1.0});
  const Proposal second = strategy->propose(space, evidence, 8);
  EXPECT_TRUE(second.candidates.empty());
  EXPECT_TRUE(second.isConverged);
}

TEST_P(EveryStrategy, ProposesTheSameHoweverOftenItWasAsked) {
  const SearchSpace space = grid({9, 8, 7});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto asked = make(seed);
    Evidence evidence;
    while (evidence.trials().size() < 150) {
      const std::size_t trials = evidence.trials().size();
      SCOPED_TRACE("seed " + std::to_string(seed) + ", trials " + std::to_string(trials));
      for (std::size_t atMost : {std::size_t{3}, std::size_t{1}, trials % 11}) asked->propose(space, evidence, atMost);
      const Ranks wanted = asked->propose(space, evidence, 12).candidates;
      ASSERT_EQ(wanted, make(seed)->propose(space, evidence, 12).candidates) << "asked for the first time";
      const Rank next = wanted.at(trials % wanted.size());  // not always what is wanted most
      evidence.add({next, valley(space.configuration(next))});
    }
  }
}

TEST_P(EveryStrategy, LongerListBeginsWithTheShorter) {
  const SearchSpace space = grid({9, 8, 7});
  const auto strategy = make();
  Evidence evidence;
  while (evidence.trials().size() < 60) {
    const Ranks longest = strategy->propose(space, evidence, 100).candidates;
    ASSERT_FALSE(longest.empty());
    for (std::size_t atMost = 0; atMost <= longest.size(); ++atMost) {
      const Ranks shorter = strategy->propose(space, evidence, atMost).candidates;
      ASSERT_EQ(shorter, Ranks(longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(atMost)));
    }
    EXPECT_EQ(std::set<Rank>(longest.begin(), longest.end()).size(), longest.size());
    evidence.add({longest[0], valley(space.configuration(longest[0]))});
  }
}

TEST_P(EveryStrategy, FollowsItsSeed) {
  const SearchSpace space = grid({9, 8, 7});
  const Ranks order = search(*make(1), space, valley, 40);
  EXPECT_EQ(search(*make(1), space, valley, 40), order);
  EXPECT_NE(search(*make(2), space, valley, 40), order);
}

TEST_P(EveryStrategy, TakesTrialsThatItDidNotAskFor) {
  const SearchSpace space = grid({6, 7, 3});
  const auto strategy = make();
  Evidence evidence;
  for (Rank rank : {100, 3, 17, 64, 125}) evidence.add({rank, valley(space.configuration(rank))});
  while (evidence.trials().size() < space.size()) {
    const Ranks wanted = strategy->propose(space, evidence, 4).candidates;
    ASSERT_FALSE(wanted.empty());
    for (Rank rank : wanted) {
      ASSERT_EQ(evidence.find(rank), nullptr);
      evidence.add({rank, valley(space.configuration(rank))});
    }
  }
}

TEST_P(EveryStrategy, DoesNotCareForTheUnitOfCosts) {
  const SearchSpace space = grid({9, 8, 7});
  for (double scale : {0x1p-20, 0.01, 1e9}) {
    const Cost scaled = [scale](const auto& configuration) {
      const auto cost = valley(configuration);
      return cost ? std::optional(*cost * scale) : cost;
    };
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      EXPECT_EQ(search(*make(seed), space, scaled, 200), search(*make(seed), space, valley, 200));
  }
}

TEST_P(EveryStrategy, SurvivesCostsThatAreNone) {
  const SearchSpace space = grid({6, 7, 3});
  constexpr double kNone[] = {std::numeric_limits<double>::infinity(), 0.0, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max()};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomEngine engine(seed);
    const Cost garbage = [&](const auto& configuration) -> std::optional<double> {
      const std::uint64_t drawn = engine.below(10);
      return drawn < std::size(kNone) ? kNone[drawn] : valley(configuration);
    };
    for (std::size_t ahead : {1, 5})
      EXPECT_EQ(search(*make(seed), space, garbage, 1'000'000, ahead).size(), space.size());
  }
}

TEST(Strategies, BeatRandomSearchOnASmoothValley) {
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations);
  const SearchSpace space(declarations);
  const Cost cost = [&](const auto& configuration) -> std::optional<double> {
    double sum = 1;  // relative positions 0.7 of each range, all parameters alike
    for (std::size_t p = 0; p < configuration.size(); ++p) {
      const auto& values = space.values(p);
      const auto at = std::find(values.begin(), values.end(), configuration[p]) - values.begin();
      const double distance = static_cast<double>(at) / static_cast<double>(values.size() - 1) - 0.7;
      sum += distance * distance;
    }
    return sum;
  };
  std::map<std::string, double> medians;
  for (const std::string& name : strategyNames()) {
    std::vector<double> bests;
    for (std::uint64_t seed = 1; seed <= 41; ++seed)
      bests.push_back(bestOf(search(*makeStrategy(name, seed), space, cost, 60), space, cost));
    std::nth_element(bests.begin(), bests.begin() + 20, bests.end());
    medians[name] = bests[20];
  }
  EXPECT_LT(medians["annealing"], medians["random"]);
  EXPECT_LT(medians["auto"], medians["annealing"]);
  EXPECT_LT(medians["nelder-mead"], medians["random"]);
  EXPECT_LT(medians["swarm"], medians["random"]);
}

// ---- Random

TEST(RandomEngine, IsSplitMix64) {
  RandomEngine engine(1234567);  // https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
  EXPECT_EQ(engine.next(), 6457827717110365317u);
  EXPECT_EQ(engine.next(), 3203168211198807973u);
  EXPECT_EQ(engine.next(), 9817491932198370423u);
  EXPECT_EQ(engine.next(), 4593380528125082431u);
  EXPECT_EQ(engine.next(), 16408922859458223821u);
}

TEST(RandomEngine, DrawsEveryNumberBelowNEquallyOften) {
  RandomEngine engine(1);
  std::vector<int> counts(6);
  for (int i = 0; i < 60'000; ++i) ++counts.at(engine.below(6));
  for (int count : counts) EXPECT_NEAR(count, 10'000, 456);  // 5 sigma of the binomial: 5 sqrt(60000 * 1/6 * 5/6)
}

TEST(RandomEngine, RejectsTheSurplusOfAHugeRange) {
  RandomEngine engine(1);  // of 3 * 2^62 values, a plain remainder would draw the lowest third twice as often
  const std::uint64_t n = std::uint64_t{3} << 62;
  int low = 0;
  for (int i = 0; i < 9000; ++i) low += engine.below(n) < n / 3;
  EXPECT_NEAR(low, 3000, 224);  // 5 sqrt(9000 * 1/3 * 2/3)
}

TEST(RandomEngine, UnitLiesBelowOne) {
  RandomEngine engine(1);
  double sum = 0;
  for (int i = 0; i < 30'000; ++i) {
    const double drawn = engine.unit();
    ASSERT_GE(drawn, 0);
    ASSERT_LT(drawn, 1);
    sum += drawn;
  }
  EXPECT_NEAR(sum / 30'000, 0.5, 0.0084);  // 5 / sqrt(12 * 30000)
}

TEST(RandomEngine, DerivedEnginesDependOnBothNumbers) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (std::uint64_t counter = 0; counter < 50; ++counter) firsts.insert(RandomEngine::derived(seed, counter).next());
  }
  EXPECT_EQ(firsts.size(), 2500u);
  EXPECT_EQ(RandomEngine::derived(3, 4).next(), RandomEngine::derived(3, 4).next());
}

TEST(RandomSearch, EveryPermutationIsEquallyLikely) {
  const SearchSpace space = grid({4});
  std::map<Ranks, int> counts;
  for (std::uint64_t seed = 1; seed <= 24'000; ++seed) {
    detail::RandomSearch random(seed);
    ++counts[random.propose(space, {}, 4).candidates];
  }
  ASSERT_EQ(counts.size(), 24u);
  for (const auto& [permutation, count] : counts) EXPECT_NEAR(count, 1000, 155);  // 5 sqrt(24000 * 1/24 * 23/24)
}

TEST(RandomSearch, LearnsNothing) {
  const SearchSpace space = grid({9, 8, 7});
  detail::RandomSearch one(1), other(1);
  EXPECT_EQ(search(one, space, valley, 100), search(
                                                 other, space, [](const auto&) { return 1.0; }, 100));
}

// ---- Annealing

constexpr double kHot = 1e6, kCold = 1e-6, kForever = 1e9;

TEST(Annealing, StartsAtTheDefault) {
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations);
  const SearchSpace space(declarations);
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    EXPECT_EQ(Annealing(seed).propose(space, {}, 3).candidates.at(0), space.start());
}

TEST(Annealing, TemperatureHalvesEachHalfLife) {
  const Annealing::Schedule schedule{0, 0.4, 10};
  EXPECT_DOUBLE_EQ(schedule.temperature(0), 0.4);
  EXPECT_DOUBLE_EQ(schedule.temperature(10), 0.2);
  EXPECT_DOUBLE_EQ(schedule.temperature(30), 0.05);
}

/// Eight configurations with three neighbours each; 0 is the default, 4 differs in the first parameter. Returns whether
/// the search has moved from 0 to 4, after 0 cost 1 and 4 what is given.
bool movesToWorse(std::uint64_t seed, const Annealing::Schedule& schedule, std::optional<double> cost) {
  const SearchSpace space = grid({2, 2, 2});
  Annealing annealing(seed, schedule);
  Evidence evidence;
  evidence.add({0, 1.0});
  annealing.propose(space, evidence, 1);
  evidence.add({4, cost});
  Ranks next = annealing.propose(space, evidence, 2).candidates;
  std::sort(next.begin(), next.end());
  EXPECT_TRUE(next == (Ranks{5, 6}) || next == (Ranks{1, 2}));  // neighbours of 4, neighbours of 0
  return next == Ranks{5, 6};
}

TEST(Annealing, AcceptsAWorseNeighbourAsOftenAsThePublishedRule) {
  constexpr int kSeeds = 4000;
  for (const auto& [relativeLoss, temperature] : {std::pair{0.1, 0.1}, {0.05, 0.1}, {0.1, 0.5}}) {
    int moves = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
      moves += movesToWorse(seed, {0, temperature, kForever}, 1 + relativeLoss);
    const double expected = std::exp(-relativeLoss / temperature);
    EXPECT_NEAR(moves / double{kSeeds}, expected, 5 * std::sqrt(expected * (1 - expected) / kSeeds));
  }
}

TEST(Annealing, DrawsAnewForEachTrial) {
  const SearchSpace space = grid({2, 2, 2});
  constexpr double kTemperature = 0.1;
  int rejected = 0, thenMoved = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    if (movesToWorse(seed, {0, kTemperature, kForever}, 1.1)) continue;
    ++rejected;
    Annealing annealing(seed, {0, kTemperature, kForever});
    Evidence evidence;
    for (const Trial& trial : {Trial{0, 1.0}, Trial{4, 1.1}, Trial{2, 1.1}}) evidence.add(trial);
    thenMoved += annealing.propose(space, evidence, 1).candidates.at(0) != 1;  // the last neighbour of 0
  }
  const double expected = std::exp(-1.0);
  EXPECT_NEAR(thenMoved / double(rejected), expected, 5 * std::sqrt(expected * (1 - expected) / rejected));
}

/// Whether a neighbour of 0 that costs 1.5 is moved to after `first`, in which 0 costs 1 and the others, which differ
/// from it in two or three parameters, more.
bool movesAfter(std::uint64_t seed, const Annealing::Schedule& schedule, const std::vector<Trial>& first) {
  const SearchSpace space = grid({2, 2, 2});
  Annealing annealing(seed, schedule);
  Evidence evidence;
  for (const Trial& trial : first) evidence.add(trial);
  evidence.add({4, 1.5});
  const Rank next = annealing.propose(space, evidence, 1).candidates.at(0);
  return next == 5;  // the only neighbour of 4 that was not tried; those of 0 are 1 and 2
}

TEST(Annealing, TemperatureIsRelativeToTheSpreadOfTheFirstSamples) {
  // Three samples: their logarithms differ by ln 2, ln 4 and ln 8, of which ln 4 is the middle. A failure is no sample,
  // and what comes after the first three says nothing.
  const std::vector<std::vector<Trial>> firsts{{{0, 1.0}, {7, 2.0}, {6, 8.0}},
                                               {{0, 1.0}, {3, std::nullopt}, {7, 2.0}, {6, 8.0}},
                                               {{0, 1.0}, {7, 2.0}, {6, 8.0}, {3, 1e9}}};
  constexpr int kSeeds = 4000;
  constexpr double kTemperature = 0.5;
  const double expected = std::exp(-0.5 / (kTemperature * std::log(4.0)));
  for (const std::vector<Trial>& first : firsts) {
    int moves = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) moves += movesAfter(seed, {2, kTemperature, kForever}, first);
    EXPECT_NEAR(moves / double{kSeeds}, expected, 5 * std::sqrt(expected * (1 - expected) / kSeeds));
  }
}

TEST(Annealing, WithoutASpreadItOnlyClimbs) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    EXPECT_FALSE(movesAfter(seed, {2, kHot, kForever}, {{0, 1.0}, {7, 1.0}, {6, 1.0}}));
}

TEST(Annealing, NeverAcceptsAFailure) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_TRUE(movesToWorse(seed, {0, kHot, kForever}, 5.0));
    EXPECT_FALSE(movesToWorse(seed, {0, kHot, kForever}, std::nullopt));
  }
}

TEST(Annealing, AlwaysAcceptsABetterOne) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    EXPECT_TRUE(movesToWorse(seed, {0, kCold, kForever}, 0.9));
    EXPECT_TRUE(movesToWorse(seed, {0, kCold, kForever}, 1.0));
    EXPECT_FALSE(movesToWorse(seed, {0, kCold, kForever}, 1.01));
  }
}

TEST(Annealing, WorseOneThatIsNoNeighbourOnlyCountsAsVisited) {
  const SearchSpace space = grid({2, 2, 2});
  for (double cost : {0.9, 1.1}) {
    Annealing annealing(1, {0, kHot, kForever});
    Evidence evidence;
    evidence.add({0, 1.0});
    evidence.add({6, cost});  // differs from 0 in two parameters
    Ranks next = annealing.propose(space, evidence, 3).candidates;
    std::sort(next.begin(), next.end());
    const Ranks neighboursOf0{1, 2, 4}, neighboursOf6{2, 4, 7};
    EXPECT_EQ(next, cost < 1 ? neighboursOf6 : neighboursOf0);
  }
}

TEST(Annealing, ChangesOneParameterThenTwo) {
  const SearchSpace space = grid({4, 5, 6});
  Annealing annealing(1, {0, kCold, kForever});
  Evidence evidence;
  evidence.add({0, 1.0});
  const Point centre = space.point(0);
  for (int trial = 0; trial < 3 + 4 + 5; ++trial) {
    const Rank next = annealing.propose(space, evidence, 1).candidates.at(0);
    EXPECT_EQ(differences(space.point(next), centre), 1);
    evidence.add({next, 2.0});
  }
  for (int trial = 0; trial < 10; ++trial) {
    const Rank next = annealing.propose(space, evidence, 1).candidates.at(0);
    EXPECT_EQ(differences(space.point(next), centre), 2);
    evidence.add({next, 2.0});
  }
}

TEST(Annealing, JumpsWhereNothingIsNear) {
  const SearchSpace space = diagonal(50);
  Annealing annealing(1, {0, kCold, kForever});
  Evidence evidence;
  evidence.add({space.start(), 1.0});
  EXPECT_EQ(annealing.propose(space, evidence, 10).candidates.size(), 10u);
}

TEST(Annealing, KeepsItsOrderWhileTheCurrentOneStays) {
  const SearchSpace space = grid({4, 5, 6});
  Annealing annealing(1, {0, kCold, kForever});
  Evidence evidence;
  evidence.add({0, 1.0});
  const Ranks ahead = annealing.propose(space, evidence, 8).candidates;
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    EXPECT_EQ(annealing.propose(space, evidence, 1).candidates.at(0), ahead[i]);
    evidence.add({ahead[i], 2.0});
  }
}

TEST(Annealing, DrawsAParameterBeforeItsValue) {
  const SearchSpace space = grid({64, 2, 2, 2});
  Evidence evidence;
  evidence.add({0, 1.0});
  int flags = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Rank next = Annealing(seed, {0, kCold, kForever}).propose(space, evidence, 1).candidates.at(0);
    flags += space.point(next)[0] == 0;
  }
  EXPECT_NEAR(flags, 750, 69);  // three of four parameters, 5 sqrt(1000 * 3/4 * 1/4); of all neighbours, 3 of 66
}

TEST(Annealing, ScoutsBeforeItClimbs) {
  const SearchSpace space = grid({9, 8, 7});
  Annealing annealing(1, {5, kCold, kForever});
  Ranks order = search(
      annealing, space, [](const auto&) { return 1.0; }, 6);
  detail::RandomSearch random(1);
  Ranks scouts = random.propose(space, {}, 5).candidates;
  EXPECT_EQ(order.front(), space.start());
  EXPECT_EQ(Ranks(order.begin() + 1, order.end()), scouts);
}

TEST(Annealing, CountsTrialsOfOthersAsScouts) {
  const SearchSpace space = grid({9, 8, 7});
  Annealing annealing(1, {5, kCold, kForever});
  Evidence evidence;
  for (Rank rank : {0, 100, 200, 300, 400}) evidence.add({rank, rank == 300 ? 0.5 : 1.0});
  const Ranks wanted = annealing.propose(space, evidence, 3).candidates;
  EXPECT_EQ(differences(space.point(wanted.at(1)), space.point(300)), 1);
  EXPECT_EQ(differences(space.point(wanted.at(2)), space.point(300)), 1);
}

// ---- Nelder-Mead

/// The first simplex begins at once, at the default.
constexpr NelderMead::Shape kNoScouts{.scouts = 0};

/// Values of the first `count` configurations that it tries on a line from 0 to 10 with default 2, where x costs
/// |x - bottom| + 1.
std::vector<std::int64_t> alongALine(double bottom, std::size_t count) {
  SpaceDeclarations declarations("line");
  declarations.addParameter("x", range(0, 10), 2);
  const SearchSpace space(declarations);
  NelderMead strategy(1, kNoScouts);
  const Cost cost = [bottom](const auto& x) { return std::abs(static_cast<double>(x[0]) - bottom) + 1; };
  std::vector<std::int64_t> tried;
  for (Rank rank : search(strategy, space, cost, count)) tried.push_back(space.configuration(rank)[0]);
  return tried;
}

TEST(NelderMead, FollowsTheRuleOnALine) {
  // Simplex 2 (cost 4), 10 (6). Reflection of 10 at 2: -6, clamped to 0 (6); not better, so inside: 6 (2).
  // Simplex 6, 2: reflection 10 is known (6), inside 4 (2). Simplex 6, 4: reflection 8 (4), inside 5 (1).
  EXPECT_EQ(alongALine(5, 7), (std::vector<std::int64_t>{2, 10, 0, 6, 4, 8, 5}));
}

/// x and y from 0 to 20, default (10, 10): the first simplex has (0, 10) and (10, 0), too, in random order.
class NelderMeadOnAPlane : public ::testing::Test {
 protected:
  NelderMeadOnAPlane() {
    SpaceDeclarations declarations("plane");
    declarations.addParameter("x", range(0, 20), 10);
    declarations.addParameter("y", range(0, 20), 10);
    space_.emplace(declarations);
  }
  void judge(std::uint32_t x, std::uint32_t y, std::optional<double> cost) {
    evidence_.add({space_->rank({x, y}).value(), cost});
  }
  std::vector<Point> wanted(std::size_t atMost = 10) {
    std::vector<Point> points;
    for (Rank rank : strategy_.propose(*space_, evidence_, atMost).candidates) points.push_back(space_->point(rank));
    return points;
  }

  std::optional<SearchSpace> space_;
  Evidence evidence_;
  NelderMead strategy_{1, kNoScouts};
};

using Points = std::vector<Point>;

TEST_F(NelderMeadOnAPlane, BeginsWithTheDefaultAndTheFartherEnds) {
  Points first = wanted();
  EXPECT_EQ(first.at(0), (Point{10, 10}));
  std::sort(first.begin(), first.end());
  EXPECT_EQ(first, (Points{{0, 10}, {10, 0}, {10, 10}}));
}

TEST_F(NelderMeadOnAPlane, OffersAllStepsAtOnce) {
  judge(10, 10, 3);
  judge(0, 10, 4);
  judge(10, 0, 5);
  // Centroid (5, 10), worst (10, 0): reflection (0, 20), expansion (-5, 30) is clamped to the same, inside (7.5, 5),
  // outside (2.5, 15); between two values the lower one counts.
  EXPECT_EQ(wanted(), (Points{{0, 20}, {7, 5}, {2, 15}}));
  judge(0, 20, 2);
  // The best so far, so it stays. Centroid (5, 15), worst (0, 10): reflection (10, 20), expansion (15, 25), inside
  // (2.5, 12.5), outside (7.5, 17.5).
  EXPECT_EQ(wanted(), (Points{{10, 20}, {15, 20}, {2, 12}, {7, 17}}));
}

class NelderMeadStep : public NelderMeadOnAPlane {
 protected:
  NelderMeadStep() {
    judge(10, 10, 3);
    judge(0, 10, 4);
    judge(10, 0, 5);
    judge(0, 20, 2);  // now {(0, 20): 2, (10, 10): 3, (0, 10): 4}, as above
  }
};

TEST_F(NelderMeadStep, ExpandsFromANewBest) {
  judge(10, 20, 1);
  EXPECT_EQ(wanted(), (Points{{15, 20}}));
  judge(15, 20, 0.5);
  // The expansion replaces (0, 10): centroid (7.5, 20), worst (10, 10): reflection (5, 30).
  EXPECT_EQ(wanted(1), (Points{{5, 20}}));
}

TEST_F(NelderMeadStep, KeepsTheReflectionIfTheExpansionIsWorse) {
  judge(10, 20, 1);
  judge(15, 20, 1.5);
  // {(10, 20): 1, (0, 20): 2, (10, 10): 3}: centroid (5, 20), reflection (0, 30) is clamped to the second worst, whose
  // cost is known: outside (2.5, 25).
  EXPECT_EQ(wanted(), (Points{{2, 20}}));
}

TEST_F(NelderMeadStep, ShrinksWhereTheAcceptedStepIsAVertex) {
  judge(10, 20, 2.5);
  // {(0, 20), (10, 20), (10, 10)}: centroid (5, 20), worst (10, 10): reflection is the vertex (0, 20), so it shrinks.
  EXPECT_EQ(wanted(), (Points{{5, 20}, {5, 15}}));
}

TEST_F(NelderMeadStep, ContractsOutsideIfTheReflectionIsOnlyBetterThanTheWorst) {
  judge(10, 20, 3.5);
  EXPECT_EQ(wanted(), (Points{{7, 17}}));
  judge(7, 17, 3.5);  // no worse than the reflection: accepted
  // {(0, 20): 2, (10, 10): 3, (7, 17): 3.5}: centroid (5, 15), reflection (3, 13).
  EXPECT_EQ(wanted(1), (Points{{3, 13}}));
}

TEST_F(NelderMeadStep, ContractsInsideIfTheReflectionIsTheWorst) {
  judge(10, 20, 4);
  EXPECT_EQ(wanted(), (Points{{2, 12}}));
  judge(2, 12, 3.9);
  // {(0, 20): 2, (10, 10): 3, (2, 12): 3.9}: centroid (5, 15), reflection (8, 18).
  EXPECT_EQ(wanted(1), (Points{{8, 18}}));
}

TEST_F(NelderMeadStep, ShrinksTowardsTheBestIfNothingHelps) {
  judge(10, 20, 4);
  judge(2, 12, 4);
  EXPECT_EQ(wanted(), (Points{{5, 15}, {0, 15}}));
}

TEST_F(NelderMeadStep, FailureCostsInfinity) {
  judge(10, 20, std::nullopt);
  EXPECT_EQ(wanted(), (Points{{2, 12}}));
  judge(2, 12, std::nullopt);
  EXPECT_EQ(wanted(), (Points{{5, 15}, {0, 15}}));
}

TEST_F(NelderMeadStep, KnownCostsSpareATrial) {
  judge(15, 20, 0.5);  // the expansion, proposed ahead, was judged first
  EXPECT_EQ(wanted(1), (Points{{10, 20}}));
  judge(10, 20, 1);
  EXPECT_EQ(wanted(1), (Points{{5, 20}}));  // as in ExpandsFromANewBest
}

TEST(NelderMead, MovesGroupsWhereThereAreMoreParametersThanVertices) {
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations);
  const SearchSpace space(declarations);
  const Ranks first = NelderMead(1, kNoScouts).propose(space, {}, 100).candidates;
  EXPECT_EQ(first.size(), 8u);
  EXPECT_EQ(first.at(0), space.start());
}

TEST(NelderMead, BeginsAtTheBestOfTheDefaultAndItsScouts) {
  const SearchSpace space = grid({9, 8, 7});
  NelderMead strategy(1, {.scouts = 5});
  const Ranks scouts = strategy.propose(space, {}, 100).candidates;
  Ranks expected = detail::RandomSearch(1).propose(space, {}, 5).candidates;
  expected.insert(expected.begin(), space.start());
  ASSERT_EQ(scouts, expected);

  Evidence evidence;
  for (Rank rank : scouts) evidence.add({rank, rank == scouts[3] ? 1.0 : 2.0});
  const Ranks vertices = strategy.propose(space, evidence, 100).candidates;
  EXPECT_EQ(vertices.size(), 3u);  // of four; the best is known
  for (Rank rank : vertices) EXPECT_EQ(differences(space.point(rank), space.point(scouts[3])), 1);
}

TEST(NelderMead, CountsTrialsOfOthersAsScouts) {
  const SearchSpace space = grid({9, 8, 7});
  NelderMead strategy(1, {.scouts = 5});
  Evidence evidence;
  for (Rank rank : {100, 200, 300, 400, 450}) evidence.add({rank, rank == 300 ? 0.5 : 1.0});
  EXPECT_EQ(strategy.propose(space, evidence, 100).candidates, Ranks{space.start()});
  evidence.add({space.start(), 1.0});
  for (Rank rank : strategy.propose(space, evidence, 100).candidates)
    EXPECT_EQ(differences(space.point(rank), space.point(300)), 1);
}

TEST(NelderMead, BeginsAgainAroundTheBest) {
  const SearchSpace space = grid({40, 40});
  NelderMead strategy(1);
  const Cost cost = [](const auto& x) {
    return 1 + std::abs(static_cast<double>(x[0]) - 13) + std::abs(static_cast<double>(x[1]) - 22);
  };
  EXPECT_EQ(bestOf(search(strategy, space, cost, 80), space, cost), 1.0);
}

}  // namespace
}  // namespace hone
