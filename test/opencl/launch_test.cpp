// What a launch takes besides the kernel: queue, wait list and offset.

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "opencl/runtime_state.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::ascending;
using test::OwnedQueue;
using test::settles;
using test::Workbench;

constexpr int kItems = 64;

/// out[i] = in[i] + 1, counted from the global offset on; elsewhere it leaves `out` as it is.
constexpr const char* kNext = R"(
  kernel void next(global const int* in, global int* out) {
    const int i = get_global_id(0);
    out[i] = in[i] + 1;
  })";

struct NextKernel {
  explicit NextKernel(Workbench& bench)
      : kernel(bench.runtime, kNext, "next", bench.options()),
        in(test::makeBuffer(bench.context.get(), ascending(kItems))),
        out(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))) {
    auto WG = kernel.addParameter("WG", {4, 8, 16}, 8);
    kernel.global(kItems / 2).local(WG);
  }
  Event launch(const Launch& launch) { return kernel(launch, {}, in.get(), out.get()); }

  TunedKernel kernel;
  test::OwnedMemory in;
  test::OwnedMemory out;
};

// ---- queues

TEST(Launch, RejectsQueuesOfOtherContextsAndDevices) {
  const std::vector<cl_device_id> devices = test::poclDevices(2);
  const auto context = test::makeContext(devices);
  const auto otherContext = test::makeContext(devices);
  const auto queue = test::makeQueue(context.get(), devices[0]);
  const auto otherContextsQueue = test::makeQueue(otherContext.get(), devices[0]);
  const auto otherDevicesQueue = test::makeQueue(context.get(), devices[1]);
  Runtime runtime(context.get(), devices[0], Work::bySteps);
  TunedKernel kernel(runtime, "kernel void nothing() {}", "nothing");
  kernel.addParameter("X", {1, 2}, 1);
  kernel.global(1);
  EXPECT_THROW(kernel(otherContextsQueue.get(), {}), UsageError);
  EXPECT_THROW(kernel(otherDevicesQueue.get(), {}), UsageError);
  EXPECT_THROW(kernel(cl_command_queue{nullptr}, {}), Error);
  EXPECT_THROW(kernel.report({}), UsageError);  // none of these was a launch
  kernel(queue.get(), {}).wait();
  EXPECT_EQ(kernel.report({}).launches, 1u);
}

TEST(Launch, AQueueWithoutProfilingIsTunedToo) {
  Workbench bench;
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    NextKernel next(bench);
    const auto queue = test::makeQueue(bench.context.get(), bench.device, properties);
    int round = 0;
    ASSERT_TRUE(settles(bench, next.kernel, {}, [&] {
      test::write(queue.get(), next.in, std::vector<int>(kItems, ++round));
      const Event done = next.launch(queue.get());
      EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
      EXPECT_EQ(bench.ints(next.out, 1)[0], round + 1);
      return done;
    }));
    EXPECT_EQ(next.kernel.report({}).trials, 2u);
    EXPECT_TRUE(next.kernel.report({}).defaultCost.has_value());
    EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
  }
}

/// Each launch adds 1 to what the launch before has left, with nobody waiting in between.
TEST(Launch, AQueueWithoutProfilingKeepsItsOrder) {
  Workbench bench;
  NextKernel next(bench);
  const auto queue = test::makeQueue(bench.context.get(), bench.device, 0);
  constexpr int kLaunches = 1000;
  std::vector<int> seen(kLaunches, -1);
  const int zero = 0;
  EXPECT_EQ(clEnqueueFillBuffer(queue.get(), next.in.get(), &zero, sizeof(zero), 0, kItems * sizeof(int), 0, nullptr,
                                nullptr),
            CL_SUCCESS);
  for (std::size_t i = 0; i < kLaunches; i += 2) {
    next.kernel(queue.get(), {}, next.in.get(), next.out.get());
    EXPECT_EQ(clEnqueueReadBuffer(queue.get(), next.out.get(), CL_FALSE, 5 * sizeof(int), sizeof(int), &seen[i], 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    next.kernel(queue.get(), {}, next.out.get(), next.in.get());
    EXPECT_EQ(clEnqueueReadBuffer(queue.get(), next.in.get(), CL_FALSE, 5 * sizeof(int), sizeof(int), &seen[i + 1], 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
    bench.runtime.step();
  }
  EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
  for (int i = 0; i < kLaunches; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i + 1);
}

/// In an out-of-order queue a barrier is an order, too: before a launch, and behind it.
TEST(Launch, AQueueWithoutProfilingKeepsToItsBarriers) {
  Workbench bench;
  NextKernel next(bench);
  const auto queue = test::makeQueue(bench.context.get(), bench.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto barrier = [&] { EXPECT_EQ(clEnqueueBarrierWithWaitList(queue.get(), 0, nullptr, nullptr), CL_SUCCESS); };
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(
        clEnqueueFillBuffer(queue.get(), next.in.get(), &i, sizeof(i), 0, kItems * sizeof(int), 0, nullptr, nullptr),
        CL_SUCCESS);
    barrier();
    next.launch(queue.get());
    barrier();
    int seen = -1;
    EXPECT_EQ(clEnqueueReadBuffer(queue.get(), next.out.get(), CL_FALSE, 0, sizeof(seen), &seen, 0, nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clFinish(queue.get()), CL_SUCCESS);
    ASSERT_EQ(seen, i + 1);
    bench.runtime.step();
  }
}

/// A program may make a queue for each task; the next one has the handle of the one before, and other properties.
TEST(Launch, AHandleMayComeBackAsAQueueOfAnotherKind) {
  Workbench bench;
  detail::ProfilingQueues& queues = bench.runtime.state().profilingQueues();
  cl_command_queue latest = nullptr;
  int cameBack = 0;
  for (int i = 0; i < 100; ++i) {
    const bool isOutOfOrder = i % 2 == 1;
    const auto queue =
        test::makeQueue(bench.context.get(), bench.device, isOutOfOrder ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    cameBack += std::exchange(latest, queue.get()) == queue.get() ? 1 : 0;
    const auto standIn = queues.standInFor(queue.get());
    ASSERT_TRUE(standIn.has_value());
    EXPECT_EQ(standIn->isOutOfOrder, isOutOfOrder);
    cl_command_queue_properties properties = 0;
    EXPECT_EQ(
        clGetCommandQueueInfo(standIn->queue.get(), CL_QUEUE_PROPERTIES, sizeof(properties), &properties, nullptr),
        CL_SUCCESS);
    EXPECT_EQ((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0, isOutOfOrder);
    EXPECT_NE(properties & CL_QUEUE_PROFILING_ENABLE, 0u);
  }
  if (cameBack == 0) GTEST_SKIP() << "no handle came back, as where an allocator keeps freed memory apart";
}

TEST(Launch, SeveralQueuesOfTheContextTuneTogether) {
  Workbench bench;
  NextKernel next(bench);
  const std::array queues{test::makeQueue(bench.context.get(), bench.device),
                          test::makeQueue(bench.context.get(), bench.device),
                          test::makeQueue(bench.context.get(), bench.device,
                                          CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  std::size_t i = 0;
  ASSERT_TRUE(settles(bench, next.kernel, {}, [&] { return next.launch(queues[i++ % queues.size()].get()); }));
  EXPECT_EQ(next.kernel.report({}).trials, 2u);
  EXPECT_EQ(next.kernel.report({}).failed, 0u);
}

/// On queues with profiling and without.
struct LaunchOnAnyQueue : testing::TestWithParam<cl_command_queue_properties> {
  OwnedQueue makeQueue(const Workbench& bench, cl_command_queue_properties properties = 0) {
    return test::makeQueue(bench.context.get(), bench.device, GetParam() | properties);
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, LaunchOnAnyQueue, testing::Values(CL_QUEUE_PROFILING_ENABLE, 0),
                         [](const auto& kind) { return kind.param == 0 ? "Unprofiled" : "Profiling"; });

TEST_P(LaunchOnAnyQueue, OutOfOrderQueueFollowsTheWaitLists) {
  Workbench bench;
  NextKernel next(bench);
  const auto queue = makeQueue(bench, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto middle = test::makeBuffer(bench.context.get(), std::vector<int>(kItems));
  ASSERT_TRUE(settles(bench, next.kernel, {}, [&] {
    test::write(bench.queue.get(), middle, std::vector<int>(kItems, -9));
    cl_int code = CL_SUCCESS;
    const Event gate(clCreateUserEvent(bench.context.get(), &code));
    // Enqueued first, it runs second: it waits for the gate, and the gate for the other one.
    const Event second = next.kernel(Launch{queue.get(), std::vector{gate}}, {}, middle.get(), next.out.get());
    const Event first = next.kernel(queue.get(), {}, next.in.get(), middle.get());
    first.wait();
    EXPECT_EQ(clSetUserEventStatus(gate(), CL_COMPLETE), CL_SUCCESS);
    const Event third = next.kernel(Launch{queue.get(), std::vector{first, second}}, {}, next.out.get(), middle.get());
    third.wait();
    EXPECT_EQ(bench.ints(next.out, 6)[5], 5 + 2);
    EXPECT_EQ(bench.ints(middle, 6)[5], 5 + 3);
    return third;
  }));
}

// ---- wait lists

TEST_P(LaunchOnAnyQueue, WaitsForTheEventsOfItsList) {
  Workbench bench;
  NextKernel next(bench);
  const auto queue = makeQueue(bench);
  int round = 0;
  ASSERT_TRUE(settles(bench, next.kernel, {}, [&] {
    cl_int code = CL_SUCCESS;
    const Event first(clCreateUserEvent(bench.context.get(), &code));
    const Event second(clCreateUserEvent(bench.context.get(), &code));
    const std::array<cl_event, 2> waitFor{first(), second()};
    const Event done = next.launch({queue.get(), waitFor});
    EXPECT_EQ(clSetUserEventStatus(first(), CL_COMPLETE), CL_SUCCESS);

    // Launches of the same size on another queue pass by; then the input changes, and only then the launch may begin.
    const auto other = test::makeQueue(bench.context.get(), bench.device);
    const auto unused = test::makeBuffer(bench.context.get(), std::vector<int>(kItems));
    for (int i = 0; i < 5; ++i) next.kernel(other.get(), {}, next.in.get(), unused.get()).wait();
    test::write(other.get(), next.in, std::vector<int>(kItems, ++round));
    cl_int status = CL_COMPLETE;
    clGetEventInfo(done(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    EXPECT_GT(status, CL_COMPLETE);

    EXPECT_EQ(clSetUserEventStatus(second(), CL_COMPLETE), CL_SUCCESS);
    done.wait();
    EXPECT_EQ(bench.ints(next.out, 1)[0], round + 1);
    return done;
  }));
}

TEST(Launch, TakesListsOfHandlesAndOfEvents) {
  Workbench bench;
  NextKernel next(bench);
  const Event first = next.launch(bench.queue.get());
  const std::vector<Event> events{first, first};
  const std::vector<cl_event> handles{first()};
  EXPECT_EQ(Launch(bench.queue.get(), events).waitFor(), (std::vector<cl_event>{first(), first()}));
  EXPECT_EQ(Launch(bench.queue.get(), handles).waitFor(), handles);
  EXPECT_TRUE(Launch(bench.queue.get(), std::vector<Event>{}).waitFor().empty());
  next.launch({bench.queue.get(), events}).wait();
  next.launch({bench.queue.get(), handles}).wait();
}

// ---- offsets

TEST_P(LaunchOnAnyQueue, BeginsAtItsOffset) {
  Workbench bench;
  NextKernel next(bench);
  const auto queue = makeQueue(bench);
  constexpr std::size_t offset = 7;
  std::vector<int> expected(kItems, -1);
  for (std::size_t i = offset; i < offset + kItems / 2; ++i) expected[i] = static_cast<int>(i) + 1;
  ASSERT_TRUE(settles(bench, next.kernel, {}, [&] {
    test::write(queue.get(), next.out, std::vector<int>(kItems, -1));
    Event done = next.launch({queue.get(), std::vector<cl_event>{}, {offset}});
    EXPECT_EQ(test::read<int>(queue.get(), next.out, kItems), expected);
    return done;
  }));
  EXPECT_EQ(next.kernel.report({}).trials, 2u);
  EXPECT_EQ(next.kernel.report({}).failed, 0u);
}

TEST(Launch, RejectsAnOffsetOfOtherDimensions) {
  Workbench bench;
  NextKernel next(bench);
  const std::vector<cl_event> none;
  EXPECT_THROW(next.launch({bench.queue.get(), none, {0, 0}}), UsageError);
  next.launch({bench.queue.get(), none, {0}}).wait();
  EXPECT_THROW(next.launch({bench.queue.get(), none, {0, 0, 0}}), UsageError);
  EXPECT_THROW(next.launch({bench.queue.get(), none, {0, 0, 0, 0}}), UsageError);
}

TEST(Launch, RejectsANegativeOffset) {
  Workbench bench;
  NextKernel next(bench);
  const std::vector<cl_event> none;
  EXPECT_THROW(next.launch({bench.queue.get(), none, {-1}}), UsageError);
}

}  // namespace
}  // namespace hone::opencl
