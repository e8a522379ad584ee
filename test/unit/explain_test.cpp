#include "hone/explain.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/misuse.h"
#include "support/reference_spaces.h"

namespace hone {
namespace {

TEST(Explain, SaysWhatEachConstraintOfGemmRemoves) {
  SpaceDeclarations declarations("gemm");
  test::declareGemm(declarations);
  const SpaceExplanation explanation = explain(declarations);
  EXPECT_EQ(explanation.points, 1'327'104);
  EXPECT_EQ(explanation.valid, 241'600u);
  ASSERT_EQ(explanation.constraints.size(), 8u);
  EXPECT_EQ(explanation.constraints[0].constraint, "KWG % KWI == 0");
  EXPECT_EQ(explanation.constraints[0].removed, 0);
  // MDIMC * VWM is 8, 16, .. 256 for 1, 2, 3, 3, 2, 1 of 12 pairs. It divides 16 for 3 pairs, 32 for 6, 64 for 9, 128
  // for 11: 29 of 48 stay.
  EXPECT_EQ(explanation.constraints[1].constraint, "MWG % (MDIMC * VWM) == 0");
  EXPECT_EQ(explanation.constraints[1].removed, 525'312);
  EXPECT_EQ(explanation.constraints[1].removed, 1'327'104.0 / 48 * 19);
  EXPECT_EQ(explanation.constraints[7].removed, 0);  // no work-group has more than 32 * 32
  EXPECT_EQ(explanation.emptiedBy, std::nullopt);
}

TEST(Explain, CountsDivisionsByZeroAndOverflowsApart) {
  SpaceDeclarations declarations("undefined");
  const Parameter x = declarations.addParameter("x", range(0, 4), 1);
  const Parameter y = declarations.addParameter("y", {std::numeric_limits<std::int64_t>::max(), 0}, 0);
  declarations.require(12 / x != 4);
  declarations.require("sum", y + x > 0);
  const SpaceExplanation explanation = explain(declarations);
  EXPECT_EQ(explanation.constraints[0].removed, 2);          // x = 3
  EXPECT_EQ(explanation.constraints[0].divisionsByZero, 2);  // x = 0
  EXPECT_EQ(explanation.constraints[0].overflows, 0);
  EXPECT_EQ(explanation.constraints[1].removed, 1);  // 0, 0
  EXPECT_EQ(explanation.constraints[1].overflows, 4);
  EXPECT_EQ(explanation.constraints[1].divisionsByZero, 0);
  EXPECT_EQ(explanation.valid, 3u);
  EXPECT_EQ(toString(explanation),
            "10 points, 3 of them valid\n"
            "  2 removed by: 12 / x != 4; divisions by zero at 2 more\n"
            "  1 removed by: sum; overflows at 4 more");
}

TEST(Explain, NamesTheConstraintThatLeavesNothing) {
  SpaceDeclarations declarations("blur");
  const Parameter x = declarations.addParameter("x", range(1, 100), 1);
  const Parameter y = declarations.addParameter("y", range(1, 100), 1);
  const auto [width] = declarations.problem("width");
  declarations.require(x > y);
  declarations.require(width % y == 0);
  declarations.require(x + y < 2 + width);
  declarations.require(x != 50);
  const SpaceExplanation explanation = explain(declarations, {1});
  EXPECT_EQ(explanation.valid, 0u);
  EXPECT_EQ(explanation.emptiedBy, "x + y < 2 + width");
  EXPECT_EQ(toString(explanation),
            "10,000 points, 0 of them valid\n"
            "  5,050 removed by: x > y\n"
            "  9,900 removed by: width % y == 0\n"
            "  9,999 removed by: x + y < 2 + width\n"
            "  100 removed by: x != 50\n"
            "  nothing is left after: x + y < 2 + width");
  EXPECT_EQ(explain(declarations, {2}).emptiedBy, std::nullopt);
}

TEST(Explain, ReachesBeyondWhatCanBeCounted) {
  SpaceDeclarations declarations("large");
  const Parameter x = declarations.addParameter("x", range(1, 100'000), 1);
  const Parameter y = declarations.addParameter("y", range(1, 100'000), 1);
  declarations.require(x == y);
  declarations.require(x % 2 == 0 || x == 1);
  const SpaceExplanation explanation = explain(declarations);
  EXPECT_EQ(explanation.valid, std::nullopt);
  EXPECT_EQ(toString(explanation),
            "10,000,000,000 points, too many to count\n"
            "  not counted: x == y\n"
            "  4,999,900,000 removed by: x % 2 == 0 || x == 1");
}

TEST(Explain, RejectsAWrongNumberOfProblemSizes) {
  SpaceDeclarations declarations("blur");
  declarations.addParameter("x", range(1, 100), 1);
  EXPECT_EQ(test::messageOf([&] {
              explain(declarations, {1, 2});
            }),
            "blur: 2 problem sizes were given, 0 are declared");
}

}  // namespace
}  // namespace hone
