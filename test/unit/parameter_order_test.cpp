#include "space/parameter_order.h"

#include <gtest/gtest.h>

#include "space/diagram_builder.h"

namespace hone::detail {
namespace {

using Order = std::vector<std::size_t>;

TEST(ParameterOrder, IsThatOfDeclarationWithoutConstraints) {
  EXPECT_EQ(parameterOrder({3, 1, 2}, {}), (Order{0, 1, 2}));
}

TEST(ParameterOrder, PutsParametersInNoConstraintLast) {
  EXPECT_EQ(parameterOrder({4, 4, 4, 4}, {{1, 3}}), (Order{1, 3, 0, 2}));
}

TEST(ParameterOrder, KeepsGroupsTogether) {
  EXPECT_EQ(parameterOrder({4, 4, 4, 4}, {{0, 2}, {1, 3}}), (Order{0, 2, 1, 3}));
}

TEST(ParameterOrder, RemembersTheShorterList) {
  EXPECT_EQ(parameterOrder({2, 9}, {{0, 1}}), (Order{0, 1}));  // 2 + 2 * 9; the other way round 9 + 9 * 2
  EXPECT_EQ(parameterOrder({9, 2}, {{0, 1}}), (Order{1, 0}));
}

TEST(ParameterOrder, FollowsAChain) {
  // 1 - 3 - 0 - 2. With 2 after 0, one parameter at a time is remembered: 10 + 3 * 100. No order costs less, and 0 is
  // the first that is tried; going on with 3 instead would make 1000 combinations for 1.
  EXPECT_EQ(parameterOrder({10, 10, 10, 10}, {{1, 3}, {0, 3}, {0, 2}}), (Order{0, 2, 3, 1}));
}

TEST(ParameterOrder, ForgetsWhatNoConstraintNeedsAnyMore) {
  // 0 meets 1 and 2 in one constraint, 3 and 4 in another: one constraint after the other, 0 in between.
  const Order order = parameterOrder({5, 5, 5, 5, 5}, {{0, 1, 2}, {0, 3, 4}});
  EXPECT_EQ(order, (Order{0, 1, 2, 3, 4}));
}

// Equal nodes are merged: where x + y is what counts, there are as many nodes below x as sums are told apart.
TEST(DiagramBuilder, MergesStatesWithEqualContinuations) {
  const auto bytesOf = [](std::int64_t modulus) {
    SpaceDeclarations declarations("merge");
    const Parameter x = declarations.addParameter("x", range(0, 999), 0);
    const Parameter y = declarations.addParameter("y", range(0, 999), 0);
    declarations.require(lambda("merges", {x, y}, [=](auto a, auto b) { return (a % modulus + b) % 1000 < 500; }));
    const auto& data = declarations.data();
    const BuiltDiagram built = buildDiagram(data, {&data.constraints[0]}, nullptr);
    EXPECT_EQ(built.diagram.size(), 500'000u);
    return built.diagram.bytes();
  };
  EXPECT_LT(bytesOf(10), std::size_t{150'000});      // 10 nodes of 500 edges, the root's 1000, 16 bytes each
  EXPECT_GT(bytesOf(1000), std::size_t{8'000'000});  // 1000 nodes of 500 edges
}

}  // namespace
}  // namespace hone::detail
