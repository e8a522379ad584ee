#include "search/features.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hone/declarations.h"

namespace hone::detail {
namespace {

using Kind = Feature::Kind;

SearchSpace spaceOf(const std::vector<std::vector<std::int64_t>>& ranges) {
  SpaceDeclarations declarations("features");
  for (std::size_t p = 0; p < ranges.size(); ++p)
    declarations.addParameter("p" + std::to_string(p), Range(ranges[p]), ranges[p][0]);
  return SearchSpace(declarations);
}

bool has(const std::vector<Feature>& features, const Feature& feature) {
  return std::find(features.begin(), features.end(), feature) != features.end();
}

TEST(Features, TwosCountOnlyWhereTheyAreNoMatterOfPosition) {
  const SearchSpace space = spaceOf({{16, 32, 48, 64, 80}, {1, 2, 4, 8}, {3, 5, 7}, {8, 4, 2}});
  EXPECT_EQ(Features(space).always(), (std::vector<Feature>{{Kind::position, 0, 0},
                                                            {Kind::position, 1, 1},
                                                            {Kind::position, 2, 2},
                                                            {Kind::position, 3, 3},
                                                            {Kind::twos, 0, 0}}));
}

TEST(Features, CountsTwosFromTheFewest) {
  const SearchSpace space = spaceOf({{16, 32, 48, 64, 80}});
  const Features features(space);
  const Feature twos{Kind::twos, 0, 0};
  EXPECT_EQ(features.count(twos), 3);
  std::vector<std::int32_t> counts;
  for (std::uint32_t i = 0; i < 5; ++i) counts.push_back(features.coordinate(twos, {i}));
  EXPECT_EQ(counts, (std::vector<std::int32_t>{0, 1, 0, 2, 0}));
}

TEST(Features, PairsAreOfThreePositiveValuesOrMore) {
  const SearchSpace space = spaceOf({{1, 2, 4}, {0, 1, 2}, {1, 2}, {6, 12, 18}});
  EXPECT_EQ(Features(space).ofPairs(),
            (std::vector<Feature>{{Kind::product, 0, 3}, {Kind::ratio, 0, 3}, {Kind::twosOfProduct, 0, 3}}));
}

TEST(Features, EqualProductsHaveEqualCoordinates) {
  const SearchSpace space = spaceOf({{1, 2, 4, 8}, {8, 4, 2, 1}});
  const Features features(space);
  const Feature product{Kind::product, 0, 1}, ratio{Kind::ratio, 0, 1};
  EXPECT_EQ(features.coordinate(product, {0, 0}), features.coordinate(product, {1, 1}));  // 1 * 8, 2 * 4
  EXPECT_EQ(features.coordinate(product, {0, 3}), 0);
  EXPECT_EQ(features.coordinate(product, {3, 0}), features.count(product) - 1);
  EXPECT_EQ(features.coordinate(ratio, {0, 3}), features.coordinate(ratio, {3, 0}));  // 1 / 1, 8 / 8
  EXPECT_EQ(features.coordinate(ratio, {0, 0}), 0);                                   // 1 / 8
  EXPECT_EQ(features.coordinate(ratio, {3, 3}), features.count(ratio) - 1);
}

TEST(Features, TwosOfAProductAddUp) {
  const SearchSpace space = spaceOf({{3, 6, 9}, {4, 8, 12}});
  const Features features(space);
  const Feature twos{Kind::twosOfProduct, 0, 1};
  ASSERT_TRUE(has(features.ofPairs(), twos));
  EXPECT_EQ(features.count(twos), 3);
  EXPECT_EQ(features.coordinate(twos, {1, 1}), 2);  // 48 has four, 12 the fewest with two
  EXPECT_EQ(features.coordinate(twos, {2, 2}), 0);
}

TEST(Features, LongRangesAreCoarse) {
  std::vector<std::int64_t> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
  const SearchSpace space = spaceOf({values});
  const Features features(space);
  const Feature position{Kind::position, 0, 0};
  EXPECT_EQ(features.count(position), 1024);
  EXPECT_EQ(features.coordinate(position, {0}), 0);
  EXPECT_EQ(features.coordinate(position, {50'000}), 511);
  EXPECT_EQ(features.coordinate(position, {99'999}), 1023);
}

TEST(Features, KnowsParametersOfOneValue) {
  const SearchSpace space = spaceOf({{5}, {1, 2, 3}});
  const Features features(space);
  EXPECT_EQ(features.coordinates(features.always(), {0, 2}), (Coordinates{0, 2, 0}));  // 3 has no two, nor has 1
  EXPECT_EQ(features.count({Kind::position, 0, 0}), 1);
}

}  // namespace
}  // namespace hone::detail
