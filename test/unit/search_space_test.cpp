#include "hone/search_space.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include "conv2d/space.h"
#include "hone/strategy.h"
#include "search/random_engine.h"
#include "support/misuse.h"
#include "support/reference_spaces.h"

namespace hone {
namespace {

using test::messageOf;
using Values = std::vector<std::int64_t>;

constexpr std::int64_t kNoLimit = std::int64_t{1} << 40;

SearchSpace convolution(std::int64_t halfSize, std::int64_t maxWorkGroup, std::int64_t localBytes) {
  SpaceDeclarations declarations("conv2d");
  const apps::conv2d::Space space = apps::conv2d::declareSpace(declarations, halfSize);
  declarations.require(space.threadsX * space.threadsY <= maxWorkGroup);
  declarations.require(space.localBytes <= localBytes);
  return SearchSpace(declarations);
}

Rank gemmSize(std::int64_t maxWorkGroup) {
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations, maxWorkGroup);
  return SearchSpace(declarations).size();
}

// ---- Published counts

TEST(SearchSpace, ConvolutionHasThePublishedSize) {
  const SearchSpace space = convolution(3, 1024, 48 * 1024);
  EXPECT_EQ(space.size(), 3424u);
  std::array<int, 3> byLocal{};
  for (Rank rank = 0; rank < space.size(); ++rank) ++byLocal.at(static_cast<std::size_t>(space.configuration(rank)[2]));
  EXPECT_EQ(byLocal, (std::array{936, 1488, 1000}));
}

TEST(SearchSpace, ConvolutionFollowsTheLimits) {
  EXPECT_EQ(convolution(3, kNoLimit, kNoLimit).size(), 5248u);
  EXPECT_EQ(convolution(3, 512, 48 * 1024).size(), 2620u);
  EXPECT_EQ(convolution(3, 256, 48 * 1024).size(), 1576u);
  EXPECT_EQ(convolution(3, 1024, 32 * 1024).size(), 2932u);
  EXPECT_EQ(convolution(1, 1024, 48 * 1024).size(), 3424u);
  EXPECT_EQ(convolution(5, 1024, 48 * 1024).size(), 3320u);
}

TEST(SearchSpace, ConvolutionsOfSeveralFiltersHaveEachFiltersSpace) {
  SpaceDeclarations declarations("conv2d");
  const auto [filterSize] = declarations.problem("FS");
  const apps::conv2d::Space all = apps::conv2d::declareSpace(declarations, filterSize, {3, 7, 11});
  declarations.require(all.threadsX * all.threadsY <= 1024);
  declarations.require(all.localBytes <= 48 * 1024);
  for (std::int64_t size : {3, 7, 11}) {
    const SearchSpace space(declarations, {size}), alone = convolution(size / 2, 1024, 48 * 1024);
    ASSERT_EQ(space.size(), alone.size()) << size;
    for (Rank rank = 0; rank < space.size(); ++rank)
      ASSERT_EQ(space.configuration(rank), alone.configuration(rank)) << size;
  }
}

TEST(SearchSpace, GemmHasThePublishedSizes) {
  EXPECT_EQ(gemmSize(1024), 241'600u);
  EXPECT_EQ(gemmSize(512), 240'448u);
  EXPECT_EQ(gemmSize(256), 225'856u);
}

TEST(SearchSpace, PrunesHugeRawSpaces) {
  SpaceDeclarations gpu("tiled"), cpu("tiled");
  test::declareTiledProduct(gpu, test::kTiledOnGpu);
  test::declareTiledProduct(cpu, test::kTiledOnCpu);
  EXPECT_EQ(SearchSpace(gpu).size(), 421u);
  EXPECT_EQ(SearchSpace(cpu).size(), 367u);
}

TEST(SearchSpace, CountsMillionsOfConfigurationsWithoutListingThem) {
  SpaceDeclarations unlimited("gemm"), limited("gemm");
  test::declareLargeGemm(unlimited);
  test::declareLargeGemm(limited, 1024, 48 * 1024);
  EXPECT_EQ(SearchSpace(unlimited).size(), 22'830'400u);
  EXPECT_EQ(SearchSpace(limited).size(), 20'223'392u);
  EXPECT_LT(SearchSpace(unlimited).bytes(), std::size_t{1} << 20);  // a list of ranks alone would take 183 MB
}

// ---- Ranks

TEST(SearchSpace, RanksFollowTheValuesWithTheFirstParameterSlowest) {
  SpaceDeclarations declarations("order");
  const Parameter x = declarations.addParameter("x", {4, 2}, 4);
  const Parameter y = declarations.addParameter("y", {1, 2, 3}, 1);
  declarations.require(x != 2 || y != 2);
  const SearchSpace space(declarations);
  const std::vector<Values> expected{{4, 1}, {4, 2}, {4, 3}, {2, 1}, {2, 3}};
  ASSERT_EQ(space.size(), expected.size());
  for (Rank rank = 0; rank < space.size(); ++rank) EXPECT_EQ(space.configuration(rank), expected[rank]);
  EXPECT_EQ(space.point(4), (Point{1, 2}));
  EXPECT_EQ(space.rank({1, 2}), Rank{4});
  EXPECT_EQ(space.rank({1, 1}), std::nullopt);
}

TEST(SearchSpace, EveryRankOfGemmComesBackFromItsPoint) {
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations);
  const SearchSpace space(declarations);
  for (Rank rank = 0; rank < space.size(); ++rank) ASSERT_EQ(space.rank(space.point(rank)), rank);
}

TEST(SearchSpace, StartsAtTheDefault) {
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations);
  const SearchSpace space(declarations);
  EXPECT_EQ(space.configuration(space.start()), (Values{64, 64, 32, 8, 8, 8, 8, 2, 1, 1, 0, 0, 0, 0}));
}

TEST(SearchSpace, StartsNearTheDefaultThatIsNoCandidate) {
  SpaceDeclarations declarations("near");
  declarations.addParameter("x", range(0, 9), 7);
  declarations.addParameter("y", range(0, 9), 5);
  declarations.restrictTo("x", {0, 4, 9});
  const SearchSpace space(declarations);
  EXPECT_EQ(space.configuration(space.start()), (Values{9, 5}));
}

// ---- Problems and limits

TEST(SearchSpace, DependsOnTheProblem) {
  SpaceDeclarations declarations("blur");
  const Parameter WG = declarations.addParameter("WG", range(1, 12), 1);
  const auto [width] = declarations.problem("width");
  declarations.require(width % WG == 0);
  EXPECT_EQ(SearchSpace(declarations, {12}).size(), 6u);
  EXPECT_EQ(SearchSpace(declarations, {13}).size(), 1u);
}

TEST(SearchSpace, MayBeEmpty) {
  SpaceDeclarations declarations("blur");
  const Parameter WG = declarations.addParameter("WG", {2, 4}, 2);
  const auto [width] = declarations.problem("width");
  declarations.require(width % WG == 0);
  EXPECT_EQ(SearchSpace(declarations, {7}).size(), 0u);
}

TEST(SearchSpace, RejectsAWrongNumberOfProblemSizes) {
  SpaceDeclarations declarations("blur");
  declarations.addParameter("WG", {2, 4}, 2);
  declarations.problem("width", "height");
  EXPECT_EQ(messageOf([&] { SearchSpace(declarations, {7}); }), "blur: 1 problem sizes were given, 2 are declared");
}

TEST(SearchSpace, RejectsDeclarationsWithoutParameters) {
  SpaceDeclarations declarations("blur");
  EXPECT_EQ(messageOf([&] { SearchSpace{declarations}; }), "blur: no parameter was declared");
}

TEST(SearchSpace, CountsWhatIsLeftOfMoreThan2To64Points) {
  SpaceDeclarations declarations("large");
  for (int i = 0; i < 9; ++i) {
    const Parameter p = declarations.addParameter("p" + std::to_string(i), range(0, 511), 0);
    declarations.require(p <= 1);
  }
  EXPECT_EQ(SearchSpace(declarations).size(), 512u);
}

TEST(SearchSpace, Rejects2To63ValidConfigurations) {
  for (const bool isCoupled : {false, true}) {
    SpaceDeclarations declarations("large");
    std::vector<Parameter> p;
    for (int i = 0; i < 7; ++i) p.push_back(declarations.addParameter("p" + std::to_string(i), range(0, 511), 0));
    if (isCoupled) declarations.require(p[0] + p[1] >= 0);
    EXPECT_EQ(messageOf([&] { SearchSpace{declarations}; }), "large: 2^63 configurations or more are valid");
  }
}

TEST(SearchSpace, HoldsAlmost2To63Configurations) {
  SpaceDeclarations declarations("large");
  for (int i = 0; i < 6; ++i) declarations.addParameter("p" + std::to_string(i), range(0, 511), 0);
  declarations.addParameter("p6", range(0, 510), 0);
  const SearchSpace space(declarations);
  EXPECT_EQ(space.size(), (Rank{1} << 54) * 511);
  const Rank last = space.size() - 1;
  EXPECT_EQ(space.configuration(last), (Values{511, 511, 511, 511, 511, 511, 510}));
  EXPECT_EQ(space.rank(space.point(last)), last);
}

TEST(SearchSpace, CountsAMillionValuesOfAParameter) {
  SpaceDeclarations declarations("large");
  const Parameter x = declarations.addParameter("x", range(1, 1'000'000), 1);
  declarations.addParameter("y", range(1, 1'000'000), 1);
  declarations.require(1'000'000 % x == 0);  // 2^6 * 5^6 has 7 * 7 divisors
  EXPECT_EQ(SearchSpace(declarations).size(), 49'000'000u);
}

// d(1) + ... + d(1024) pairs have a product up to 1024; here with a third factor up to 64. What 2^26 points leave is
// found without looking at them: x * y > 1024 holds for no z.
TEST(SearchSpace, CountsAProductWithinALimitOverWideRanges) {
  SpaceDeclarations declarations("group");
  const Parameter x = declarations.addParameter("x", range(1, 1024), 1);
  const Parameter y = declarations.addParameter("y", range(1, 1024), 1);
  const Parameter z = declarations.addParameter("z", range(1, 64), 1);
  declarations.require(x * y * z <= 1024);
  const SearchSpace space(declarations);
  EXPECT_TRUE(space.isCounted());
  Rank expected = 0;
  for (Rank a = 1; a <= 64; ++a) {
    for (Rank b = 1; a * b <= 1024; ++b) expected += 1024 / (a * b);
  }
  EXPECT_EQ(space.size(), expected);
}

// Not even a number of steps proportional to the range: 10^6 values leave 1024.
TEST(SearchSpace, BoundsShrinkAMillionValues) {
  SpaceDeclarations declarations("group");
  const Parameter x = declarations.addParameter("x", range(1, 1'000'000), 1);
  const Parameter y = declarations.addParameter("y", range(1, 1'000'000), 1);
  declarations.require(x * y <= 1024);
  const SearchSpace space(declarations);
  EXPECT_TRUE(space.isCounted());
  Rank expected = 0;
  for (Rank a = 1; a <= 1024; ++a) expected += 1024 / a;
  EXPECT_EQ(space.size(), expected);
}

/// x and y are tangled beyond counting.
class UncountedSpace : public testing::Test {
 protected:
  SpaceDeclarations declarations{"large"};
  Parameter x = declarations.addParameter("x", range(1, 10'000), 1);
  Parameter y = declarations.addParameter("y", range(1, 10'000), 1);
  Parameter z = declarations.addParameter("z", range(1, 10), 1);

  void SetUp() override {
    declarations.require(x * y % 7 == 1);
    declarations.require(y % z == 0);
  }
  static bool isValid(const Values& c) { return c[0] * c[1] % 7 == 1 && c[1] % c[2] == 0; }
};

TEST_F(UncountedSpace, SaysSoAndNumbersWhatTheOtherConstraintsAllow) {
  const SearchSpace space(declarations);
  EXPECT_FALSE(space.isCounted());
  // 10000 for x; for y and z, 10000 / z rounded down: 10000 + 5000 + 3333 + 2500 + 2000 + 1666 + 1428 + 1250 + 1111 +
  // 1000
  EXPECT_EQ(space.size(), 10'000u * 29'288u);
  detail::RandomEngine engine(1);
  int valid = 0;
  for (int i = 0; i < 7000; ++i) {
    const Rank rank = engine.below(space.size());
    EXPECT_EQ(space.isValid(rank), isValid(space.configuration(rank)));
    EXPECT_EQ(space.rank(space.point(rank)), space.isValid(rank) ? std::optional(rank) : std::nullopt);
    valid += space.isValid(rank);
  }
  EXPECT_NEAR(valid, 7000 * 6 / 49, 150);  // a pair of 49 remainders has the product 1 in 6 cases; deviation: 27
}

TEST_F(UncountedSpace, GivesValidNeighboursAndValidNearestConfigurations) {
  const SearchSpace space(declarations);
  EXPECT_EQ(space.configuration(space.start()), (Values{1, 1, 1}));
  const std::optional<Rank> rank = space.rank({9, 4, 4});  // the configuration 10, 5, 5
  ASSERT_TRUE(rank);
  std::size_t expected = 0;
  for (std::int64_t value = 1; value <= 10'000; ++value) {
    for (const Values& c : {Values{value, 5, 5}, Values{10, value, 5}, Values{10, 5, value}})
      expected += c != Values{10, 5, 5} && c[2] <= 10 && isValid(c) ? 1 : 0;
  }
  EXPECT_EQ(space.neighbours(*rank).size(), expected);
  for (Rank neighbour : space.neighbours(*rank)) EXPECT_TRUE(isValid(space.configuration(neighbour)));
  for (Rank neighbour : space.adjacent(*rank)) EXPECT_TRUE(isValid(space.configuration(neighbour)));
  EXPECT_EQ(space.configuration(space.nearest({9, 3, 4})), (Values{10, 5, 5}));  // 10, 4, 5 is not valid
}

TEST_F(UncountedSpace, IsSearchedByEveryStrategy) {
  const SearchSpace space(declarations);
  for (const std::string& name : strategyNames()) {
    const auto strategy = makeStrategy(name, 1);
    Evidence evidence;
    evidence.add({space.start(), 1.0});
    while (evidence.trials().size() < 30) {
      const Proposal proposal = strategy->propose(space, evidence, 2);
      ASSERT_FALSE(proposal.candidates.empty()) << name;
      for (Rank rank : proposal.candidates) {
        ASSERT_TRUE(isValid(space.configuration(rank))) << name;
        evidence.add({rank, 1.0 + 1e-3 * static_cast<double>(space.point(rank)[0])});
      }
    }
  }
}

TEST_F(UncountedSpace, DoesNotHangWhereHardlyAnythingIsValid) {
  declarations.require((x * 7919 + y * 104729) % 1'000'003 == 112'648);  // holds for the default
  const SearchSpace space(declarations);
  EXPECT_FALSE(space.isCounted());
  for (const std::string& name : strategyNames()) {
    const auto strategy = makeStrategy(name, 1);
    Evidence evidence;
    evidence.add({space.start(), 1.0});
    const Proposal proposal = strategy->propose(space, evidence, 2);
    for (Rank rank : proposal.candidates) EXPECT_TRUE(space.isValid(rank)) << name;
  }
}

TEST_F(UncountedSpace, RejectsADefaultThatRestrictionsHaveTakenFarAway) {
  declarations.restrictTo("z", {2, 4});
  declarations.require("nowhere",
                       lambda("nowhere", {x, y, z}, [](auto a, auto b, auto c) { return a == 1 && b == 1 && c == 1; }));
  EXPECT_EQ(messageOf([&] { SearchSpace{declarations}; }),
            "large: the space is too large to count, and no valid configuration was found near the default");
}

TEST(SearchSpace, NoticesContradictionsWithoutTryingAllValues) {
  SpaceDeclarations declarations("contradiction");
  const Parameter x = declarations.addParameter("x", range(1, 1'000'000), 1);
  const Parameter y = declarations.addParameter("y", range(1, 1'000'000), 1);
  declarations.require(x != y);
  declarations.require(x > 10 && x < 10);
  EXPECT_EQ(SearchSpace(declarations).size(), 0u);
}

TEST(SearchSpace, ConstraintWithoutValueIsNotSatisfied) {
  SpaceDeclarations declarations("undefined");
  const Parameter x = declarations.addParameter("x", range(0, 4), 1);
  const Parameter y = declarations.addParameter("y", {std::numeric_limits<std::int64_t>::max(), 0}, 0);
  declarations.require(12 / x != 4);  // not 0: division by zero; not 3
  declarations.require(y + x > 0);    // not the maximum: overflow
  const SearchSpace space(declarations);
  ASSERT_EQ(space.size(), 3u);
  EXPECT_EQ(space.configuration(0), (Values{1, 0}));
  EXPECT_EQ(space.configuration(1), (Values{2, 0}));
  EXPECT_EQ(space.configuration(2), (Values{4, 0}));
}

TEST(SearchSpace, ConstraintOnNothingDecidesForAll) {
  for (int condition : {0, 1}) {
    SpaceDeclarations declarations("constant");
    declarations.addParameter("x", range(0, 4), 1);
    declarations.require(condition);
    EXPECT_EQ(SearchSpace(declarations).size(), condition ? 5u : 0u);
  }
}

// ---- Nearest

TEST(SearchSpace, NearestWeighsStepsByTheParametersRange) {
  SpaceDeclarations declarations("weights");
  const Parameter x = declarations.addParameter("x", range(0, 10), 0);
  const Parameter y = declarations.addParameter("y", booleans(), 0);
  declarations.require((x == 9 && y == 0) || (x == 0 && y == 1));
  const SearchSpace space(declarations);
  EXPECT_EQ(space.nearest({0, 0}), space.rank({9, 0}));  // 9 of 10 steps are nearer than 1 of 1
}

}  // namespace
}  // namespace hone
