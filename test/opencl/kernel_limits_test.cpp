// What a compiled kernel allows: candidates beyond it are set aside before they are launched.
#include "opencl/kernel_limits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hone/opencl.hpp"
#include "opencl/variant.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using detail::KernelLimits;
using detail::objectionTo;
using detail::objectionToLocalMemory;
using test::settles;
using test::Workbench;

// ---- the rules

TEST(KernelLimits, UnknownOnesAreNone) {
  EXPECT_EQ(objectionTo({4096, 4096, 64}, 3, {}), std::nullopt);
  EXPECT_EQ(objectionToLocalMemory(49152, {}, 49152), std::nullopt);
}

TEST(KernelLimits, WorkGroupMustBeTheRequiredOne) {
  KernelLimits limits;
  limits.requiredWorkGroupSize = {8, 4, 1};
  EXPECT_EQ(objectionTo({8, 4, 1}, 3, limits), std::nullopt);
  EXPECT_EQ(objectionTo({8, 4, 77}, 2, limits), std::nullopt);  // the third is none of two dimensions
  EXPECT_EQ(objectionTo({4, 8, 1}, 3, limits),
            "the kernel requires a work-group of 8 x 4 x 1, the local size is 4 x 8 x 1");
  EXPECT_EQ(objectionTo({8, 0, 0}, 1, limits), "the kernel requires a work-group of 8 x 4 x 1, the local size is 8");
}

TEST(KernelLimits, WorkGroupMustNotHaveMoreWorkItemsThanTheKernelAllows) {
  KernelLimits limits;
  limits.maxWorkGroupSize = 256;
  limits.privateBytes = 512;
  EXPECT_EQ(objectionTo({32, 8, 0}, 2, limits), std::nullopt);
  EXPECT_EQ(objectionTo({32, 9, 0}, 2, limits),
            "the kernel allows work-groups of 256 work-items, the local size is 32 x 9 (private memory of a "
            "work-item: 512 bytes)");
}

TEST(KernelLimits, LocalMemoryIsTheKernelsAndTheArguments) {
  KernelLimits limits;
  limits.localBytes = 1000;
  EXPECT_EQ(objectionToLocalMemory(24, limits, 1024), std::nullopt);
  EXPECT_EQ(objectionToLocalMemory(25, limits, 1024),
            "a work-group needs 1025 bytes of local memory (25 as arguments), the device has 1024");
  EXPECT_NE(objectionToLocalMemory(0, limits, 999), std::nullopt);
}

// ---- what the driver tells

TEST(KernelLimits, AreWhatTheDriverFound) {
  Workbench bench;
  constexpr const char* source = R"(
    __attribute__((reqd_work_group_size(4, 2, 1)))
    kernel void first(global int* out) {
      local int shared[50];
      shared[get_local_id(0)] = get_local_id(1);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = shared[3 - get_local_id(0)];
    }
    kernel void second(global int* out) { out[0] = 1; })";
  detail::Variant variant(detail::buildFromSource(bench.context.get(), bench.device, source, ""), bench.device, "");
  ASSERT_EQ(variant.limits().size(), 2u);
  const std::size_t first = variant.kernelNames()[0] == "first" ? 0 : 1;
  const KernelLimits& limits = variant.limits()[first];
  EXPECT_EQ(limits.requiredWorkGroupSize, (std::array<std::size_t, 3>{4, 2, 1}));
  EXPECT_EQ(limits.localBytes, 200u);
  EXPECT_EQ(limits.maxWorkGroupSize, std::nullopt);  // the required size decides
  EXPECT_EQ(variant.limits()[1 - first].requiredWorkGroupSize, (std::array<std::size_t, 3>{}));
  EXPECT_EQ(variant.limits()[1 - first].localBytes, 0u);
  // PoCL has no registers to run out of.
  EXPECT_EQ(variant.limits()[1 - first].maxWorkGroupSize, bench.runtime.facts().maxWorkGroupSize);
}

// ---- candidates

/// X is the work-group that the kernel requires; all are launched with 4. `more` is another argument.
std::string requiringX(const std::string& more) {
  return "__attribute__((reqd_work_group_size(X, 1, 1))) kernel void which(global int* out" + more +
         ") { out[get_global_id(0)] = X; }";
}

const std::vector<std::string> kRequirement{
    "X=8 failed: the kernel requires a work-group of 8 x 1 x 1, the local size is 4"};

TEST(KernelLimits, CandidateThatRequiresAnotherWorkGroupIsSetAside) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, requiringX(""), "which", bench.options());
  kernel.addParameter("X", {4, 8}, 4);
  kernel.global(16).local(4);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(16));
  ASSERT_TRUE(settles(bench, kernel, {}, [&] { return kernel(bench.queue.get(), {}, out.get()); }));
  EXPECT_EQ(kernel.report({}).failed, 1u);
  EXPECT_EQ(bench.messages(), kRequirement);
}

/// Kernels with a sampler are not warmed up, as it is on GPUs with all kernels.
struct Sampler {
  explicit Sampler(cl_context context) {
    const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
    handle = clCreateSamplerWithProperties(context, properties, nullptr);
  }
  ~Sampler() { clReleaseSampler(handle); }
  cl_sampler handle;
};

TEST(KernelLimits, CandidateThatIsNotWarmedUpIsSetAsideBeforeALaunchOfIt) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, requiringX(", sampler_t unused"), "which", bench.options());
  kernel.addParameter("X", {4, 8}, 4);
  kernel.global(16).local(4);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(16));
  const Sampler sampler(bench.context.get());
  ASSERT_TRUE(settles(bench, kernel, {}, [&] {
    const std::size_t messagesBefore = bench.messages().size();
    Event done = kernel(bench.queue.get(), {}, out.get(), sampler.handle);
    EXPECT_EQ(bench.messages().size(), messagesBefore) << "failed in a launch";
    return done;
  }));
  EXPECT_EQ(bench.messages(), kRequirement);
}

TEST(KernelLimits, CandidateOfAVariantThatIsThereAlreadyIsSetAsideToo) {
  Workbench bench;
  TunedKernel kernel(bench.runtime,
                     "__attribute__((reqd_work_group_size(4, 1, 1))) kernel void which(global int* out) "
                     "{ out[get_global_id(0)] = 1; }",
                     "which", bench.options());
  auto [N] = kernel.problem("N");
  auto X = kernel.addParameter("X", {0, 1}, 0);
  kernel.global(16).local(select(X == 1 && N == 2, 8, 4));
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(16));
  // X is no part of the source, but of the options: the second problem finds the first one's variants.
  ASSERT_TRUE(settles(bench, kernel, {1}, [&] { return kernel(bench.queue.get(), {1}, out.get()); }));
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
  ASSERT_TRUE(settles(bench, kernel, {2}, [&] { return kernel(bench.queue.get(), {2}, out.get()); }));
  EXPECT_EQ(bench.messages(),
            std::vector<std::string>{"X=1 failed: the kernel requires a work-group of 4 x 1 x 1, the local size is 8"});
}

TEST(KernelLimits, CandidateWithTooMuchLocalMemoryAmongItsArgumentsIsSetAside) {
  for (const bool isWarmedUp : {true, false}) {
    Workbench bench;
    const auto limit = static_cast<std::int64_t>(bench.runtime.facts().localMemoryBytes);
    const std::string source = std::string("kernel void which(global int* out, local int* a, local int* b") +
                               (isWarmedUp ? "" : ", sampler_t unused") +
                               ") { local int own[10]; own[get_local_id(0)] = X; a[0] = 1; b[0] = own[0]; "
                               "out[get_global_id(0)] = b[0]; }";
    TunedKernel kernel(bench.runtime, source, "which", bench.options());
    auto X = kernel.addParameter("X", {1, 2, 3}, 1);
    kernel.global(16).local(1);
    const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(16));
    // 40 bytes are the kernel's own: with X=2 it is as much as there is, with X=3 one more.
    const LocalBytes rest = localBytes(select(X == 1, 64, limit - 40 - 64 + (X - 2)));
    const Sampler sampler(bench.context.get());
    ASSERT_TRUE(settles(bench, kernel, {}, [&] {
      const std::size_t messagesBefore = bench.messages().size();
      Event done = isWarmedUp ? kernel(bench.queue.get(), {}, out.get(), rest, cl::Local(64))
                              : kernel(bench.queue.get(), {}, out.get(), rest, cl::Local(64), sampler.handle);
      EXPECT_EQ(bench.messages().size(), messagesBefore) << "failed in a launch";
      return done;
    }));
    EXPECT_EQ(bench.messages(), std::vector<std::string>{"X=3 failed: a work-group needs " + std::to_string(limit + 1) +
                                                         " bytes of local memory (" + std::to_string(limit - 39) +
                                                         " as arguments), the device has " + std::to_string(limit)});
  }
}

// ---- programs that launch for themselves

/// Measures until the problem has settled; the launches do not matter.
testing::AssertionResult settles(Workbench& bench, TunedProgram& program) {
  for (int i = 0; i < 500; ++i) {
    program.startMeasurement();
    program.stopMeasurement(1.0);
    bench.runtime.step();
    if (program.report().phase == Phase::settled) return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "still exploring";
}

TEST(KernelLimits, KernelOfAProgramWithTooMuchLocalMemorySetsTheCandidateAside) {
  Workbench bench;
  const auto limit = static_cast<std::int64_t>(bench.runtime.facts().localMemoryBytes);
  constexpr const char* source = R"(
    kernel void first(global int* out) { out[0] = 1; }
    kernel void second(global char* out) {
      local char own[X];
      own[get_local_id(0)] = 1;
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = own[0];
    })";
  TunedProgram program(bench.runtime, source, "both", bench.options());
  program.addParameter("X", {16, limit, limit + 1}, 16);
  ASSERT_TRUE(settles(bench, program));
  EXPECT_EQ(program.report().failed, 1u);
  EXPECT_EQ(bench.messages(),
            std::vector<std::string>{
                "X=" + std::to_string(limit + 1) + " failed: second: a work-group needs " + std::to_string(limit + 1) +
                " bytes of local memory (0 as arguments), the device has " + std::to_string(limit)});
}

TEST(KernelLimits, WorkGroupThatNoKernelOfAProgramAllowsSetsTheCandidateAside) {
  Workbench bench;
  constexpr const char* source = R"(
    __attribute__((reqd_work_group_size(X, 1, 1))) kernel void first(global int* out) { out[0] = 1; }
    __attribute__((reqd_work_group_size(Y, 1, 1))) kernel void second(global int* out) { out[0] = 1; })";
  TunedProgram program(bench.runtime, source, "both", bench.options());
  program.addParameter("X", {4, 8}, 4);
  program.addParameter("Y", {4, 8}, 4);
  program.workGroup(4);
  ASSERT_TRUE(settles(bench, program));
  EXPECT_EQ(program.report().trials, 3u);
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_EQ(bench.messages()[0],
            "X=8, Y=8 failed: no kernel allows the work-group; as to the last, the kernel requires a work-group of "
            "8 x 1 x 1, the local size is 4");
}

}  // namespace
}  // namespace hone::opencl
