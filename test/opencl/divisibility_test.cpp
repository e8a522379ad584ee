#include "opencl/divisibility.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "opencl/workbench.h"
#include "space/declaration_data.h"

namespace hone::opencl {
namespace {

using detail::isMultiple;
using detail::needsUniformWorkGroups;
using test::settles;
using test::Workbench;

TEST(UniformWorkGroups, AreNeededWhereTheDeviceHasNoOthers) {
  DeviceFacts facts;
  facts.hasNonUniformWorkGroups = false;
  EXPECT_TRUE(needsUniformWorkGroups(facts, ""));
  EXPECT_TRUE(needsUniformWorkGroups(facts, "-cl-std=CL3.0"));
}

TEST(UniformWorkGroups, AreNeededInProgramsForLessThanOpenClC2) {
  DeviceFacts facts;
  facts.hasNonUniformWorkGroups = true;
  for (const char* options : {"", "-cl-std=CL1.1", "-I include -cl-std=CL1.2 -D X=1", "-cl-std=CL2.0 -cl-std=CL1.2",
                              "-D Y=-cl-std=CL2.0", "-cl-std=CL2.0 -cl-uniform-work-group-size"})
    EXPECT_TRUE(needsUniformWorkGroups(facts, options)) << options;
  for (const char* options : {"-cl-std=CL2.0", "-cl-mad-enable -cl-std=CL3.0", "-cl-std=CLC++", "-cl-std=CLC++2021",
                              "-cl-std=CL1.2 -cl-std=CL2.0"})
    EXPECT_FALSE(needsUniformWorkGroups(facts, options)) << options;
}

struct Sizes : testing::Test {
  SpaceDeclarations declarations{"test"};
  Expression N = declarations.problem("N")[0];
  Parameter X = declarations.addParameter("X", {1, 2}, 1);
  Parameter Y = declarations.addParameter("Y", {1, 2}, 1);
};

TEST_F(Sizes, ThatContainTheDivisorAsAFactorAreMultiples) {
  EXPECT_TRUE(isMultiple(X, X));
  EXPECT_TRUE(isMultiple(N, 1));
  EXPECT_TRUE(isMultiple(64, 16));
  EXPECT_TRUE(isMultiple(ceilDiv(N, X) * X, X));
  EXPECT_TRUE(isMultiple(ceilDiv(N, X * Y) * Y * X, X * Y));
  EXPECT_TRUE(isMultiple(24 * N * X, X * 8));
  EXPECT_TRUE(isMultiple(N * X + 2 * X, X));
  EXPECT_TRUE(isMultiple(select(N > 5, 2 * X, X), X));
  EXPECT_TRUE(isMultiple(N * ceilDiv(X, 2), ceilDiv(X, 2)));
  EXPECT_TRUE(isMultiple(max(X * 2, X * Y), X));
}

TEST_F(Sizes, OfWhichNothingIsKnownAreNot) {
  EXPECT_FALSE(isMultiple(N, X));
  EXPECT_FALSE(isMultiple(63, 16));
  EXPECT_FALSE(isMultiple(N * Y, X));
  EXPECT_FALSE(isMultiple(X, X * X));  // one factor is there once
  EXPECT_FALSE(isMultiple(X * Y, X * Y * N));
  EXPECT_FALSE(isMultiple(N * X + Y, X));
  EXPECT_FALSE(isMultiple(N - X, X));
  EXPECT_FALSE(isMultiple(select(N > 5, X, Y), X));
  EXPECT_FALSE(isMultiple(ceilDiv(X, N) * 4, ceilDiv(X, Y)));
  EXPECT_FALSE(isMultiple(N * ceilDiv(X, 2), ceilDiv(X, 3)));
  EXPECT_FALSE(isMultiple(N * X / 2, X));
  EXPECT_FALSE(isMultiple(12 * X, 8 * X));
  EXPECT_FALSE(isMultiple(X, 0));
  const auto one = lambda("f", {X}, [](auto x) { return x; }), other = lambda("f", {X}, [](auto x) { return x + 1; });
  EXPECT_FALSE(isMultiple(one * N, other));
  EXPECT_TRUE(isMultiple(one * N, one));
}

constexpr const char* kIds = "kernel void ids(global int* out) { out[get_global_id(0)] = get_global_id(0); }";

TEST(UniformWorkGroups, CandidatesThatDoNotDivideTheProblemAreLeftOut) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, kIds, "ids", bench.options());
  auto [N] = kernel.problem("N");
  auto X = kernel.addParameter("X", {1, 2, 3, 4, 5, 6, 7, 8}, 1);
  kernel.global(N).local(X);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(12));
  ASSERT_TRUE(settles(bench, kernel, {12}, [&] { return kernel(bench.queue.get(), {12}, out.get()); }));
  EXPECT_EQ(kernel.report({12}).trials, 4u);  // 2, 3, 4, 6
  EXPECT_EQ(kernel.report({12}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(UniformWorkGroups, EachDimensionIsDividedByItsOwn) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, "kernel void nothing() {}", "nothing", bench.options());
  auto [M, N] = kernel.problem("M", "N");
  auto X = kernel.addParameter("X", {1, 2, 3}, 1);
  auto Y = kernel.addParameter("Y", {1, 2, 3}, 1);
  kernel.global(M, N).local(X, Y);
  ASSERT_TRUE(settles(bench, kernel, {4, 9}, [&] { return kernel(bench.queue.get(), {4, 9}); }));
  EXPECT_EQ(kernel.report({4, 9}).trials, 3u);  // X of 1 and 2, Y of 1 and 3
}

TEST(UniformWorkGroups, ThatFollowFromTheExpressionsLeaveOneSpaceForAllProblems) {
  SpaceDeclarations declarations("test");
  auto [N] = declarations.problem("N");
  auto X = declarations.addParameter("X", {1, 2, 3}, 1);
  detail::requireUniformWorkGroups({ceilDiv(N, X) * X, 8}, {X, 1}, declarations);
  EXPECT_EQ(SearchSpace(declarations, {7}).size(), 3u);
  EXPECT_TRUE(declarations.data().constraints.empty());
}

TEST(UniformWorkGroups, DefaultThatViolatesThemWithoutAProblemStaysValid) {
  SpaceDeclarations declarations("test");
  auto X = declarations.addParameter("X", {2, 3, 4}, 3);
  auto Y = declarations.addParameter("Y", {2, 3, 4}, 4);
  detail::requireUniformWorkGroups({16, 16}, {X, Y}, declarations);
  EXPECT_EQ(SearchSpace(declarations).size(), 6u);  // any X, and 2 or 4 for Y
}

}  // namespace
}  // namespace hone::opencl
