// At least as many work-groups as compute units: a preference, or a constraint for who wants it.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "opencl/kernel_plan.h"
#include "opencl/workbench.h"
#include "space/declaration_data.h"

namespace hone::opencl {
namespace {

using detail::KernelPlan;
using test::Workbench;

/// A kernel of two dimensions on a device with 6 compute units.
struct EnoughWorkGroups : testing::Test {
  EnoughWorkGroups() {
    facts.computeUnits = 6;
    facts.maxWorkGroupSize = 1024;
    facts.maxWorkItemSizes = {1024, 1024, 64};
  }
  /// In ascending order, whatever the ranks are.
  std::vector<std::vector<std::int64_t>> valid() {
    const SearchSpace space(declarations, {7});
    std::vector<std::vector<std::int64_t>> configurations;
    for (Rank rank = 0; rank < space.size(); ++rank) configurations.push_back(space.configuration(rank));
    std::sort(configurations.begin(), configurations.end());
    return configurations;
  }

  DeviceFacts facts;
  KernelPlan plan{"test"};
  SpaceDeclarations declarations{"test"};
  Expression N = declarations.problem("N")[0];
};

TEST_F(EnoughWorkGroups, AreRequiredOnRequest) {
  auto X = declarations.addParameter("X", {1, 2, 4, 8}, 1);
  auto Y = declarations.addParameter("Y", {2, 4}, 2);
  plan.geometry().global = {16, 4};
  plan.geometry().local = {X, Y};
  plan.requireEnoughWorkGroups();
  plan.complete(facts, "", declarations);
  // 16 / X * 4 / Y: 32 16, 16 8, 8 4, 4 2
  EXPECT_EQ(valid(), (std::vector<std::vector<std::int64_t>>{{1, 2}, {1, 4}, {2, 2}, {2, 4}, {4, 2}}));
}

TEST_F(EnoughWorkGroups, CountTheLastOneThatIsNotFull) {
  auto X = declarations.addParameter("X", {1, 2}, 1);
  plan.geometry().global = {N};
  plan.geometry().local = {X};
  facts.hasNonUniformWorkGroups = true;
  facts.computeUnits = 4;
  plan.requireEnoughWorkGroups();
  plan.complete(facts, "-cl-std=CL2.0", declarations);
  EXPECT_EQ(valid().size(), 2u);  // of 7 work-items, 4 work-groups of 2
}

TEST_F(EnoughWorkGroups, AreNotRequiredOtherwise) {
  auto X = declarations.addParameter("X", {1, 2, 4, 8, 16}, 16);
  plan.geometry().global = {16};
  plan.geometry().local = {X};
  plan.complete(facts, "", declarations);
  EXPECT_EQ(valid().size(), 5u);
}

TEST_F(EnoughWorkGroups, DefaultWithFewerThrowsTheConstraint) {
  auto X = declarations.addParameter("X", {1, 2, 4, 8, 16}, 16);
  plan.geometry().global = {16};
  plan.geometry().local = {X};
  plan.requireEnoughWorkGroups();
  plan.complete(facts, "", declarations);
  try {
    declarations.sharedData()->seal();
    FAIL() << "it was accepted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "test: the default violates 'ceilDiv(16, X) >= 6': X=16");
  }
}

TEST_F(EnoughWorkGroups, ArePreferred) {
  auto X = declarations.addParameter("X", {1, 2}, 1);
  plan.geometry().global = {N, 2};
  plan.geometry().local = {X, 2 / (N - 1)};
  const auto isPreferred = [&](std::int64_t x, std::int64_t n) { return plan.hasEnoughWorkGroups(facts, &x, &n); };
  // 2 / (N - 1) is 2 for N=2, 1 for N=3 and nothing for N=1
  EXPECT_TRUE(isPreferred(1, 3));   // 3 * 2
  EXPECT_FALSE(isPreferred(2, 3));  // 2 * 2
  EXPECT_FALSE(isPreferred(1, 2));  // 2 * 1
  EXPECT_TRUE(isPreferred(1, 1));   // unknown
  plan.geometry().local = {};
  EXPECT_TRUE(isPreferred(2, 3));  // the implementation chooses
}

TEST_F(EnoughWorkGroups, CannotBeRequiredWithoutALocalSize) {
  plan.geometry().global = {N};
  plan.requireEnoughWorkGroups();
  EXPECT_THROW(plan.complete(facts, "", declarations), UsageError);
}

TEST(TunedKernelEnoughWorkGroups, RestrictTheSpaceOfItsProblem) {
  Workbench bench;
  const std::int64_t units = bench.runtime.facts().computeUnits;
  TunedKernel kernel(bench.runtime, "kernel void nothing() {}", "nothing", bench.options());
  auto [N] = kernel.problem("N");
  auto GROUPS = kernel.addParameter("GROUPS", {units - 1, units, units + 1, units + 2}, units);
  kernel.global(GROUPS * 4 * N).local(4 * N).requireEnoughWorkGroups();
  ASSERT_TRUE(test::settles(bench, kernel, {1}, [&] { return kernel(bench.queue.get(), {1}); }));
  EXPECT_EQ(kernel.report({1}).trials, 2u);
  EXPECT_THROW(kernel.requireEnoughWorkGroups(), UsageError);  // after the first launch
}

/// Proposes all in the order of their ranks.
class InOrder final : public Strategy {
 public:
  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override {
    Proposal proposal;
    for (Rank rank = 0; rank < space.size() && proposal.candidates.size() < atMost; ++rank) {
      if (!evidence.find(rank)) proposal.candidates.push_back(rank);
    }
    return proposal;
  }
};

TEST(TunedKernelEnoughWorkGroups, AreTriedFirst) {
  Workbench bench;
  const std::int64_t units = bench.runtime.facts().computeUnits;
  if (units < 2) GTEST_SKIP() << "one work-group is enough for a device of one compute unit";
  Options options = bench.options();
  options.makeStrategy = [](std::uint64_t) { return std::make_unique<InOrder>(); };
  constexpr const char* source = R"(
    #if GROUPS != DEFAULT
    #error in the order in which they are tried
    #endif
    kernel void nothing() {})";
  TunedKernel kernel(bench.runtime, source, "nothing", options);
  auto GROUPS = kernel.addParameter("GROUPS", {2 * units, units - 1, units}, 2 * units);
  kernel.define("DEFAULT", 2 * units);
  kernel.global(GROUPS).local(1);
  ASSERT_TRUE(test::settles(bench, kernel, {}, [&] { return kernel(bench.queue.get(), {}); }));
  ASSERT_EQ(bench.messages().size(), 2u);
  EXPECT_EQ(bench.messages()[0].rfind("GROUPS=" + std::to_string(units) + " failed", 0), 0u) << bench.messages()[0];
}

}  // namespace
}  // namespace hone::opencl
