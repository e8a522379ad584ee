#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::ascending;
using test::settles;
using test::Workbench;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The message of the Error that `action` throws; empty if it throws none.
template <class Action>
std::string errorFrom(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// ---- candidates

TEST(TunedKernelFailures, CandidateThatDoesNotCompileIsReportedOnce) {
  Workbench bench;
  constexpr const char* source = R"(
    #if X == 3
    #error three is out
    #endif
    kernel void which(global int* out) { out[0] = X; })";
  TunedKernel kernel(bench.runtime, source, "which", bench.options());
  kernel.addParameter("X", {1, 2, 3}, 1);
  kernel.global(1).local(1);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>{0});
  ASSERT_TRUE(settles(bench, kernel, {}, [&] {
    test::write(bench.queue.get(), out, std::vector<int>{0});
    Event done = kernel(bench.queue.get(), {}, out.get());
    const int x = bench.ints(out, 1)[0];
    EXPECT_TRUE(x == 1 || x == 2) << x;
    return done;
  }));
  EXPECT_EQ(kernel.report({}).trials, 2u);
  EXPECT_EQ(kernel.report({}).failed, 1u);
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_EQ(bench.messages()[0].rfind("X=3 failed: clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)", 0), 0u)
      << bench.messages()[0];
  EXPECT_TRUE(contains(bench.messages()[0], "three is out"));
}

TEST(TunedKernelFailures, CandidateWithoutGeometryOrMacroIsReportedOnce) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, "kernel void which(global int* out) { out[0] = X; }", "which", bench.options());
  auto X = kernel.addParameter("X", {1, 2, 3, 4}, 1);
  kernel.global(select(X == 2, 0, 8)).local(select(X == 3, 1 / (X - 3), 1)).define("Y", 1 / (X - 4));
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>{0});
  ASSERT_TRUE(settles(bench, kernel, {}, [&] {
    Event done = kernel(bench.queue.get(), {}, out.get());
    EXPECT_EQ(bench.ints(out, 1)[0], 1);
    return done;
  }));
  // The constraint on the local size has no value for X=3, so that one is not in the space.
  EXPECT_EQ(kernel.report({}).failed, 2u);
  ASSERT_EQ(bench.messages().size(), 2u);
  const std::string both = bench.messages()[0] + bench.messages()[1];
  EXPECT_TRUE(contains(both, "X=2 failed: which: global size")) << both;
  EXPECT_TRUE(contains(both, "X=4 failed: which: macro Y")) << both;
}

TEST(TunedKernelFailures, CandidateThatDoesNotWarmUpIsReportedOnce) {
  Workbench bench;
  constexpr const char* source = R"(
    #if X == 8
    #define NUMBER long
    #else
    #define NUMBER int
    #endif
    kernel void which(global int* out, NUMBER n) { out[get_global_id(0)] = X + (int)n; })";
  TunedKernel kernel(bench.runtime, source, "which", bench.options());
  kernel.addParameter("X", {4, 8}, 4);
  kernel.global(16).local(4);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(16));
  ASSERT_TRUE(settles(bench, kernel, {}, [&] {
    test::write(bench.queue.get(), out, std::vector<int>(16));
    const std::size_t messagesBefore = bench.messages().size();
    Event done = kernel(bench.queue.get(), {}, out.get(), 0);
    EXPECT_EQ(bench.messages().size(), messagesBefore) << "failed in a launch, not in its warm-up";
    EXPECT_EQ(bench.ints(out, 16), std::vector<int>(16, 4));
    return done;
  }));
  EXPECT_EQ(kernel.report({}).failed, 1u);
  EXPECT_EQ(bench.messages(), std::vector<std::string>{"X=8 failed: clSetKernelArg: CL_INVALID_ARG_SIZE (-51)"});
}

TEST(TunedKernelFailures, LaunchThatFailsIsDoneByTheIncumbentInTheSameCall) {
  Workbench bench;
  // Kernels with a sampler are not warmed up, so that the candidate fails when it is launched.
  constexpr const char* source = R"(
    #if X == 3
    #define NUMBER long
    #else
    #define NUMBER int
    #endif
    kernel void which(global int* out, sampler_t unused, NUMBER n) { out[get_global_id(0)] = X + (int)n; })";
  TunedKernel kernel(bench.runtime, source, "which", bench.options());
  kernel.addParameter("X", {1, 2, 3}, 1);
  kernel.global(16).local(4);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(16));
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
  const cl_sampler sampler = clCreateSamplerWithProperties(bench.context.get(), properties, nullptr);
  int failuresInLaunches = 0;
  ASSERT_TRUE(settles(bench, kernel, {}, [&] {
    test::write(bench.queue.get(), out, std::vector<int>(16));
    const std::size_t messagesBefore = bench.messages().size();
    Event done = kernel(bench.queue.get(), {}, out.get(), sampler, 0);
    failuresInLaunches += static_cast<int>(bench.messages().size() - messagesBefore);
    EXPECT_NE(done(), nullptr);
    const std::vector<int> results = bench.ints(out, 16);
    EXPECT_TRUE(results == std::vector<int>(16, 1) || results == std::vector<int>(16, 2)) << results[0];
    return done;
  }));
  EXPECT_EQ(failuresInLaunches, 1);
  EXPECT_EQ(kernel.report({}).trials, 2u);
  EXPECT_EQ(kernel.report({}).failed, 1u);
  EXPECT_EQ(bench.messages(),
            std::vector<std::string>{"X=3 failed: clSetKernelArg 2 of which: CL_INVALID_ARG_SIZE (-51)"});
  clReleaseSampler(sampler);
}

TEST(TunedKernelFailures, DefaultRunsWhereEveryCandidateFails) {
  Workbench bench;
  constexpr const char* source = R"(
    #if X != 0
    #error not the default
    #endif
    kernel void which(global int* out) { out[0] += 1; })";
  TunedKernel kernel(bench.runtime, source, "which", bench.options());
  kernel.addParameter("X", {0, 1, 2, 3, 4, 5}, 0);
  kernel.global(1).local(1);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>{0});
  int launches = 0;
  ASSERT_TRUE(settles(bench, kernel, {}, [&] {
    Event done = kernel(bench.queue.get(), {}, out.get());
    EXPECT_EQ(bench.ints(out, 1)[0], ++launches);
    return done;
  }));
  const Report report = kernel.report({});
  EXPECT_EQ(report.trials, 5u);
  EXPECT_EQ(report.failed, 5u);
  EXPECT_EQ(report.best, (NamedConfiguration{{"X", 0}}));
  EXPECT_EQ(bench.messages().size(), 5u);
  kernel(bench.queue.get(), {}, out.get()).wait();
  EXPECT_EQ(bench.ints(out, 1)[0], ++launches);
}

// ---- the default

TEST(TunedKernelFailures, DefaultThatDoesNotCompileThrowsTheLog) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, "#error never\n", "which", bench.options());
  kernel.addParameter("X", {1, 2}, 1);
  kernel.global(1);
  try {
    kernel.build();
    FAIL() << "it compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_TRUE(contains(error.what(), "never")) << error.what();
    EXPECT_TRUE(contains(error.what(), "-D X=1")) << error.what();
  }
  EXPECT_THROW(kernel(bench.queue.get(), {}), Error);  // and again, where the first launch builds
}

TEST(TunedKernelFailures, DefaultWithoutTheKernelThrowsItsName) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, "kernel void which() {}", "witch", bench.options());
  kernel.addParameter("X", {1, 2}, 1);
  kernel.global(1);
  EXPECT_EQ(errorFrom([&] { kernel.build(); }), "clCreateKernel 'witch': CL_INVALID_KERNEL_NAME (-46)");
}

TEST(TunedKernelFailures, DefaultWithoutGeometryThrowsTheExpression) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, "kernel void which() {}", "which", bench.options());
  auto [N] = kernel.problem("N");
  kernel.addParameter("X", {1, 2}, 1);
  kernel.global(8 / N - 1);
  kernel(bench.queue.get(), {4}).wait();
  const auto message = [&](int n) {
    try {
      kernel(bench.queue.get(), {n});
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(0), "which: global size '8 / N - 1' divides by zero");
  EXPECT_EQ(message(8), "which: global size '8 / N - 1' is 0");
  EXPECT_EQ(message(9), "which: global size '8 / N - 1' is negative: -1");
}

// ---- wrong arguments: the launch is at fault, not a configuration

/// Writes n times X to out; with X=1 far slower than with others, so that one of them becomes the incumbent.
constexpr const char* kArguments = R"(
  kernel void which(global int* out, int n, uint zero) {
    uint x = 1;
    for (int r = 0; r < (X == 1 ? 5000000 : 1); ++r) x = x * x + r;
    out[0] = n * X + (int)(x * zero);
  })";

struct ArgumentsKernel {
  explicit ArgumentsKernel(Workbench& bench)
      : kernel(bench.runtime, kArguments, "which", bench.options()),
        queue(bench.queue.get()),
        out(test::makeBuffer(bench.context.get(), std::vector<int>{0})) {
    kernel.addParameter("X", {1, 2, 3}, 1);
    kernel.global(1).local(1);
  }
  Event launch() { return kernel(queue, {}, out.get(), 10, cl_uint{0}); }
  Event launchWithWrongSize() { return kernel(queue, {}, out.get(), std::int64_t{10}, cl_uint{0}); }
  Event launchWithTooFew() { return kernel(queue, {}, out.get(), 10); }
  Event launchWithTooMany() { return kernel(queue, {}, out.get(), 10, cl_uint{0}, 1); }

  TunedKernel kernel;
  cl_command_queue queue;
  test::OwnedMemory out;
};

TEST(TunedKernelFailures, WrongArgumentThrowsItsNumber) {
  Workbench bench;
  ArgumentsKernel run(bench);
  run.launch().wait();
  EXPECT_EQ(errorFrom([&] { run.launchWithWrongSize(); }), "clSetKernelArg 1 of which: CL_INVALID_ARG_SIZE (-51)");
  EXPECT_THROW(run.launchWithTooMany(), UsageError);
  EXPECT_THROW(run.launchWithTooFew(), UsageError);  // although the pooled kernel still has them all
  run.launch().wait();
}

TEST(TunedKernelFailures, WrongArgumentsWhileTuningBlameNoCandidate) {
  Workbench bench;
  ArgumentsKernel run(bench);
  run.launch().wait();
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] {
    EXPECT_THROW(run.launchWithWrongSize(), Error);
    EXPECT_THROW(run.launchWithTooMany(), UsageError);
    return run.launch();
  }));
  EXPECT_EQ(run.kernel.report({}).trials, 2u);
  EXPECT_EQ(run.kernel.report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(TunedKernelFailures, WrongArgumentInTheFirstLaunchBlamesNoCandidate) {
  Workbench bench;
  ArgumentsKernel run(bench);
  EXPECT_THROW(run.launchWithWrongSize(), Error);
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] { return run.launch(); }));
  EXPECT_EQ(run.kernel.report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(TunedKernelFailures, WrongArgumentOnceSettledBlamesNotTheIncumbent) {
  Workbench bench;
  ArgumentsKernel run(bench);
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] { return run.launch(); }));
  const NamedConfiguration best = run.kernel.report({}).best;
  ASSERT_NE(best[0].second, 1);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(errorFrom([&] { run.launchWithWrongSize(); }), "clSetKernelArg 1 of which: CL_INVALID_ARG_SIZE (-51)");
    run.launch().wait();
    EXPECT_EQ(bench.ints(run.out, 1)[0], 10 * best[0].second);
  }
  EXPECT_EQ(run.kernel.report({}).best, best);
  EXPECT_EQ(run.kernel.report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

}  // namespace
}  // namespace hone::opencl
