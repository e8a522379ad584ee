#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "opencl/program_counter.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::ascending;
using test::Workbench;

// Each takes the other's macro for granted: a launch that mixed two configurations would leave elements out.
constexpr const char* kTwoKernels = R"(
  kernel void twice(global const int* in, global int* between, int n) {
    const int first = get_global_id(0) * PER_ITEM;
    for (int i = first; i < first + PER_ITEM && i < n; ++i) between[i] = 2 * in[i];
  }
  kernel void plusOne(global const int* between, global int* out, int n, global int* whoRan) {
    const int first = get_global_id(0) * PER_ITEM;
    for (int i = first; i < first + PER_ITEM && i < n; ++i) out[i] = between[i] + 1;
    if (get_global_id(0) == 0) whoRan[0] = PER_ITEM;
  })";

/// A section of two kernels on a queue of its own, which a profiling or a plain one can be.
struct Section {
  static constexpr int kItems = 211;  // a prime: no tile divides it

  explicit Section(Workbench& bench)
      : queue(test::makeQueue(bench.context.get(), bench.device)),
        in(test::makeBuffer(bench.context.get(), ascending(kItems))),
        between(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))),
        out(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))),
        whoRan(test::makeBuffer(bench.context.get(), std::vector<int>{0})) {}

  /// Launches both kernels; returns their events.
  std::pair<Event, Event> launch(Kernel twice, Kernel plusOne, std::int64_t perItem) {
    set(twice, 0, in);
    set(twice, 1, between);
    EXPECT_EQ(clSetKernelArg(twice(), 2, sizeof(kItems), &kItems), CL_SUCCESS);
    set(plusOne, 0, between);
    set(plusOne, 1, out);
    EXPECT_EQ(clSetKernelArg(plusOne(), 2, sizeof(kItems), &kItems), CL_SUCCESS);
    set(plusOne, 3, whoRan);
    test::write(queue.get(), out, std::vector<int>(kItems, -1));
    Event first = enqueue(twice, perItem);
    Event last = enqueue(plusOne, perItem);
    return {std::move(first), std::move(last)};
  }

  bool isRight() const {
    const std::vector<int> result = test::read<int>(queue.get(), out, kItems);
    for (int i = 0; i < kItems; ++i) {
      if (result[static_cast<std::size_t>(i)] != 2 * i + 1) return false;
    }
    return true;
  }

  int perItemThatRan() const { return test::read<int>(queue.get(), whoRan, 1)[0]; }

  test::OwnedQueue queue;

 private:
  static void set(Kernel kernel, cl_uint index, const test::OwnedMemory& buffer) {
    const cl_mem handle = buffer.get();
    EXPECT_EQ(clSetKernelArg(kernel(), index, sizeof(handle), &handle), CL_SUCCESS);
  }

  Event enqueue(Kernel kernel, std::int64_t perItem) {
    const auto global = static_cast<std::size_t>((kItems + perItem - 1) / perItem);
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue.get(), kernel(), 1, nullptr, &global, nullptr, 0, nullptr, &event),
              CL_SUCCESS);
    return Event(event);
  }

  test::OwnedMemory in, between, out, whoRan;
};

/// The three calls around the section, with a cost that depends on the configuration alone: 10 + |PER_ITEM - 5|.
struct TunedSection {
  explicit TunedSection(Workbench& workbench, Options options = {})
      : bench(workbench), section(workbench), program(workbench.runtime, kTwoKernels, "section", std::move(options)) {
    perItem = std::make_unique<Parameter>(program.addParameter("PER_ITEM", {1, 2, 3, 5, 8}, 1));
  }

  /// Returns the PER_ITEM that ran.
  std::int64_t run() {
    program.startMeasurement({{"n", Section::kItems}});
    const std::int64_t chosen = program[*perItem];
    section.launch(program.kernel("twice"), program.kernel("plusOne"), chosen);
    EXPECT_TRUE(section.isRight()) << "PER_ITEM=" << chosen;
    EXPECT_EQ(section.perItemThatRan(), chosen);
    program.stopMeasurement(10.0 + static_cast<double>(std::abs(chosen - 5)));
    bench.runtime.step();
    return chosen;
  }

  Report report() const { return program.report({{"n", Section::kItems}}); }

  Workbench& bench;
  Section section;
  TunedProgram program;
  std::unique_ptr<Parameter> perItem;
};

TEST(TunedProgram, AllKernelsAreOfTheOneConfigurationThatIsBest) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  tuned.program.build();
  std::set<std::int64_t> seen;
  for (int i = 0; i < 150; ++i) seen.insert(tuned.run());
  const Report report = tuned.report();
  EXPECT_EQ(report.phase, Phase::settled);
  EXPECT_EQ(report.best, (NamedConfiguration{{"PER_ITEM", 5}}));
  EXPECT_EQ(report.trials, 4u);
  EXPECT_EQ(report.failed, 0u);
  EXPECT_EQ(report.launches, 150u);
  EXPECT_EQ(report.bestCost, 10.0);
  EXPECT_EQ(report.defaultCost, 14.0);
  EXPECT_EQ(seen, (std::set<std::int64_t>{1, 2, 3, 5, 8}));
  EXPECT_EQ(tuned.run(), 5);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(TunedProgram, MeasurementsCompileNothing) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  tuned.program.build();
  const int afterBuild = test::programsCreated();
  int bySteps = 0;
  for (int i = 0; i < 150; ++i) {
    const int before = test::programsCreated();
    tuned.program.startMeasurement({{"n", Section::kItems}});
    const std::int64_t chosen = tuned.program[*tuned.perItem];
    tuned.section.launch(tuned.program.kernel("twice"), tuned.program.kernel("plusOne"), chosen);
    tuned.program.stopMeasurement(10.0 + static_cast<double>(chosen));
    ASSERT_EQ(test::programsCreated(), before);
    bench.runtime.step();
    bySteps += test::programsCreated() - before;
  }
  EXPECT_EQ(bySteps, 4);
  EXPECT_EQ(test::programsCreated() - afterBuild, 4);
}

TEST(TunedProgram, FirstMeasurementBuildsTheDefaultWhereNobodyDid) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  const int before = test::programsCreated();
  EXPECT_EQ(tuned.run(), 1);
  EXPECT_GE(test::programsCreated() - before, 1);
}

TEST(TunedProgram, EventTimesOfASectionAreItsCosts) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  for (int i = 0; i < 20000 && (i < 60 || tuned.report().trials == 0); ++i) {
    tuned.program.startMeasurement({{"n", Section::kItems}});
    const auto [first, last] = tuned.section.launch(tuned.program.kernel("twice"), tuned.program.kernel("plusOne"),
                                                    tuned.program[*tuned.perItem]);
    tuned.program.stopMeasurement(elapsed(first, last));
    EXPECT_TRUE(tuned.section.isRight());
    bench.runtime.step();
  }
  const Report report = tuned.report();
  EXPECT_GT(report.trials, 0u);
  EXPECT_GT(report.defaultCost.value(), 0);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

// On a CPU device the first launch of a variant compiles it, so that its cost says nothing.
TEST(TunedProgram, FirstMeasurementOfAVariantIsNoSample) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  std::set<std::int64_t> ran;
  for (int i = 0; i < 200; ++i) {
    tuned.program.startMeasurement({{"n", Section::kItems}});
    const std::int64_t chosen = tuned.program[*tuned.perItem];
    tuned.section.launch(tuned.program.kernel("twice"), tuned.program.kernel("plusOne"), chosen);
    EXPECT_TRUE(tuned.section.isRight());
    const bool isFirst = ran.insert(chosen).second;
    tuned.program.stopMeasurement(isFirst ? 1e9 : 10.0 + static_cast<double>(std::abs(chosen - 5)));
    bench.runtime.step();
  }
  EXPECT_EQ(tuned.report().best, (NamedConfiguration{{"PER_ITEM", 5}}));
  EXPECT_EQ(tuned.report().defaultCost, 14.0);
}

TEST(TunedProgram, CandidateThatDoesNotCompileNeverRuns) {
  Workbench bench;
  TunedProgram program(bench.runtime, R"(
    #if X == 2
    #error not this one
    #endif
    kernel void a(global int* out) { out[0] = X; }
    kernel void b(global int* out) { out[0] = X; })",
                       "broken", bench.options());
  const Parameter X = program.addParameter("X", {1, 2, 3}, 1);
  for (int i = 0; i < 80; ++i) {
    program.startMeasurement();
    EXPECT_NE(program[X], 2);
    program.stopMeasurement(static_cast<double>(program[X]));
    bench.runtime.step();
  }
  EXPECT_EQ(program.report().failed, 1u);
  EXPECT_EQ(program.report().trials, 2u);
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_EQ(bench.messages()[0].rfind("X=2 failed: clBuildProgram", 0), 0u) << bench.messages()[0];
}

TEST(TunedProgram, DefaultThatDoesNotCompileThrowsTheLog) {
  Workbench bench;
  TunedProgram program(bench.runtime, "kernel void a() { nonsense }", "broken", bench.options());
  program.addParameter("X", {1, 2}, 1);
  EXPECT_THROW(program.build(), Error);
  EXPECT_THROW(program.startMeasurement(), Error);
  EXPECT_THROW(program.stopMeasurement(1.0), UsageError);
}

TEST(TunedProgram, SourceWithoutAKernelThrows) {
  Workbench bench;
  TunedProgram program(bench.runtime, "int f() { return X; }", "empty", bench.options());
  program.addParameter("X", {1, 2}, 1);
  EXPECT_THROW(program.build(), Error);
}

TEST(TunedProgram, UnknownKernelThrowsTheNamesThatThereAre) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  tuned.program.startMeasurement({{"n", 1}});
  try {
    tuned.program.kernel("thrice");
    FAIL() << "no exception";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("section: there is no kernel 'thrice'; the program has ", 0), 0u) << text;
    EXPECT_NE(text.find("twice"), std::string::npos);
    EXPECT_NE(text.find("plusOne"), std::string::npos);
  }
  EXPECT_NO_THROW(tuned.program.kernel("plusOne"));
}

TEST(TunedProgram, CallsOutOfOrderThrow) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  EXPECT_THROW(tuned.program.kernel("twice"), UsageError);
  EXPECT_THROW(tuned.program[*tuned.perItem], UsageError);
  EXPECT_THROW(tuned.program.stopMeasurement(), UsageError);
  EXPECT_THROW(tuned.program.stopMeasurement(1.0), UsageError);
  EXPECT_THROW(tuned.report(), UsageError);
  ProgramTicket ticket = tuned.program.measure({{"n", 1}});
  ticket.stop(1.0);
  EXPECT_THROW(ticket.stop(1.0), UsageError);
  EXPECT_THROW(ticket.kernel("twice"), UsageError);
}

TEST(TunedProgram, StartWhileOpenDiscardsTheOpenOne) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  tuned.program.startMeasurement({{"n", 1}});
  tuned.program.startMeasurement({{"n", 1}});
  tuned.program.stopMeasurement(1.0);
  EXPECT_EQ(bench.messages(),
            std::vector<std::string>{"a measurement was started while one was open; the open one is discarded"});
}

TEST(TunedProgram, WrongCostThrowsAndLeavesNoSample) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  for (int i = 0; i < 2; ++i) {  // the first one, which is no sample, too
    tuned.program.startMeasurement({{"n", Section::kItems}});
    EXPECT_THROW(tuned.program.stopMeasurement(-1.0), UsageError);
  }
  EXPECT_EQ(tuned.report().defaultCost, std::nullopt);
}

TEST(TunedProgram, ProblemSizesOfTheFirstMeasurementAreDeclaredByItAlsoAfterBuild) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  tuned.program.build();
  EXPECT_THROW(tuned.report(), UsageError);
  tuned.program.startMeasurement({{"n", 7}});
  tuned.program.stopMeasurement(1.0);
  EXPECT_THROW(tuned.program.startMeasurement({{"m", 7}}), UsageError);
  EXPECT_THROW(tuned.program.startMeasurement(), UsageError);
  EXPECT_EQ(tuned.program.report({{"n", 7}}).launches, 1u);
  EXPECT_THROW(tuned.program.report({{"n", 8}}), UsageError);
}

TEST(TunedProgram, ProblemSizesInMacrosMakeVariants) {
  Workbench bench;
  TunedProgram program(bench.runtime, "kernel void a(global int* out) { out[0] = SIZE; }", "sized", bench.options());
  program.addParameter("X", {1, 2}, 1);
  const auto [n] = program.problem("n");
  program.define("SIZE", n * 2);
  program.build();
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>{0});
  for (int size : {3, 4, 3}) {
    program.startMeasurement({{"n", size}});
    const Kernel kernel = program.kernel("a");
    const cl_mem handle = out.get();
    ASSERT_EQ(clSetKernelArg(kernel(), 0, sizeof(handle), &handle), CL_SUCCESS);
    const std::size_t one = 1;
    ASSERT_EQ(clEnqueueNDRangeKernel(bench.queue.get(), kernel(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(bench.ints(out, 1)[0], 2 * size);
    program.stopMeasurement(1.0);
  }
}

TEST(TunedProgram, MeasurementOfACompiledVariantDoesNotWaitForTheDefaultOfAnotherProblem) {
  Workbench bench;
  TunedProgram program(bench.runtime, "kernel void a(global int* out) { out[0] = SIZE; }", "sized", bench.options());
  program.addParameter("X", {1, 2}, 1);
  const auto [n] = program.problem("n");
  program.define("SIZE", n / 100);
  const auto measure = [&](int size) { program.measure({{"n", size}}).stop(1.0); };
  measure(100);
  test::HeldPrograms held;
  std::thread other(measure, 200);
  held.waitForOne();
  auto known = std::async(std::launch::async, measure, 101);
  EXPECT_EQ(known.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  held.release();
  other.join();
}

TEST(TunedProgram, WorkGroupsAndLocalMemoryBeyondTheDeviceAreLeftOut) {
  Workbench bench;
  std::size_t limit = 0;
  ASSERT_EQ(clGetDeviceInfo(bench.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(limit), &limit, nullptr), CL_SUCCESS);
  cl_ulong localBytes = 0;
  ASSERT_EQ(clGetDeviceInfo(bench.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof(localBytes), &localBytes, nullptr),
            CL_SUCCESS);
  const auto most = static_cast<std::int64_t>(limit);
  const auto bytes = static_cast<std::int64_t>(localBytes);
  TunedProgram program(bench.runtime, "kernel void a() {}", "limited", bench.options());
  const Parameter X = program.addParameter("X", {1, most, 2 * most}, 1);
  const Parameter Y = program.addParameter("Y", {1, 2}, 1);
  const Parameter BYTES = program.addParameter("BYTES", {4, bytes, bytes + 1}, 4);
  program.workGroup(X, Y).workGroup(X);
  program.localMemory(4).localMemory(BYTES);
  program.build();
  // X=1: any Y; X=most: Y=1 alone; X=2*most: none. Each with two of the BYTES.
  EXPECT_EQ(SearchSpace(program).size(), 6u);
}

TEST(TunedProgram, TicketsOfSeveralThreadsHaveKernelsOfTheirOwn) {
  Workbench bench(Work::byThread);
  TunedSection tuned(bench, bench.options());
  tuned.program.build();
  std::atomic<int> wrong{0};
  const auto work = [&] {
    Section section(bench);
    for (int i = 0; i < 300; ++i) {
      ProgramTicket ticket = tuned.program.measure({{"n", Section::kItems}});
      section.launch(ticket.kernel("twice"), ticket.kernel("plusOne"), ticket[*tuned.perItem]);
      wrong += section.isRight() && section.perItemThatRan() == ticket[*tuned.perItem] ? 0 : 1;
      if (i % 10 != 0) ticket.stop();  // some are dropped
    }
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(tuned.report().launches, 600u);
  EXPECT_EQ(tuned.report().failed, 0u);
}

TEST(TunedProgram, OpenTicketsDoNotShareAKernel) {
  Workbench bench;
  TunedSection tuned(bench, bench.options());
  ProgramTicket one = tuned.program.measure({{"n", 1}});
  ProgramTicket two = tuned.program.measure({{"n", 1}});
  EXPECT_NE(one.kernel("twice")(), two.kernel("twice")());
  EXPECT_NE(one.kernel("twice")(), one.kernel("plusOne")());
  EXPECT_EQ(one.kernel("twice")(), one.kernel("twice")());
  const cl_kernel ofOne = one.kernel("twice")();
  one.stop(1.0);
  EXPECT_EQ(tuned.program.measure({{"n", 1}}).kernel("twice")(), ofOne);  // given back
}

TEST(TunedProgram, ModeOffRunsTheDefaultAndCompilesNothingElse) {
  Workbench bench;
  Options options = bench.options();
  options.mode = Mode::off;
  TunedSection tuned(bench, options);
  tuned.program.build();
  const int afterBuild = test::programsCreated();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(tuned.run(), 1);
  EXPECT_EQ(test::programsCreated(), afterBuild);
  EXPECT_EQ(tuned.report().phase, Phase::settled);
  EXPECT_EQ(tuned.report().trials, 0u);
}

TEST(TunedProgram, PinnedConfigurationIsBuiltInsteadOfTheDefault) {
  for (Mode mode : {Mode::use, Mode::tune}) {
    Workbench bench;
    Options options = bench.options();
    options.mode = mode;
    options.pins = {{"section", {}, {{"PER_ITEM", 3}}}};
    TunedSection tuned(bench, options);
    const int before = test::programsCreated();
    tuned.program.build();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(tuned.run(), 3);
    EXPECT_EQ(test::programsCreated() - before, 1);
    EXPECT_EQ(tuned.report().bestCost, 12.0);
    EXPECT_EQ(tuned.report().trials, 0u);
  }
}

TEST(TunedProgram, PinnedConfigurationThatDoesNotCompileGivesWayToTheDefault) {
  Workbench bench;
  Options options = bench.options();
  options.pins = {{"broken", {}, {{"X", 2}}}};
  TunedProgram program(bench.runtime, R"(
    #if X == 2
    #error not this one
    #endif
    kernel void a(global int* out) { out[0] = X; })",
                       "broken", options);
  const Parameter X = program.addParameter("X", {1, 2}, 1);
  for (int i = 0; i < 3; ++i) {
    program.startMeasurement();
    EXPECT_EQ(program[X], 1);
    program.stopMeasurement(1.0);
  }
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_EQ(bench.messages()[0].rfind("X=2 failed: clBuildProgram", 0), 0u) << bench.messages()[0];
}

TEST(TunedProgram, NoLockThatALaunchTakesIsHeldWhileAPinsFailureIsTold) {
  Workbench bench;
  std::unique_ptr<TunedProgram> program;
  std::thread other;
  std::atomic<bool> hasBuilt{false};
  Options options;
  options.pins = {{"broken", {}, {{"X", 2}}}};
  options.diagnostics = [&](const Diagnostic&) {
    std::promise<void> built;
    auto isBuilt = built.get_future();
    other = std::thread([&program, built = std::move(built)]() mutable {
      program->measure().stop(1.0);
      built.set_value();
    });
    hasBuilt = isBuilt.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  };
  program = std::make_unique<TunedProgram>(bench.runtime, R"(
    #if X == 2
    #error not this one
    #endif
    kernel void a(global int* out) { out[0] = X; })",
                                           "broken", options);
  program->addParameter("X", {1, 2}, 1);
  program->build();
  ASSERT_TRUE(other.joinable());
  other.join();
  EXPECT_TRUE(hasBuilt);
  EXPECT_EQ(program->report().launches, 1u);
}

TEST(TunedProgram, DevicesOfOneContextHaveRuntimesOfTheirOwn) {
  const std::vector<cl_device_id> devices = test::poclDevices(2);
  const auto context = test::makeContext({devices[0], devices[1]});
  for (cl_device_id device : devices) {
    Runtime runtime(context.get(), device, Work::bySteps);
    Options options;
    options.slowdownBudget = std::numeric_limits<double>::infinity();
    TunedProgram program(runtime, "kernel void a(global int* out) { out[0] = X; }", "onEach", options);
    const Parameter X = program.addParameter("X", {1, 2, 3}, 1);
    const auto queue = test::makeQueue(context.get(), device);
    const auto out = test::makeBuffer(context.get(), std::vector<int>{0});
    std::set<std::int64_t> seen;
    for (int i = 0; i < 80; ++i) {
      program.startMeasurement();
      const Kernel kernel = program.kernel("a");
      const cl_mem handle = out.get();
      ASSERT_EQ(clSetKernelArg(kernel(), 0, sizeof(handle), &handle), CL_SUCCESS);
      const std::size_t one = 1;
      ASSERT_EQ(clEnqueueNDRangeKernel(queue.get(), kernel(), 1, nullptr, &one, nullptr, 0, nullptr, nullptr),
                CL_SUCCESS);
      ASSERT_EQ(test::read<int>(queue.get(), out, 1)[0], program[X]);
      seen.insert(program[X]);
      program.stopMeasurement(static_cast<double>(program[X]));
      runtime.step();
    }
    EXPECT_EQ(seen, (std::set<std::int64_t>{1, 2, 3}));
  }
}

}  // namespace
}  // namespace hone::opencl
