#include "search/swarm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "search/random.h"
#include "support/searches.h"

namespace hone {
namespace {

using detail::Swarm;
using test::diagonal;
using test::grid;
using test::Ranks;
using test::search;

constexpr Swarm::Rule kBestOrOwn{2, 0, 0.5, 0.5};
constexpr Swarm::Rule kBestOrNow{2, 0, 0, 0.5};
constexpr Swarm::Rule kOwnOrNow{2, 0, 0.5, 0};

/// The next trial of a particle that is at `now` and has been at `own`, while another one, which is lost, has been at
/// `best`. Without random values: a particle that has none to mix but those of its best is lost, and so takes up the
/// trial after.
Point moved(const SearchSpace& space, std::uint64_t seed, const Swarm::Rule& rule, const Point& now, const Point& own,
            const Point& best, std::optional<double> costNow = 3.0) {
  Swarm swarm(seed, rule);
  Evidence evidence;
  evidence.add({space.rank(own).value(), 2.0});
  evidence.add({space.rank(best).value(), 1.0});
  evidence.add({space.rank(now).value(), costNow});
  const Ranks wanted = swarm.propose(space, evidence, 10).candidates;
  return space.point(wanted.at(wanted.size() - 1));
}

/// As above, in three parameters, where the three have no value in common. Counts the moves by their values.
std::map<Point, int> movesBetween(const Swarm::Rule& rule, int seeds, std::optional<double> costNow = 3.0) {
  const SearchSpace space = grid({4, 4, 4});
  std::map<Point, int> counts;
  for (int seed = 1; seed <= seeds; ++seed)
    ++counts[moved(space, static_cast<std::uint64_t>(seed), rule, {3, 3, 3}, {1, 1, 1}, {2, 2, 2}, costNow)];
  return counts;
}

/// All mixtures of a and b, but for the two themselves, each about 1000 times of 6000.
void expectMixtures(const std::map<Point, int>& counts, std::uint32_t a, std::uint32_t b) {
  EXPECT_EQ(counts.size(), 6u);
  for (const Point& mixture : {Point{a, a, b}, {a, b, a}, {a, b, b}, {b, a, a}, {b, a, b}, {b, b, a}}) {
    ASSERT_TRUE(counts.count(mixture)) << mixture[0] << mixture[1] << mixture[2];
    EXPECT_NEAR(counts.at(mixture), 1000, 144);  // 5 sqrt(6000 * 1/6 * 5/6)
  }
}

TEST(Swarm, TakesEachValueFromTheBestOrItsOwnBest) { expectMixtures(movesBetween(kBestOrOwn, 6000), 1, 2); }

TEST(Swarm, TakesEachValueFromTheBestOrStays) { expectMixtures(movesBetween(kBestOrNow, 6000), 2, 3); }

TEST(Swarm, TakesEachValueFromItsOwnBestOrStays) { expectMixtures(movesBetween(kOwnOrNow, 6000), 1, 3); }

TEST(Swarm, TheFourChoicesExcludeEachOther) {
  // Per value, in eighths: best 4, own best 2, random 1, now 1. The particle was at (a, a) and is at (x, a); somebody
  // else was at (b, b). Of 64 pairs of values, what was judged is drawn again: 4 * 4 for (b, b), 2 * 3 for (a, a), 1 *
  // 3 for (x, a). Of the 39 left, the first value is b in 32 - 16, a in 16 - 6, x in 8 - 3, another in 8.
  const SearchSpace space = grid({1000, 1000});
  const Rank own = space.rank({1, 1}).value(), best = space.rank({2, 2}).value();
  int moves = 0, toBest = 0, toOwn = 0, stays = 0;
  for (std::uint64_t seed = 1; seed < 10'000 && moves < 3900; ++seed) {
    Swarm swarm(seed, {1, 0.125, 0.25, 0.5});
    Evidence evidence;
    evidence.add({own, 2.0});
    const Rank now = swarm.propose(space, evidence, 1).candidates.at(0);
    const Point x = space.point(now);
    if (x[0] == 1 || x[1] != 1 || x[0] == 2) continue;
    ++moves;
    evidence.add({best, 1.0});
    evidence.add({now, 3.0});
    const std::uint32_t next = space.point(swarm.propose(space, evidence, 1).candidates.at(0))[0];
    toBest += next == 2;
    toOwn += next == 1;
    stays += next == x[0];
  }
  ASSERT_EQ(moves, 3900);
  EXPECT_NEAR(toBest, 1600, 153);  // 5 sqrt(3900 * 16/39 * 23/39), and so on
  EXPECT_NEAR(toOwn, 1000, 136);
  EXPECT_NEAR(stays, 500, 104);
  EXPECT_NEAR(moves - toBest - toOwn - stays, 800, 126);
}

TEST(Swarm, DrawsRandomValuesEvenly) {
  const SearchSpace space = grid({8});
  Evidence evidence;
  evidence.add({3, 1.0});
  std::map<Rank, int> counts;
  for (std::uint64_t seed = 1; seed <= 7000; ++seed)
    ++counts[Swarm(seed, {1, 1, 0, 0}).propose(space, evidence, 1).candidates.at(0)];
  EXPECT_EQ(counts.size(), 7u);
  for (Rank rank : {0, 1, 2, 4, 5, 6, 7}) EXPECT_NEAR(counts[rank], 1000, 146);  // 5 sqrt(7000 * 1/7 * 6/7)
}

TEST(Swarm, ItsOwnBestIsTheCheapestOfItsTrials) {
  const SearchSpace space = grid({4, 4, 4});
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Swarm swarm(seed, {1, 0, 0.5, 0});  // the only particle: without anything to mix it takes up every trial
    Evidence evidence;
    evidence.add({space.rank({1, 1, 1}).value(), 3.0});
    evidence.add({space.rank({2, 2, 2}).value(), 2.0});
    evidence.add({space.rank({3, 3, 3}).value(), 4.0});
    for (std::uint32_t value : space.point(swarm.propose(space, evidence, 1).candidates.at(0)))
      EXPECT_TRUE(value == 2 || value == 3) << value;
  }
}

TEST(Swarm, GoesBackFromAFailureToItsOwnBest) {
  expectMixtures(movesBetween(kBestOrNow, 6000, std::nullopt), 1, 2);  // and never to a 3
}

TEST(Swarm, FailuresAttractNobody) {
  const SearchSpace space = grid({6, 7, 3});
  Swarm swarm(5);
  const Ranks order = search(swarm, space, [](const auto&) { return std::nullopt; });
  Ranks expected = detail::RandomSearch(5).propose(space, {}, 126).candidates;
  expected.erase(std::find(expected.begin(), expected.end(), space.start()));
  expected.insert(expected.begin(), space.start());
  EXPECT_EQ(order, expected);
}

TEST(Swarm, AFailureToBeginWithIsLeftForAnotherPlace) {
  const SearchSpace space = grid({9, 8, 7});
  Swarm swarm(1, {2, 0.5, 0, 0.5});
  Evidence evidence;
  evidence.add({100, 1.0});
  const Rank next = swarm.propose(space, evidence, 10).candidates.at(1);
  evidence.add({50, std::nullopt});
  EXPECT_EQ(swarm.propose(space, evidence, 10).candidates, (Ranks{space.start(), next}));
}

TEST(Swarm, NoTwoParticlesWaitForTheSame) {
  const SearchSpace space = grid({4});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Swarm swarm(seed, {2, 1, 0, 0});
    Evidence evidence;
    evidence.add({0, 1.0});
    const Rank first = swarm.propose(space, evidence, 2).candidates.back();
    const Rank judged = first == 1 ? 2 : 1;
    evidence.add({judged, 1.0});
    EXPECT_EQ(swarm.propose(space, evidence, 2).candidates, (Ranks{first, 6 - first - judged})) << "seed " << seed;
  }
}

TEST(Swarm, MovesToTheNearestWhereNoMixtureIsValid) {
  // Of the values 10, 10, 40 the sum of squares 2 (x - 10)^2 + (x - 40)^2 is least at x = 20; of 10, 40, 40 at 30. That
  // all four attempts are three equal values happens in 1 of 256, and then it goes anywhere.
  const SearchSpace space = diagonal(50);
  std::map<std::uint32_t, int> counts;
  for (std::uint64_t seed = 1; seed <= 200; ++seed)
    ++counts[moved(space, seed, kBestOrOwn, {0, 0, 0}, {10, 10, 10}, {40, 40, 40})[0]];
  EXPECT_GE(counts[20] + counts[30], 195);
  EXPECT_NEAR(counts[20], 100, 36);  // 5 sqrt(200 * 1/2 * 1/2)
}

TEST(Swarm, ReachesAllWherePairsOfParametersMustBeEqual) {
  const SearchSpace space =
      grid({6, 6, 5, 5}, [](const auto& p) { return p[0] == p[1] && p[2] == p[3]; });  // 30, and no two are neighbours
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Swarm swarm(seed);
    const Ranks order = search(swarm, space, [](const auto& x) { return 1.0 + static_cast<double>(x[0] + x[2]); });
    EXPECT_EQ(order.size(), 30u);
  }
}

TEST(Swarm, ParticlesBeginAtTheDefaultAndAtRandomPlaces) {
  SpaceDeclarations declarations("plane");
  declarations.addParameter("x", range(0, 29), 11);
  declarations.addParameter("y", range(0, 29), 7);
  const SearchSpace space(declarations);
  Ranks expected = detail::RandomSearch(3).propose(space, {}, 4).candidates;
  expected.insert(expected.begin(), space.start());
  EXPECT_EQ(Swarm(3, {5, 0.2, 0.2, 0.6}).propose(space, {}, 100).candidates, expected);
}

TEST(Swarm, TrialsOfOthersServeAsPlacesToBegin) {
  const SearchSpace space = grid({9, 8, 7});
  Swarm swarm(1, {3, 0, 0, 0.5});
  Evidence evidence;
  evidence.add({space.rank({1, 1, 1}).value(), 1.0});  // the best: it has nothing to mix and is lost again
  evidence.add({space.rank({2, 2, 2}).value(), 2.0});
  evidence.add({space.rank({3, 3, 3}).value(), 3.0});
  const Ranks wanted = swarm.propose(space, evidence, 10).candidates;
  ASSERT_EQ(wanted.size(), 3u);
  EXPECT_EQ(wanted[0], space.start());
  for (std::size_t particle : {1, 2}) {
    for (std::uint32_t value : space.point(wanted[particle])) EXPECT_TRUE(value == 1 || value == particle + 1);
  }
}

TEST(Swarm, AParticleMovesWithoutWaitingForTheOthers) {
  const SearchSpace space = grid({9, 8, 7});
  Swarm swarm(1, {4, 0.5, 0.2, 0.3});
  Evidence evidence;
  for (Rank rank : {0, 100, 200, 300}) evidence.add({rank, 1.0 + static_cast<double>(rank)});
  Ranks expected = swarm.propose(space, evidence, 10).candidates;
  ASSERT_EQ(expected.size(), 4u);
  for (std::size_t judged : {2, 0, 3, 1, 1}) {
    evidence.add({expected[judged], 500.0});
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(judged));
    const Ranks wanted = swarm.propose(space, evidence, 10).candidates;
    ASSERT_EQ(wanted.size(), 4u);
    EXPECT_EQ(Ranks(wanted.begin(), wanted.end() - 1), expected);  // the others keep their turn, its next comes last
    expected = wanted;
  }
}

TEST(Swarm, TrialThatNobodyAskedForAttracts) {
  const SearchSpace space = grid({9, 9, 9});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Swarm swarm(seed, {1, 0.25, 0, 0.75});
    Evidence evidence;
    evidence.add({0, 2.0});
    const Rank next = swarm.propose(space, evidence, 1).candidates.at(0);
    const Rank other = space.rank({7, 7, 7}).value();
    if (next == other) continue;
    evidence.add({other, 1.0});
    EXPECT_EQ(swarm.propose(space, evidence, 10).candidates, Ranks{next});  // where it goes was decided before
    evidence.add({next, 3.0});
    const Point after = space.point(swarm.propose(space, evidence, 1).candidates.at(0));
    EXPECT_GE(std::count(after.begin(), after.end(), 7u), 1) << "seed " << seed;
  }
}

}  // namespace
}  // namespace hone
