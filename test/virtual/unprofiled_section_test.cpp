// Sections of launches on queues without profiling: while their time is wanted, they take a way round by a queue of the
// runtime's own, and keep their order.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "virtual/virtual_bench.h"

namespace hone::opencl {
namespace {

using test::DeviceDescription;
using test::launches;
using test::OwnedMemory;
using test::OwnedQueue;
using test::VirtualBench;

constexpr cl_command_queue_properties kInOrder = 0, kOutOfOrder = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
constexpr int kItems = 16;

/// Two kernels, the first of which doubles each element and the second of which adds one: their order shows. 5 times
/// 10 us each by default.
struct Section {
  explicit Section(cl_command_queue_properties properties = kInOrder, DeviceDescription description = {})
      : bench(test::timeByMacro("X", 10'000), Work::bySteps, std::move(description), properties),
        program(bench.runtime,
                "kernel void twice(global int* data) { data[get_global_id(0)] *= 2; }"
                "kernel void increment(global int* data) { data[get_global_id(0)] += 1 + 0 * X; }",
                "section", bench.options()),
        data(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))) {
    bench.device.kernel("twice", [](const test::KernelCall& call) {
      for (int& value : call.buffer<int>(0)) value = static_cast<int>(2u * static_cast<unsigned>(value));  // wraps
    });
    bench.device.kernel("increment", [](const test::KernelCall& call) {
      for (int& value : call.buffer<int>(0)) ++value;
    });
    program.addParameter("X", range(1, 8), 5);
    program.build();
  }

  static Event enqueue(cl_command_queue queue, cl_kernel kernel, cl_mem buffer) {
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    const std::size_t items = kItems;
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, &event), CL_SUCCESS);
    return Event(event);
  }

  /// Both kernels; returns the queue that they are on.
  cl_command_queue run() {
    program.startMeasurement();
    const Queue queue = program.queue(bench.queue.get());
    const Event first = enqueue(queue(), program.kernel("twice")(), data.get());
    const Event last = enqueue(queue(), program.kernel("increment")(), data.get());
    program.stopMeasurement(elapsed(first, last));
    return queue();
  }
  void fill(int value) {
    EXPECT_EQ(clEnqueueFillBuffer(bench.queue.get(), data.get(), &value, sizeof(value), 0, kItems * sizeof(int), 0,
                                  nullptr, nullptr),
              CL_SUCCESS);
  }
  int read() { return test::read<int>(bench.queue.get(), data, 1)[0]; }

  VirtualBench bench;
  TunedProgram program;
  OwnedMemory data;
};

TEST(UnprofiledSection, TheFastestConfigurationIsFound) {
  Section section;
  const auto calls = [&] { return section.bench.device.counts().callsOf("clWaitForEvents"); };
  const auto waits = calls();
  section.bench.device.runUntil(launches(1000), [&] {
    section.run();
    EXPECT_EQ(clFinish(section.bench.queue.get()), CL_SUCCESS);
    section.bench.runtime.step();
  });
  const Report report = section.program.report();
  EXPECT_EQ(report.phase, Phase::settled);
  EXPECT_EQ(report.best[0].second, 1);
  EXPECT_DOUBLE_EQ(*report.bestCost, 20'000);  // from the first one's start to the last one's end
  EXPECT_DOUBLE_EQ(*report.defaultCost, 100'000);
  EXPECT_EQ(calls(), waits);
  EXPECT_TRUE(section.bench.messages().empty()) << section.bench.messages()[0];
}

/// Copies and launches would overlap if nothing kept them in order.
TEST(UnprofiledSection, WhatComesBeforeAndAfterKeepsItsOrder) {
  DeviceDescription slowCopies;
  slowCopies.copyBytesPerNs = 0.001;
  for (const bool waitsForFlush : {false, true}) {
    slowCopies.waitsForFlush = waitsForFlush;
    Section section(kInOrder, slowCopies);
    int wayRound = 0;
    for (int i = 0; i < 50; ++i) {
      section.fill(i);
      for (int j = 0; j < 2; ++j) wayRound += section.run() != section.bench.queue.get() ? 1 : 0;
      ASSERT_EQ(section.read(), 4 * i + 3);
    }
    EXPECT_GT(wayRound, 10);  // the others are not sampled
  }
}

TEST(UnprofiledSection, ADroppedMeasurementKeepsItsOrder) {
  DeviceDescription slowCopies;
  slowCopies.copyBytesPerNs = 0.001;
  Section section(kInOrder, slowCopies);
  {
    ProgramTicket ticket = section.program.measure();
    section.fill(10);
    const cl_command_queue queue = ticket.queue(section.bench.queue.get())();
    EXPECT_NE(queue, section.bench.queue.get());
    Section::enqueue(queue, ticket.kernel("twice")(), section.data.get());
  }
  EXPECT_EQ(section.read(), 20);
}

TEST(UnprofiledSection, AStoppedMeasurementIsOverAlthoughItsTicketLives) {
  Section section;
  ProgramTicket ticket = section.program.measure();
  section.fill(10);
  const cl_command_queue queue = ticket.queue(section.bench.queue.get())();
  const Event done = Section::enqueue(queue, ticket.kernel("twice")(), section.data.get());
  ticket.stop(elapsed(done));
  EXPECT_EQ(section.read(), 20);
}

TEST(UnprofiledSection, OnlySampledMeasurementsTakeTheWayRound) {
  Section section;
  section.program.settle();
  int wayRound = 0;
  for (int i = 0; i < 1000; ++i) {
    wayRound += section.run() != section.bench.queue.get() ? 1 : 0;
    EXPECT_EQ(clFinish(section.bench.queue.get()), CL_SUCCESS);
    section.bench.runtime.step();
  }
  EXPECT_GT(wayRound, 0);
  EXPECT_LT(wayRound, 200);  // the final is among them
}

TEST(UnprofiledSection, QueuesWithProfilingOrOutOfOrderStayAsTheyAre) {
  for (const auto properties : {cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE}, kOutOfOrder}) {
    Section section(properties);
    for (int i = 0; i < 5; ++i) {
      ProgramTicket ticket = section.program.measure();
      EXPECT_EQ(ticket.queue(section.bench.queue.get())(), section.bench.queue.get());
    }
  }
}

TEST(UnprofiledSection, AMeasurementHasOneQueue) {
  Section section;
  const OwnedQueue another = test::makeQueue(section.bench.context.get(), section.bench.device.id(), kInOrder);
  EXPECT_THROW(section.program.queue(another.get()), UsageError);
  ProgramTicket ticket = section.program.measure();
  const cl_command_queue queue = ticket.queue(section.bench.queue.get())();
  EXPECT_EQ(ticket.queue(section.bench.queue.get())(), queue);
  EXPECT_THROW(ticket.queue(another.get()), UsageError);
  ticket.stop();
  EXPECT_THROW(ticket.queue(section.bench.queue.get()), UsageError);
}

/// The n-th of all calls of a kind fails, for n = 1, 2, ... until a run does not come to n.
TEST(UnprofiledSection, WhicheverCallFailsTheResultsAreRight) {
  for (const char* call : {"clCreateCommandQueueWithProperties", "clEnqueueMarkerWithWaitList", "clFlush",
                           "clEnqueueBarrierWithWaitList"}) {
    bool hasFailed = true;
    for (std::uint64_t n = 1; hasFailed; ++n) {
      SCOPED_TRACE(std::string(call) + ", time " + std::to_string(n));
      ASSERT_LT(n, 100u);
      Section section;
      hasFailed = false;
      section.bench.device.faults().failCall(call, CL_OUT_OF_RESOURCES,
                                             [&, n](const test::Macros&, std::uint64_t time) {
                                               hasFailed |= time == n;
                                               return time == n;
                                             });
      for (int i = 0; i < 10; ++i) {
        section.fill(i);
        section.run();
        ASSERT_EQ(section.read(), 2 * i + 1);
      }
    }
  }
}

}  // namespace
}  // namespace hone::opencl
