// Kernels of whose arguments nothing is known are compiled for their work-groups all the same, as far as they can be.

#include "opencl/blind_warm_up.h"

#include <gtest/gtest.h>

#include <string>

#include "opencl/compiled_functions.h"
#include "opencl/in_process_compiler.h"
#include "opencl/job_builder.h"
#include "opencl/variant.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using hone::detail::CompileJob;
using hone::detail::CompileResult;
using test::compiledFunctions;
using test::Workbench;

struct BlindWarmUp : testing::Test {
  /// `parameters` and `body` of a kernel of a new name with work-groups of 8.
  CompileJob job(const std::string& parameters, const std::string& body) {
    CompileJob job;
    name = test::newKernelName();
    job.source =
        "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void " + name + "(" + parameters + ") {" + body + "}";
    job.blindWarmUp = {true};
    return job;
  }
  CompileResult build(const CompileJob& job) {
    return detail::buildJob(bench.context.get(), bench.device, bench.runtime.facts().localMemoryBytes, job);
  }

  const Workbench bench;
  std::string name;
};

TEST_F(BlindWarmUp, LeavesNothingToCompileToTheLaunches) {
  const CompileJob job =
      this->job("int n, float4 f, double d, global int* out, constant uchar* in, local long* shared, ulong8 u",
                "shared[get_local_id(0)] = in[0] + n + (int)f.w + (int)d + (int)u.s7;"
                "barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = shared[0];");
  const CompileResult result = build(job);
  ASSERT_FALSE(result.binary.empty()) << result.log;
  EXPECT_GT(result.warmUpTime.count(), 0);
  const std::size_t compiled = compiledFunctions(name);

  const auto program = detail::buildFromBinary(bench.context.get(), bench.device, result.binary, job.options);
  const auto kernel = detail::makeKernel(program.get(), name);
  const auto out = test::makeBytes(bench.context.get(), detail::kLargeGrid * sizeof(int));
  const cl_mem buffer = out.get();
  const unsigned char zeros[64] = {};
  const std::size_t sizes[] = {4, 16, 8, sizeof(cl_mem), sizeof(cl_mem), 64, 64};
  for (cl_uint i = 0; i < 7; ++i) {
    const void* value = i == 3 || i == 4 ? static_cast<const void*>(&buffer) : zeros;
    ASSERT_EQ(clSetKernelArg(kernel.get(), i, sizes[i], i == 5 ? nullptr : value), CL_SUCCESS) << i;
  }
  for (const std::size_t global : {std::size_t{64}, detail::kLargeGrid}) {
    const std::size_t local = 8;
    ASSERT_EQ(clEnqueueNDRangeKernel(bench.queue.get(), kernel.get(), 1, nullptr, &global, &local, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  }
  EXPECT_EQ(compiledFunctions(name), compiled);
}

TEST_F(BlindWarmUp, LargeGridsHaveAFunctionOfTheirOwn) {
  CompileJob job = this->job("global int* out", "out[get_global_id(0)] = 1;");
  job.blindWarmUp = {false};
  build(job);
  EXPECT_EQ(compiledFunctions(name), 2u);
  job.blindWarmUp = {true};
  build(job);
  EXPECT_EQ(compiledFunctions(name), 3u);
}

// 8192 work-groups of it would take seconds.
TEST_F(BlindWarmUp, LargeGridsAreLeftOutWhereZerosAreMuchWork) {
  build(job("int n, global int* out", "for (int i = n; i < 100000; ++i) ((volatile global int*)out)[i % 16] = i;"));
  EXPECT_EQ(compiledFunctions(name), 2u);
}

// A gibibyte behind its pointer is the kernel's, and of zeros.
TEST_F(BlindWarmUp, BuffersAreLargerThanMostKernelsLook) {
  const CompileResult result = build(job("global long* a", "a[100000000 + get_global_id(0)] = 1 / (a[3] == 0);"));
  EXPECT_FALSE(result.binary.empty()) << result.log;
}

// And so is all local memory that there is.
TEST_F(BlindWarmUp, LocalArgumentsAreAsLargeAsTheyCanBe) {
  const auto ints = static_cast<std::size_t>(bench.runtime.facts().localMemoryBytes / sizeof(int));
  const CompileResult result = build(job("local int* a", "a[" + std::to_string(ints - 1) + "] = 1;"));
  EXPECT_FALSE(result.binary.empty()) << result.log;
  EXPECT_EQ(compiledFunctions(name), 3u);
}

TEST_F(BlindWarmUp, LeavesOutWhatItCannotLaunch) {
  for (const char* parameters :
       {"read_only image2d_t a, sampler_t b", "struct { int a; } b", "global int* a, event_t b"}) {
    const CompileJob job = this->job(parameters, "");
    const CompileResult result = build(job);
    if (result.binary.empty()) continue;  // that the compiler refuses such a kernel is as good
    EXPECT_EQ(compiledFunctions(name), 1u) << parameters;
  }
  CompileJob anySize = job("int a", "");
  anySize.source = "kernel void " + name + "(int a) {}";
  EXPECT_FALSE(build(anySize).binary.empty());
}

// A crash would be the application's.
TEST_F(BlindWarmUp, IsLeftToOtherProcesses) {
  detail::InProcessCompiler compiler(bench.context.get(), bench.device, bench.runtime.facts().localMemoryBytes);
  CompileResult result;
  compiler.submit(this, job("int n, global int* out", "*(volatile global int*)(size_t)n = 1 / n;"),
                  [&](const CompileResult& r) { result = r; });
  ASSERT_TRUE(compiler.step());
  EXPECT_FALSE(result.binary.empty()) << result.log;
  EXPECT_EQ(result.warmUpTime.count(), 0);
}

TEST(SizeOfNumber, IsThatOfItsElementsTimesTheirPowerOfTwo) {
  EXPECT_EQ(detail::sizeOfNumber("int"), 4u);
  EXPECT_EQ(detail::sizeOfNumber("uchar3"), 4u);
  EXPECT_EQ(detail::sizeOfNumber("double16"), 128u);
  EXPECT_EQ(detail::sizeOfNumber("half8"), 16u);
  for (const char* other : {"", "int5", "int16x", "float*", "struct S", "image2d_t", "2", "bool"})
    EXPECT_EQ(detail::sizeOfNumber(other), std::nullopt) << other;
}

}  // namespace
}  // namespace hone::opencl
