// Candidates compiled by hone-worker, on PoCL: what reaches the launches, and what the application may do meanwhile.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "opencl/compiled_functions.h"
#include "opencl/program_counter.h"
#include "opencl/runtime_state.h"
#include "support/opencl_device.h"
#include "support/scoped_variable.h"
#include "support/temporary_file.h"

namespace hone::opencl {
namespace {

using namespace std::chrono_literals;

constexpr int kItems = 256;
constexpr int kManyLaunches = 100'000;  // a worker starts within some of them

constexpr const char* kScale = R"(
  kernel void scale(global int* out, int factor) {
    const int first = get_global_id(0) * PER_ITEM;
    for (int i = first; i < first + PER_ITEM; ++i) out[i] = factor * i;
  })";

/// A runtime with workers on a device of PoCL's, and a kernel with 8 configurations that are all right.
struct WorkerBench {
  explicit WorkerBench(Work work = Work::byThread, cl_device_id wanted = test::poclDevices()[0])
      : device(wanted),
        context(test::makeContext({device})),
        queue(test::makeQueue(context.get(), device)),
        out(test::makeBuffer(context.get(), std::vector<int>(kItems))),
        runtime(context.get(), device, optionsFor(work)) {}

  static RuntimeOptions optionsFor(Work work) {
    RuntimeOptions options;
    options.work = work;
    return options;
  }
  Options options() {
    Options options;
    options.strategy = "random";
    options.slowdownBudget = std::numeric_limits<double>::infinity();
    options.diagnostics = [this](const Diagnostic& diagnostic) {
      const std::lock_guard<std::mutex> lock(mutex);
      received.push_back(diagnostic.message);
    };
    return options;
  }
  std::vector<std::string> messages() {
    const std::lock_guard<std::mutex> lock(mutex);
    return received;
  }

  void declare(const std::string& source = kScale, const std::string& name = "scale") {
    kernel = std::make_unique<TunedKernel>(runtime, source, name, options());
    auto WG = kernel->addParameter("WG", {4, 8}, 8);
    auto PER_ITEM = kernel->addParameter("PER_ITEM", {1, 2, 4, 8}, 1);
    kernel->global(kItems / PER_ITEM).local(WG);
  }
  void launch(int factor) {
    (*kernel)(queue.get(), {}, out.get(), factor).wait();
    const std::vector<int> results = test::read<int>(queue.get(), out, kItems);
    for (int i = 0; i < kItems; ++i) ASSERT_EQ(results[static_cast<std::size_t>(i)], factor * i);
    std::this_thread::sleep_for(1ms);  // workers give way to launches without a pause
  }
  /// Launches until all configurations were tried; steps where there is no thread.
  testing::AssertionResult settles() {
    for (int i = 0; i < kManyLaunches; ++i) {
      launch(i % 1000);
      if (testing::Test::HasFatalFailure()) return testing::AssertionFailure() << "in launch " << i;
      runtime.step();
      if (kernel->report({}).phase == Phase::settled) return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "still " << toString(kernel->report({}).phase);
  }
  detail::RuntimeState& state() { return runtime.state(); }

  // The tests of other parts have none.
  const test::ScopedVariable workers{"HONE_WORKERS", "2"};
  std::mutex mutex;
  std::vector<std::string> received;
  const cl_device_id device;
  const test::OwnedContext context;
  const test::OwnedQueue queue;
  const test::OwnedMemory out;
  Runtime runtime;
  std::unique_ptr<TunedKernel> kernel;
};

TEST(Workers, CompileAllCandidatesAndThisProcessNone) {
  WorkerBench bench;
  bench.declare();
  bench.kernel->build();
  const int before = test::programsCreated();
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(test::programsCreated(), before);
  EXPECT_EQ(bench.kernel->report({}).trials, 7u);
  EXPECT_EQ(bench.kernel->report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(Workers, CompileForProgramsThatStepThemselves) {
  WorkerBench bench(Work::bySteps);
  bench.declare();
  bench.kernel->build();
  const int before = test::programsCreated();
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(test::programsCreated(), before);
  EXPECT_EQ(bench.kernel->report({}).trials, 7u);
}

TEST(Workers, LeaveNothingToCompileToTheLaunches) {
  const std::string name = test::newKernelName();
  std::string source = kScale;
  source.replace(source.find("scale"), 5, name);
  WorkerBench bench(Work::bySteps);  // so that nobody compiles while a launch is looked at
  bench.declare(source, name);
  bench.launch(1);
  for (int i = 0; i < kManyLaunches && bench.kernel->report({}).phase != Phase::settled; ++i) {
    while (bench.state().compiler().building() > 0) bench.runtime.step();
    const std::size_t before = test::compiledFunctions(name);
    bench.launch(2);
    ASSERT_EQ(test::compiledFunctions(name), before);
    bench.runtime.step();
  }
  EXPECT_EQ(bench.kernel->report({}).trials, 7u);
}

/// Tunes a section of one kernel, with work-groups of 4 to 16. `element`: what it writes, of an n that is 3; always 4.
/// `afterLaunch` is told the work-group's size, and the functions that were compiled meanwhile.
void settleSection(WorkerBench& bench, const std::string& element,
                   const std::function<void(std::size_t local, std::size_t compiled)>& afterLaunch) {
  const std::string name = test::newKernelName();
  const std::string source = "kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void " + name +
                             "(global int* out, int n) { out[get_global_id(0)] = " + element + "; }";
  TunedProgram program(bench.runtime, source, name, bench.options());
  const Parameter WG = program.addParameter("WG", {4, 8, 16}, 4);
  program.build();
  const std::vector<NamedSize> problem = {{"n", kItems}};
  for (int i = 0; i < kManyLaunches && (i == 0 || program.report(problem).phase != Phase::settled); ++i) {
    while (bench.state().compiler().building() > 0) bench.runtime.step();
    const std::size_t before = test::compiledFunctions(name);
    program.startMeasurement(problem);
    const cl_kernel kernel = program.kernel(name)();
    const cl_mem out = bench.out.get();
    const int n = 3;
    ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof(out), &out), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
    const std::size_t global = kItems, local = static_cast<std::size_t>(program[WG]);
    ASSERT_EQ(clEnqueueNDRangeKernel(bench.queue.get(), kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
    program.stopMeasurement(1.0 + static_cast<double>(local));
    EXPECT_EQ(test::read<int>(bench.queue.get(), bench.out, kItems)[7], 4);
    afterLaunch(local, test::compiledFunctions(name) - before);
    bench.runtime.step();
    std::this_thread::sleep_for(1ms);  // workers give way to launches without a pause
  }
  EXPECT_EQ(program.report(problem).trials, 2u);
  EXPECT_EQ(program.report(problem).failed, 0u);
}

TEST(Workers, LeaveNothingToCompileToSections) {
  WorkerBench bench(Work::bySteps);
  settleSection(bench, "n + 1", [](std::size_t local, std::size_t compiled) {
    const bool isDefault = local == 4;  // it compiles at its first launch, as it would without tuning
    EXPECT_TRUE(compiled == 0 || isDefault) << local;
  });
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

// A launch with zeros for everything looks 1.2 GB behind the buffer's begin: that says nothing about the candidates.
TEST(Workers, SectionsThatDoNotSurviveZerosAreTunedUnwarmed) {
  WorkerBench bench(Work::bySteps);
  std::size_t compiledByCandidates = 0;
  settleSection(bench, "4 + (((volatile global int*)out)[(3 - n) * 100000000L] & 0)",
                [&](std::size_t local, std::size_t compiled) {
                  if (local != 4) compiledByCandidates += compiled;
                });
  EXPECT_EQ(compiledByCandidates, 2u);
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_NE(bench.messages()[0].find("variants are not warmed up"), std::string::npos) << bench.messages()[0];
}

TEST(Workers, FailedCandidatesAreSetAsideWithTheirLogs) {
  WorkerBench bench;
  bench.declare(std::string("#if PER_ITEM == 4\n#error four\n#endif\n") + kScale);
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(bench.kernel->report({}).failed, 2u);
  ASSERT_EQ(bench.messages().size(), 2u);
  EXPECT_NE(bench.messages()[0].find("PER_ITEM=4"), std::string::npos) << bench.messages()[0];
  EXPECT_NE(bench.messages()[0].find("clBuildProgram"), std::string::npos) << bench.messages()[0];
}

TEST(Workers, SettlingEndsTheBuilds) {
  WorkerBench bench;
  bench.declare();
  for (int i = 0; i < kManyLaunches && bench.state().compiler().building() == 0; ++i) bench.launch(i % 1000);
  EXPECT_GT(bench.state().compiler().building(), 0u);
  bench.kernel->settle();
  bench.runtime.waitUntilIdle();
  EXPECT_EQ(bench.state().compiler().building(), 0u);
  const std::size_t failed = bench.kernel->report({}).failed;
  for (int i = 0; i < 200; ++i) bench.launch(i);
  EXPECT_TRUE(bench.kernel->report({}).isDecided);  // the final waits for none of them
  EXPECT_EQ(bench.kernel->report({}).failed, failed);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(Workers, KernelsMayEndWhileTheirCandidatesAreCompiled) {
  WorkerBench bench;
  for (int i = 0; i < 3; ++i) {
    bench.declare();
    for (int k = 0; k < kManyLaunches && bench.state().compiler().building() == 0; ++k) bench.launch(k % 1000);
    bench.kernel.reset();
    EXPECT_EQ(bench.state().compiler().building(), 0u);
  }
}

TEST(Workers, FindIncludedFilesAfterAChangeOfTheFolder) {
  const test::TemporaryFile file;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file.folder());
  std::ofstream("scale.h") << "#define FACTOR factor\n";
  WorkerBench bench;
  std::string source = std::string("#include \"scale.h\"\n") + kScale;
  source.replace(source.find("factor * i"), 6, "FACTOR");
  bench.declare(source);
  bench.kernel->buildOptions("-I .");
  bench.kernel->build();
  std::filesystem::current_path(before);
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(bench.kernel->report({}).failed, 0u);
}

TEST(Workers, CompileForTheSecondDeviceOfAName) {
  WorkerBench bench(Work::byThread, test::poclDevices(2)[1]);
  bench.declare();
  bench.kernel->build();
  const int before = test::programsCreated();
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(test::programsCreated(), before);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(Workers, CompileForSubDevices) {
  const cl_device_partition_property inOnes[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[64] = {};
  cl_uint count = 0;
  ASSERT_EQ(clCreateSubDevices(test::poclDevices()[0], inOnes, 64, parts, &count), CL_SUCCESS);
  ASSERT_GE(count, 1u);
  {
    WorkerBench bench(Work::byThread, parts[count - 1]);
    bench.declare();
    bench.kernel->build();
    const int before = test::programsCreated();
    ASSERT_TRUE(bench.settles());
    EXPECT_EQ(test::programsCreated(), before);
    EXPECT_EQ(bench.kernel->report({}).failed, 0u);
    EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
  }
  for (cl_uint i = 0; i < count; ++i) clReleaseDevice(parts[i]);
}

TEST(Workers, EightThreadsOnAColdCacheBuildTheDefaultOnce) {
  WorkerBench bench;
  bench.declare();
  const int before = test::programsCreated();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto queue = test::makeQueue(bench.context.get(), bench.device);
      const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(kItems));
      (*bench.kernel)(queue.get(), {}, out.get(), 3).wait();
      EXPECT_EQ(test::read<int>(queue.get(), out, kItems)[255], 3 * 255);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(test::programsCreated() - before, 1);
}

TEST(Workers, AreNoChildrenOfTheApplication) {
  WorkerBench bench;
  bench.declare();
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Workers, ForkedChildRunsTheDefaultAndLetsTheParentGoOn) {
  WorkerBench bench;
  bench.declare();
  for (int i = 0; i < kManyLaunches && bench.state().compiler().building() == 0; ++i) bench.launch(i % 1000);
  const pid_t child = fork();
  if (child == 0) {  // PoCL's own threads do not exist here, so nothing is launched
    bench.kernel->settle();
    bench.runtime.step();
    bench.runtime.waitUntilIdle();
    bench.kernel.reset();
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(bench.kernel->report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(Workers, DeviceThatTheWorkerDoesNotFindIsCompiledForHere) {
  test::poclDevices();                                                  // the loader has read its list
  const test::ScopedVariable elsewhere("OCL_ICD_VENDORS", "/nowhere");  // for the worker
  WorkerBench bench;
  bench.declare();
  bench.kernel->build();
  const int before = test::programsCreated();
  ASSERT_TRUE(bench.settles());
  EXPECT_EQ(test::programsCreated() - before, 7);
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_EQ(bench.messages()[0].rfind("there is no compile worker (there is no device 'name:Portable", 0), 0u)
      << bench.messages()[0];
}

TEST(Workers, EnvironmentNamesTheProgram) {
  const test::ScopedVariable program("HONE_WORKER", "/nowhere/hone-worker");
  WorkerBench bench;
  bench.declare();
  ASSERT_TRUE(bench.settles());
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_EQ(bench.messages()[0].rfind("there is no compile worker (/nowhere/hone-worker: No such file", 0), 0u)
      << bench.messages()[0];
}

TEST(Workers, LimitMustBePositive) {
  const cl_device_id device = test::poclDevices()[0];
  const auto context = test::makeContext({device});
  RuntimeOptions options;
  options.compileLimit = std::chrono::nanoseconds(0);
  EXPECT_THROW(Runtime(context.get(), device, options), UsageError);
}

}  // namespace
}  // namespace hone::opencl
