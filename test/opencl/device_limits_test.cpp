#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::settles;
using test::Workbench;

template <class T>
std::int64_t deviceLimit(cl_device_id device, cl_device_info what) {
  T value{};
  EXPECT_EQ(clGetDeviceInfo(device, what, sizeof(value), &value, nullptr), CL_SUCCESS);
  return static_cast<std::int64_t>(value);
}

std::string whatBuildThrows(TunedKernel& kernel) {
  try {
    kernel.build();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* kNothing = "kernel void nothing() {}";

TEST(DeviceLimits, DefaultWithTooLargeAWorkGroupThrowsTheConstraint) {
  Workbench bench;
  const std::int64_t limit = deviceLimit<std::size_t>(bench.device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  auto X = kernel.addParameter("X", {1, limit}, limit);
  auto Y = kernel.addParameter("Y", {1, 2}, 2);
  kernel.global(X, Y).local(X, Y);
  const std::string message = whatBuildThrows(kernel);
  EXPECT_TRUE(contains(message, "'X * Y <= " + std::to_string(limit) + "'")) << message;
  EXPECT_TRUE(contains(message, "X=" + std::to_string(limit) + ", Y=2")) << message;
}

TEST(DeviceLimits, DefaultWithTooManyWorkItemsInADimensionThrowsTheConstraint) {
  Workbench bench;
  std::size_t limits[3] = {};
  ASSERT_EQ(clGetDeviceInfo(bench.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof(limits), limits, nullptr), CL_SUCCESS);
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  auto X =
      kernel.addParameter("X", {1, static_cast<std::int64_t>(limits[1]) + 1}, static_cast<std::int64_t>(limits[1]) + 1);
  kernel.global(1, X).local(1, X);
  const std::string message = whatBuildThrows(kernel);
  EXPECT_TRUE(contains(message, "'X >= 1 && X <= " + std::to_string(limits[1]) + "'")) << message;
}

TEST(DeviceLimits, DefaultWithTooMuchLocalMemoryThrowsTheConstraint) {
  Workbench bench;
  const std::int64_t limit = deviceLimit<cl_ulong>(bench.device, CL_DEVICE_LOCAL_MEM_SIZE);
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  auto BYTES = kernel.addParameter("BYTES", {1, limit + 1}, limit + 1);
  kernel.global(1).localMemory(BYTES);
  const std::string message = whatBuildThrows(kernel);
  EXPECT_TRUE(contains(message, "'BYTES <= " + std::to_string(limit) + "'")) << message;
}

TEST(DeviceLimits, CandidatesBeyondThemAreLeftOut) {
  Workbench bench;
  const std::int64_t workGroup = deviceLimit<std::size_t>(bench.device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  const std::int64_t localBytes = deviceLimit<cl_ulong>(bench.device, CL_DEVICE_LOCAL_MEM_SIZE);
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  auto X = kernel.addParameter("X", {0, 1, workGroup, workGroup + 1}, 1);
  auto Y = kernel.addParameter("Y", {1, 2}, 1);
  auto BYTES = kernel.addParameter("BYTES", {0, localBytes + 1}, 0);
  kernel.global(X, Y).local(X, Y).localMemory(BYTES);
  ASSERT_TRUE(settles(bench, kernel, {}, [&] { return kernel(bench.queue.get(), {}); }));
  EXPECT_EQ(kernel.report({}).trials, 2u);  // X, Y = 1, 2 and the limit, 1
  EXPECT_EQ(kernel.report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(DeviceLimits, ReadingProblemSizesTheyRestrictCandidatesOnly) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  auto [N] = kernel.problem("N");
  auto X = kernel.addParameter("X", {1, 100000}, 1);
  kernel.global(N * X).local(N * X);
  kernel.build();
  ASSERT_TRUE(settles(bench, kernel, {8}, [&] { return kernel(bench.queue.get(), {8}); }));
  EXPECT_EQ(kernel.report({8}).trials, 0u);
}

TEST(Space, OfOneConfigurationSettles) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  kernel.addParameter("X", {5}, 5);
  kernel.global(1);
  ASSERT_TRUE(settles(bench, kernel, {}, [&] { return kernel(bench.queue.get(), {}); }));
  EXPECT_EQ(kernel.report({}).trials, 0u);
  EXPECT_EQ(kernel.report({}).best, (NamedConfiguration{{"X", 5}}));
  EXPECT_TRUE(bench.messages().empty());
}

TEST(Space, ThatIsEmptyThrowsTheConstraintAtBuild) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  auto X = kernel.addParameter("X", {1, 2, 4}, 1);
  kernel.require("small", X <= 2);
  kernel.restrictTo("X", {4});
  kernel.global(1);
  EXPECT_EQ(whatBuildThrows(kernel),
            "nothing: no configuration is left: 'X restricted to 4' removed the last ones, such as X=1");
}

TEST(Space, ThatIsEmptyForAProblemLeavesTheDefault) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, kNothing, "nothing", bench.options());
  auto [N] = kernel.problem("N");
  auto X = kernel.addParameter("X", {1, 2, 4}, 1);
  kernel.require("fits", X <= N);
  kernel.global(1);
  ASSERT_TRUE(settles(bench, kernel, {0}, [&] { return kernel(bench.queue.get(), {0}); }));
  EXPECT_EQ(kernel.report({0}).trials, 0u);
  EXPECT_EQ(bench.messages(),
            std::vector<std::string>{"no configuration is left for N=0: 'fits' removed the last ones, such as X=1; the "
                                     "default runs"});
}

}  // namespace
}  // namespace hone::opencl
