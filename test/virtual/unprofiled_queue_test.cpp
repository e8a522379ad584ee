// Launches on queues without profiling. Those that are sampled take a way round by a queue of the runtime's own, and
// the application must not notice: neither in its results, nor in what waits for what, nor where the driver refuses.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "virtual/virtual_bench.h"

namespace hone::opencl {
namespace {

using namespace std::chrono_literals;
using test::always;
using test::DeviceDescription;
using test::launches;
using test::nth;
using test::OwnedMemory;
using test::OwnedQueue;
using test::VirtualBench;

constexpr cl_command_queue_properties kInOrder = 0, kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr int kItems = 16;

cl_int statusOf(const Event& event) {
  cl_int status = CL_QUEUED;
  EXPECT_EQ(clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr), CL_SUCCESS);
  return status;
}
bool isComplete(const Event& event) { return statusOf(event) == CL_COMPLETE; }

cl_command_queue queueOf(const Event& event) {
  cl_command_queue queue = nullptr;
  EXPECT_EQ(clGetEventInfo(event(), CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, nullptr), CL_SUCCESS);
  return queue;
}

cl_command_queue_properties propertiesOf(cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  EXPECT_EQ(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, nullptr), CL_SUCCESS);
  return properties;
}

Event userEvent(const VirtualBench& bench) { return Event(clCreateUserEvent(bench.context.get(), nullptr)); }
void complete(const Event& event) { EXPECT_EQ(clSetUserEventStatus(event(), CL_COMPLETE), CL_SUCCESS); }

/// A kernel that adds 1 to each element of a buffer, 5 times 10 us long by default. Before any candidate is prepared,
/// each of its launches runs the default, and each is sampled.
struct Increment {
  explicit Increment(VirtualBench& on, const Options& options)
      : bench(on),
        kernel(bench.runtime, "kernel void increment(global int* data) { data[get_global_id(0)] += 1 + 0 * X; }",
               "increment", options),
        data(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))) {
    bench.device.kernel("increment", [](const test::KernelCall& call) {
      for (int& value : call.buffer<int>(0)) ++value;
    });
    kernel.addParameter("X", range(1, 8), 5);
    kernel.global(kItems).local(4);
    kernel.build();
  }
  explicit Increment(VirtualBench& on) : Increment(on, on.options()) {}

  Event launch() { return kernel(bench.queue.get(), {}, data.get()); }
  Event launch(const Launch& with) { return kernel(with, {}, data.get()); }
  Report report() { return kernel.report({}); }

  VirtualBench& bench;
  TunedKernel kernel;
  OwnedMemory data;
};

struct UnprofiledBench : VirtualBench {
  explicit UnprofiledBench(cl_command_queue_properties properties = kInOrder, DeviceDescription description = {})
      : VirtualBench(test::timeByMacro("X", 10'000), Work::bySteps, std::move(description), properties) {}

  std::uint64_t calls(const std::string& name) { return device.counts().callsOf(name); }
  std::uint64_t blockingCalls() { return device.counts().of(std::this_thread::get_id()).blocking; }
};

// ---- tuning

TEST(UnprofiledQueue, TheFastestConfigurationIsFound) {
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    UnprofiledBench bench(properties);
    Increment increment(bench);
    const auto blocking = bench.blockingCalls();
    std::uint64_t waits = 0;
    bench.device.runUntil(launches(400), [&] {
      increment.launch().wait();
      ++waits;
      bench.runtime.step();
    });
    EXPECT_EQ(increment.report().phase, Phase::settled);
    EXPECT_EQ(increment.report().best[0].second, 1);
    EXPECT_DOUBLE_EQ(*increment.report().bestCost, 10'000);
    EXPECT_DOUBLE_EQ(*increment.report().defaultCost, 50'000);
    EXPECT_EQ(bench.blockingCalls() - blocking, waits) << "the library has waited";
    EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
    EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], static_cast<int>(waits));
  }
}

TEST(UnprofiledQueue, OnlySampledLaunchesTakeTheWayRound) {
  UnprofiledBench bench;
  Options options = bench.options();
  options.maxTrials = 0;
  Increment increment(bench, options);
  bench.device.runUntil(launches(400), [&] {
    increment.launch().wait();
    bench.runtime.step();
  });
  ASSERT_TRUE(increment.report().isDecided);
  std::uint64_t wayRound = 0;
  const auto before = bench.device.counts();
  for (int i = 0; i < 1000; ++i) {
    const Event done = increment.launch();
    wayRound += queueOf(done) != bench.queue.get() ? 1 : 0;
    done.wait();
  }
  const auto after = bench.device.counts();
  const auto made = [&](const char* call) { return after.callsOf(call) - before.callsOf(call); };
  EXPECT_GT(wayRound, 0u);
  EXPECT_LT(wayRound, 50u);
  EXPECT_EQ(made("clEnqueueNDRangeKernel"), 1000u);
  EXPECT_EQ(made("clEnqueueMarkerWithWaitList"), wayRound);
  EXPECT_EQ(made("clEnqueueBarrierWithWaitList"), wayRound);
  EXPECT_EQ(made("clFlush"), 2 * wayRound);
  // Which context and which device, for each launch; for a sampled one its queue's properties, and its event's device.
  EXPECT_EQ(made("clGetCommandQueueInfo"), 2 * (1000 + wayRound));
  EXPECT_EQ(made("clCreateCommandQueueWithProperties"), 0u);
}

TEST(UnprofiledQueue, NoQueueIsMadeBeforeALaunchIsSampled) {
  UnprofiledBench bench;
  Options options = bench.options();
  options.mode = Mode::off;
  Increment untuned(bench, options);
  untuned.launch().wait();
  EXPECT_EQ(bench.device.counts().live.queues, 1);
  Increment increment(bench);
  EXPECT_EQ(bench.device.counts().live.queues, 1);
  increment.launch().wait();
  EXPECT_EQ(bench.device.counts().live.queues, 2);
}

TEST(UnprofiledQueue, AQueueWithProfilingStaysAsItIs) {
  UnprofiledBench bench(CL_QUEUE_PROFILING_ENABLE);
  Increment increment(bench);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(queueOf(increment.launch()), bench.queue.get());
  EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  EXPECT_EQ(bench.device.counts().live.queues, 1);
  EXPECT_EQ(bench.calls("clEnqueueMarkerWithWaitList") + bench.calls("clFlush"), 0u);
}

TEST(UnprofiledQueue, TheReturnedEventIsTheLaunchs) {
  UnprofiledBench bench;
  Increment increment(bench);
  const Event done = increment.launch();
  done.wait();
  cl_command_type type = 0;
  EXPECT_EQ(clGetEventInfo(done(), CL_EVENT_COMMAND_TYPE, sizeof(type), &type, nullptr), CL_SUCCESS);
  EXPECT_EQ(type, cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
  const Elapsed time = elapsed(done);
  EXPECT_DOUBLE_EQ(time.times->read(time.first, time.last).ns, 50'000);
}

// ---- order

/// Copies and launches would overlap if nothing kept them in order.
TEST(UnprofiledQueue, WhatComesBeforeAndAfterKeepsItsOrder) {
  DeviceDescription slowCopies;
  slowCopies.copyBytesPerNs = 0.001;  // 64 us for the buffer, a launch takes 50
  for (const bool waitsForFlush : {false, true}) {
    slowCopies.waitsForFlush = waitsForFlush;
    UnprofiledBench bench(kInOrder, slowCopies);
    Increment increment(bench);
    std::vector<int> seen(100 * kItems);
    for (std::size_t i = 0; i < 100; ++i) {
      const int start = static_cast<int>(i) * 10;
      EXPECT_EQ(clEnqueueFillBuffer(bench.queue.get(), increment.data.get(), &start, sizeof(start), 0,
                                    kItems * sizeof(int), 0, nullptr, nullptr),
                CL_SUCCESS);
      increment.launch();
      increment.launch();
      EXPECT_EQ(clEnqueueReadBuffer(bench.queue.get(), increment.data.get(), CL_FALSE, 0, kItems * sizeof(int),
                                    &seen[i * kItems], 0, nullptr, nullptr),
                CL_SUCCESS);
    }
    EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
    for (std::size_t i = 0; i < 100 * kItems; ++i) ASSERT_EQ(seen[i], static_cast<int>(i / kItems) * 10 + 2) << i;
  }
}

TEST(UnprofiledQueue, FinishCoversTheLaunch) {
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    UnprofiledBench bench(properties);
    Increment increment(bench);
    const Event done = increment.launch();
    EXPECT_NE(queueOf(done), bench.queue.get());
    EXPECT_FALSE(isComplete(done));
    EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
    EXPECT_TRUE(isComplete(done));
  }
}

/// The application cannot flush a queue that it does not know, and need not flush its own for the library's sake.
TEST(UnprofiledQueue, NobodyHasToFlush) {
  DeviceDescription lazy;
  lazy.waitsForFlush = true;
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    UnprofiledBench bench(properties, lazy);
    Increment increment(bench);
    const Event done = increment.launch();
    EXPECT_NE(queueOf(done), bench.queue.get());
    bench.device.drain();
    EXPECT_TRUE(isComplete(done));
  }
}

TEST(UnprofiledQueue, ALaunchWaitsForItsList) {
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    UnprofiledBench bench(properties);
    Increment increment(bench);
    const Event one = userEvent(bench), two = userEvent(bench);
    const Event done = increment.launch({bench.queue.get(), std::vector{one, two}});
    EXPECT_NE(queueOf(done), bench.queue.get());
    complete(one);
    bench.device.drain();
    EXPECT_GT(statusOf(done), CL_RUNNING);
    complete(two);
    bench.device.drain();
    EXPECT_TRUE(isComplete(done));
  }
}

TEST(UnprofiledQueue, ALaunchBeginsAtItsOffset) {
  UnprofiledBench bench;
  Increment increment(bench);
  std::vector<std::size_t> offsets;
  bench.device.kernel("increment", [&](const test::KernelCall& call) { offsets.push_back(call.offset(0)); });
  const Event done = increment.launch({bench.queue.get(), std::vector<cl_event>{}, {3}});
  EXPECT_NE(queueOf(done), bench.queue.get());
  done.wait();
  EXPECT_EQ(offsets, std::vector<std::size_t>{3});
}

TEST(UnprofiledQueue, CommandsThatFollowWaitForALaunchThatWaits) {
  UnprofiledBench bench;
  Increment increment(bench);
  const Event gate = userEvent(bench);
  const Event first = increment.launch({bench.queue.get(), std::vector{gate}});
  cl_event handle = nullptr;
  EXPECT_EQ(clEnqueueMarkerWithWaitList(bench.queue.get(), 0, nullptr, &handle), CL_SUCCESS);
  const Event marker(handle);
  const Event second = increment.launch();
  bench.device.drain();
  EXPECT_FALSE(isComplete(first) || isComplete(marker) || isComplete(second));
  complete(gate);
  EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  EXPECT_TRUE(isComplete(first) && isComplete(marker) && isComplete(second));
}

/// The application may set the event that one queue waits for once the other queue's launch is done.
TEST(UnprofiledQueue, ALaunchThatWaitsHoldsUpNoOtherQueue) {
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    UnprofiledBench bench(properties);
    Increment increment(bench);
    const OwnedQueue other = test::makeQueue(bench.context.get(), bench.device.id(), kInOrder);
    const Event gate = userEvent(bench);
    const Event waiting = increment.launch({bench.queue.get(), std::vector{gate}});
    const Event passing = increment.launch(other.get());
    bench.device.drain();
    EXPECT_FALSE(isComplete(waiting));
    EXPECT_TRUE(isComplete(passing));
    EXPECT_NE(queueOf(passing), other.get());
    complete(gate);
    EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
    EXPECT_TRUE(isComplete(waiting));
  }
}

TEST(UnprofiledQueue, EachContextHasItsOwn) {
  UnprofiledBench bench;
  const auto context = test::makeContext({bench.device.id()});
  const auto queue = test::makeQueue(context.get(), bench.device.id(), kInOrder);
  const auto data = test::makeBuffer(context.get(), std::vector<int>(kItems));
  Increment increment(bench);
  {
    Runtime runtime(context.get(), bench.device.id(), Work::bySteps);
    TunedKernel kernel(runtime, "kernel void increment(global int* data) { data[0] += X; }", "increment",
                       bench.options());
    kernel.addParameter("X", {1, 2}, 1);
    kernel.global(kItems);
    for (int i = 0; i < 5; ++i) {
      increment.launch();
      kernel(queue.get(), {}, data.get());
    }
    EXPECT_EQ(test::read<int>(queue.get(), data, 1)[0], 5);
    EXPECT_EQ(bench.device.counts().live.queues, 4);
  }
  EXPECT_EQ(bench.device.counts().live.queues, 3);
  EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], 5);
}

// ---- out of order

struct OutOfOrder : testing::Test {
  OutOfOrder() : bench(kOutOfOrder), increment(bench) {}

  Event barrier() {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueBarrierWithWaitList(bench.queue.get(), 0, nullptr, &event), CL_SUCCESS);
    return Event(event);
  }
  Event launchAfter(const Event& event) { return increment.launch({bench.queue.get(), std::vector{event}}); }

  UnprofiledBench bench;
  Increment increment;
};

TEST_F(OutOfOrder, LaunchesWaitNeitherForEarlierOnesNorHoldUpLaterOnes) {
  const Event gate = userEvent(bench);
  const Event first = launchAfter(gate);
  const Event second = increment.launch();
  const int zero = 0;
  cl_event handle = nullptr;  // a command of the application's own
  EXPECT_EQ(clEnqueueFillBuffer(bench.queue.get(), increment.data.get(), &zero, sizeof(zero), 0, sizeof(zero), 0,
                                nullptr, &handle),
            CL_SUCCESS);
  const Event third(handle);
  EXPECT_EQ(bench.calls("clEnqueueBarrierWithWaitList"), 0u);
  bench.device.drain();
  EXPECT_FALSE(isComplete(first));
  EXPECT_TRUE(isComplete(second));
  EXPECT_TRUE(isComplete(third));
  complete(gate);
  EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
}

TEST_F(OutOfOrder, ALaunchWaitsForAnEarlierBarrier) {
  const Event gate = userEvent(bench);
  const Event before = launchAfter(gate);
  const Event wall = barrier();
  const Event after = increment.launch();
  const Event afterWithList = launchAfter(before);
  bench.device.drain();
  EXPECT_FALSE(isComplete(after) || isComplete(afterWithList));
  complete(gate);
  bench.device.drain();
  EXPECT_TRUE(isComplete(after) && isComplete(afterWithList));
}

TEST_F(OutOfOrder, ALaterBarrierWaitsForTheLaunch) {
  const Event gate = userEvent(bench);
  const Event launch = launchAfter(gate);
  const Event wall = barrier();
  bench.device.drain();
  EXPECT_FALSE(isComplete(wall));
  complete(gate);
  bench.device.drain();
  EXPECT_TRUE(isComplete(wall));
}

// ---- stand-ins

TEST(UnprofiledQueue, AStandInDiffersInProfilingAlone) {
  for (const auto properties : {kInOrder, kOutOfOrder}) {
    UnprofiledBench bench(properties);
    Increment increment(bench);
    const Event done = increment.launch();
    EXPECT_EQ(propertiesOf(queueOf(done)), properties | CL_QUEUE_PROFILING_ENABLE);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(queueOf(increment.launch()), queueOf(done));
    EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  }
}

TEST(UnprofiledQueue, StandInsOfQueuesThatAreGoneDoNotAddUp) {
  UnprofiledBench bench;
  Increment increment(bench);
  for (int i = 0; i < 200; ++i) {
    const OwnedQueue queue = test::makeQueue(bench.context.get(), bench.device.id(), kInOrder);
    const OwnedQueue another = test::makeQueue(bench.context.get(), bench.device.id(), kInOrder);
    increment.launch(queue.get()).wait();
    increment.launch(another.get()).wait();
    increment.launch(queue.get()).wait();
  }
  EXPECT_LE(bench.device.counts().live.queues, 1 + 32);
  EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], 600);
}

TEST(UnprofiledQueue, AStandInMayGoWhileItsLaunchesAreUnderWay) {
  UnprofiledBench bench;
  Increment increment(bench);
  const Event gate = userEvent(bench);
  const Event waiting = increment.launch({bench.queue.get(), std::vector{gate}});
  std::vector<OwnedQueue> queues;
  for (int i = 0; i < 40; ++i) {
    queues.push_back(test::makeQueue(bench.context.get(), bench.device.id(), kInOrder));
    increment.launch(queues.back().get());
  }
  EXPECT_FALSE(isComplete(waiting));
  const Event next = increment.launch();
  EXPECT_NE(queueOf(next), queueOf(waiting));
  bench.device.drain();
  EXPECT_FALSE(isComplete(next)) << "it overtook a launch of its own queue";
  complete(gate);
  EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  EXPECT_TRUE(isComplete(waiting) && isComplete(next));
}

// ---- refusals

struct Refusal {
  cl_command_queue_properties properties;
  const char* call;
  std::uint64_t time;  // which of the calls of that name
};

/// Where something fails before the launch, it is done on the application's queue.
struct RefusedBefore : testing::TestWithParam<Refusal> {};

TEST_P(RefusedBefore, TheLaunchIsDoneUnmeasuredInTheSameCall) {
  UnprofiledBench bench(GetParam().properties);
  Increment increment(bench);
  bench.device.faults().failCall(GetParam().call, CL_OUT_OF_HOST_MEMORY);
  const auto blocking = bench.blockingCalls();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(queueOf(increment.launch()), bench.queue.get());
  EXPECT_EQ(bench.blockingCalls(), blocking);
  bench.device.drain();
  increment.launch();
  EXPECT_EQ(bench.device.counts().launches, 6u);
  EXPECT_FALSE(increment.report().defaultCost.has_value());
  ASSERT_EQ(bench.messages().size(), 2u);
  EXPECT_EQ(bench.messages()[0], "a launch could not be measured on a queue of the runtime's: " +
                                     std::string(GetParam().call) + ": CL_OUT_OF_HOST_MEMORY (-6)");
  EXPECT_EQ(bench.messages()[1].rfind("launches without a usable time", 0), 0u) << bench.messages()[1];

  bench.device.faults().clear();
  for (int i = 0; i < 10; ++i) {
    EXPECT_NE(queueOf(increment.launch()), bench.queue.get());
    EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  }
  EXPECT_TRUE(increment.report().defaultCost.has_value());
  EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], 16);
}
INSTANTIATE_TEST_SUITE_P(Calls, RefusedBefore,
                         testing::Values(Refusal{kInOrder, "clCreateCommandQueueWithProperties", 1},
                                         Refusal{kInOrder, "clEnqueueMarkerWithWaitList", 1},
                                         Refusal{kInOrder, "clFlush", 1}, Refusal{kOutOfOrder, "clCreateBuffer", 1},
                                         Refusal{kOutOfOrder, "clEnqueueFillBuffer", 1}),
                         [](const auto& refusal) { return std::string(refusal.param.call); });

TEST(UnprofiledQueue, ALaunchThatTheStandInRefusesIsDoneInTheSameCall) {
  UnprofiledBench bench;
  Increment increment(bench);
  bench.device.faults().failEnqueue(nth(1));
  EXPECT_EQ(queueOf(increment.launch()), bench.queue.get());
  EXPECT_NE(queueOf(increment.launch()), bench.queue.get());
  EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], 2);
  ASSERT_EQ(bench.messages().size(), 1u);
  EXPECT_EQ(bench.messages()[0],
            "a launch could not be measured on a queue of the runtime's: clEnqueueNDRangeKernel of increment: "
            "CL_OUT_OF_RESOURCES (-5)");
}

TEST(UnprofiledQueue, ACandidateThatNoQueueTakesIsReplacedInTheSameCall) {
  UnprofiledBench bench;
  Increment increment(bench);
  bench.device.faults().failEnqueue(test::macro("X", 3));
  int done = 0;
  bench.device.runUntil(launches(400), [&] {
    ASSERT_NO_THROW(increment.launch());
    EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], ++done);
    bench.runtime.step();
  });
  EXPECT_EQ(increment.report().failed, 1u);
  EXPECT_EQ(increment.report().best[0].second, 1);
  ASSERT_EQ(bench.messages().size(), 1u) << "a launch that failed anyway is no measurement that failed";
  EXPECT_EQ(bench.messages()[0].rfind("X=3 failed: clEnqueueNDRangeKernel", 0), 0u) << bench.messages()[0];
}

/// Once the launch is accepted it must not be done again; to wait for it is in order, and the only thing left.
TEST(UnprofiledQueue, WhereNothingCanBeEnqueuedBehindTheLaunchItIsWaitedFor) {
  for (const Refusal& refusal : {Refusal{kInOrder, "clFlush", 2}, Refusal{kInOrder, "clEnqueueBarrierWithWaitList", 1},
                                 Refusal{kOutOfOrder, "clEnqueueMarkerWithWaitList", 1}}) {
    SCOPED_TRACE(refusal.call);
    UnprofiledBench bench(refusal.properties);
    Increment increment(bench);
    bench.device.faults().failCall(refusal.call, CL_OUT_OF_RESOURCES, nth(refusal.time));
    const auto blocking = bench.blockingCalls();
    const Event done = increment.launch();
    EXPECT_TRUE(isComplete(done));
    EXPECT_EQ(bench.blockingCalls() - blocking, 1u);
    increment.launch();
    EXPECT_EQ(bench.blockingCalls() - blocking, 1u);
    EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
    EXPECT_EQ(bench.device.counts().launches, 2u);
    EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], 2);
    EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
  }
}

/// The n-th of all calls of a kind fails, for n = 1, 2, ... until a run does not come to n.
TEST(UnprofiledQueue, WhicheverCallFailsTheResultsAreRight) {
  static constexpr int kLaunches = 30;
  const auto check = [](cl_command_queue_properties properties, const char* call) {
    bool hasFailed = true;
    for (std::uint64_t n = 1; hasFailed; ++n) {
      SCOPED_TRACE(std::string(call) + ", time " + std::to_string(n));
      ASSERT_LT(n, 500u);
      UnprofiledBench bench(properties);
      Increment increment(bench);
      hasFailed = false;
      bench.device.faults().failCall(call, CL_OUT_OF_RESOURCES, [&, n](const test::Macros&, std::uint64_t time) {
        hasFailed |= time == n;
        return time == n;
      });
      for (int i = 0; i < kLaunches; ++i) {
        ASSERT_NO_THROW(increment.launch());
        bench.runtime.step();
      }
      EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
      EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], kLaunches);
      EXPECT_EQ(bench.device.counts().launches, std::uint64_t{kLaunches});
    }
  };
  for (const char* call : {"clCreateCommandQueueWithProperties", "clEnqueueMarkerWithWaitList", "clFlush"}) {
    check(kInOrder, call);
    check(kOutOfOrder, call);
  }
  check(kInOrder, "clEnqueueBarrierWithWaitList");
  check(kOutOfOrder, "clEnqueueFillBuffer");
}

/// As on a queue of its own: what follows runs, and the candidate is set aside.
TEST(UnprofiledQueue, ALaunchThatEndsWithAnErrorFailsAlone) {
  UnprofiledBench bench;
  Increment increment(bench);
  bench.device.faults().failEvent(nth(1));
  const Event failed = increment.launch();
  const Event next = increment.launch();
  EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  EXPECT_LT(statusOf(failed), 0);
  EXPECT_TRUE(isComplete(next));
  EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], 1);
}

TEST(UnprofiledQueue, AWaitListThatCannotBeIsToldAsWithoutUs) {
  UnprofiledBench bench;
  Increment increment(bench);
  const auto context = test::makeContext({bench.device.id()});
  const Event elsewhere(clCreateUserEvent(context.get(), nullptr));
  try {
    increment.launch({bench.queue.get(), std::vector{elsewhere}});
    ADD_FAILURE() << "an event of another context was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), CL_INVALID_CONTEXT);
  }
  EXPECT_EQ(bench.device.counts().launches, 0u);
  EXPECT_TRUE(bench.messages().empty());
}

// ---- threads

TEST(UnprofiledQueue, ThreadsShareAQueue) {
  UnprofiledBench bench;
  Increment increment(bench);
  std::atomic<int> done{0};
  const auto work = [&] {
    for (int i = 0; i < 500; ++i) {
      const Event event = increment.launch();
      if (i % 7 == 0) event.wait();
      ++done;
    }
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  EXPECT_EQ(test::read<int>(bench.queue.get(), increment.data, 1)[0], done);
  EXPECT_LE(bench.device.counts().live.queues, 2);
}

}  // namespace
}  // namespace hone::opencl
