#include "hone/search_space.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <string>

#include "conv2d/space.h"
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

TEST(SearchSpace, GemmHasThePublishedSizes) {
  EXPECT_EQ(gemmSize(1024), 241'600u);
  EXPECT_EQ(gemmSize(512), 240'448u);
  EXPECT_EQ(gemmSize(256), 225'856u);
}

// Tiled matrix product on 4096 x 4096, a space of 2^34 raw points.
TEST(SearchSpace, PrunesHugeRawSpaces) {
  SpaceDeclarations declarations("tiled");
  const Parameter wx = declarations.addParameter("wx", range(1, 1024), 1);
  const Parameter wy = declarations.addParameter("wy", range(1, 1024), 1);
  const Parameter wz = declarations.addParameter("wz", range(1, 64), 1);
  const Parameter tile = declarations.addParameter("tile", range(1, 256), 1);
  declarations.require(4096 % wx == 0);
  declarations.require(4096 % wy == 0);
  declarations.require(1 % wz == 0);
  declarations.require(wx * wy * wz <= 1024);
  declarations.require(2 * 4 * tile * tile <= 48 * 1024);
  declarations.require(tile % wx == 0);
  declarations.require(tile % wy == 0);
  declarations.require(4096 / wx * (4096 / wy) * (1 / wz) >= 2);
  EXPECT_EQ(SearchSpace(declarations).size(), 421u);
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

TEST(SearchSpace, RejectsMoreThan2To63Points) {
  SpaceDeclarations declarations("large");
  for (int i = 0; i < 7; ++i) {
    const Parameter p = declarations.addParameter("p" + std::to_string(i), range(0, 511), 0);
    declarations.require(p == 0);
  }
  EXPECT_EQ(messageOf([&] { SearchSpace{declarations}; }), "large: the unconstrained space has more than 2^63 points");
}

TEST(SearchSpace, GivesUpOnTooManyValidConfigurations) {
  SpaceDeclarations declarations("large");
  declarations.addParameter("x", range(0, 1 << 14), 0);
  declarations.addParameter("y", range(0, 1 << 12), 0);
  EXPECT_EQ(messageOf([&] { SearchSpace{declarations}; }), "large: more than 67108864 configurations are valid");
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

// ---- Against brute force

/// One to four parameters of one to six values; a random part of the points is valid.
class RandomSpace {
 public:
  explicit RandomSpace(std::uint64_t seed) : declarations_("random") {
    detail::RandomEngine engine(seed);
    std::vector<Expression> parameters;
    const std::size_t dimensions = 1 + engine.below(4);
    for (std::size_t p = 0; p < dimensions; ++p) {
      const auto count = static_cast<std::int64_t>(1 + engine.below(6));
      parameters.push_back(declarations_.addParameter("p" + std::to_string(p), range(0, count - 1), 0));
    }
    Expression hash = static_cast<std::int64_t>(engine.below(1000));
    for (const Expression& parameter : parameters) hash = (hash * 31 + parameter * 17 + 7) % 1009;
    declarations_.require(hash % 4 <= static_cast<std::int64_t>(engine.below(4)));
    space.emplace(declarations_);
    for (Rank rank = 0; rank < space->size(); ++rank) points.push_back(space->point(rank));
  }

 private:
  SpaceDeclarations declarations_;

 public:
  std::optional<SearchSpace> space;
  std::vector<Point> points;
};

constexpr std::uint64_t kRandomSpaces = 300;

TEST(SearchSpace, NeighboursAgreeWithBruteForce) {
  for (std::uint64_t seed = 0; seed < kRandomSpaces; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomSpace random(seed);
    for (Rank rank = 0; rank < random.points.size(); ++rank) {
      std::vector<Rank> expected;
      for (Rank other = 0; other < random.points.size(); ++other) {
        int differences = 0;
        for (std::size_t p = 0; p < random.points[rank].size(); ++p)
          differences += random.points[rank][p] != random.points[other][p];
        if (differences == 1) expected.push_back(other);
      }
      ASSERT_EQ(random.space->neighbours(rank), expected);
    }
  }
}

TEST(SearchSpace, NearestAgreesWithBruteForce) {
  for (std::uint64_t seed = 0; seed < kRandomSpaces; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomSpace random(seed);
    if (random.points.empty()) continue;
    const SearchSpace& space = *random.space;
    detail::RandomEngine engine = detail::RandomEngine::derived(seed, 1);
    for (int i = 0; i < 20; ++i) {
      std::vector<double> target;
      for (std::size_t p = 0; p < space.dimensions(); ++p) {  // halves, so that ties occur; also outside the ranges
        const std::uint64_t halves = engine.below(2 * space.values(p).size() + 4);
        target.push_back(0.5 * static_cast<double>(halves) - 1);
      }
      double shortest = std::numeric_limits<double>::infinity();
      Rank expected = 0;
      for (Rank rank = 0; rank < space.size(); ++rank) {
        double distance = 0;
        for (std::size_t p = 0; p < space.dimensions(); ++p) {
          const double steps = std::max(1.0, static_cast<double>(space.values(p).size()) - 1);
          const double difference = (random.points[rank][p] - target[p]) / steps;
          distance += difference * difference;
        }
        if (distance < shortest) {
          shortest = distance;
          expected = rank;
        }
      }
      ASSERT_EQ(space.nearest(target), expected);
    }
  }
}

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
