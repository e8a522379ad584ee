#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

/// A plain kernel whose time depends on its argument, launched without a TunedKernel.
struct PlainKernel {
  explicit PlainKernel(std::size_t deviceCount = 1) : devices(test::poclDevices(deviceCount)) {
    devices.resize(deviceCount);
    context = test::makeContext(devices);
    const char* source = R"(
      kernel void spin(global uint* out, int rounds) {
        uint x = 1;
        for (int r = 0; r < rounds; ++r) x = x * x + r;
        out[0] = x;
      })";
    cl_int code = CL_SUCCESS;
    program.reset(clCreateProgramWithSource(context.get(), 1, &source, nullptr, &code));
    EXPECT_EQ(clBuildProgram(program.get(), 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
    kernel.reset(clCreateKernel(program.get(), "spin", &code));
    EXPECT_EQ(code, CL_SUCCESS);
    out = test::makeBytes(context.get(), sizeof(cl_uint));
  }

  Event launch(const test::OwnedQueue& queue, int rounds) {
    const cl_mem memory = out.get();
    clSetKernelArg(kernel.get(), 0, sizeof(memory), &memory);
    clSetKernelArg(kernel.get(), 1, sizeof(rounds), &rounds);
    const std::size_t one = 1;
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &one, &one, 0, nullptr, &event),
              CL_SUCCESS);
    return Event(event);
  }

  std::vector<cl_device_id> devices;
  test::OwnedContext context;
  detail::OwnedProgram program;
  detail::OwnedKernel kernel;
  test::OwnedMemory out;
};

cl_ulong profiled(const Event& event, cl_profiling_info what) {
  cl_ulong ns = 0;
  EXPECT_EQ(clGetEventProfilingInfo(event(), what, sizeof(ns), &ns, nullptr), CL_SUCCESS);
  return ns;
}

/// A section that takes 10 ms by default, and a thousandth of it otherwise.
struct Section {
  Section() : tuner("section", options()) { tuner.addParameter(&rounds, {1, 2, kSlow}, kSlow, "rounds"); }

  Options options() {
    Options options;
    options.strategy = "random";
    options.hasOwnThread = false;
    options.slowdownBudget = std::numeric_limits<double>::infinity();
    options.diagnostics = [this](const Diagnostic& diagnostic) { messages.push_back(diagnostic.message); };
    return options;
  }

  static constexpr int kSlow = 5000000;
  std::vector<std::string> messages;
  int rounds = 0;
  Tuner tuner;
};

TEST(Elapsed, OfOneEventTunesASection) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  Section section;
  for (int i = 0; i < 20000 && (i == 0 || section.tuner.report().phase != Phase::settled); ++i) {
    section.tuner.startMeasurement();
    const Event done = plain.launch(queue, section.rounds);
    section.tuner.stopMeasurement(elapsed(done));
    done.wait();
    section.tuner.step();
  }
  const Report report = section.tuner.report();
  EXPECT_EQ(report.phase, Phase::settled);
  EXPECT_NE(report.best[0].second, Section::kSlow);
  EXPECT_LT(report.bestCost.value(), report.defaultCost.value());
  EXPECT_TRUE(section.messages.empty());
}

TEST(Elapsed, OfTwoEventsCountsFromTheFirstsStartToTheLastsEnd) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  const Event first = plain.launch(queue, 1000);
  const Event last = plain.launch(queue, 1000);
  last.wait();
  const Elapsed both = elapsed(first, last);
  const TimeReading reading = both.times->read(both.first, both.last);
  EXPECT_EQ(reading.state, TimeReading::State::known);
  EXPECT_EQ(reading.ns, static_cast<double>(profiled(last, CL_PROFILING_COMMAND_END) -
                                            profiled(first, CL_PROFILING_COMMAND_START)));
  const Elapsed one = elapsed(first);
  EXPECT_EQ(one.times->read(one.first, one.last).ns, static_cast<double>(profiled(first, CL_PROFILING_COMMAND_END) -
                                                                         profiled(first, CL_PROFILING_COMMAND_START)));
}

TEST(Elapsed, OfTwoEventsTunesASectionOfTwoKernels) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  Section section;
  for (int i = 0; i < 20000 && (i == 0 || section.tuner.report().phase != Phase::settled); ++i) {
    section.tuner.startMeasurement();
    const Event first = plain.launch(queue, section.rounds);
    const Event last = plain.launch(queue, 1);
    section.tuner.stopMeasurement(elapsed(first, last));
    last.wait();
    section.tuner.step();
  }
  EXPECT_NE(section.tuner.report().best[0].second, Section::kSlow);
}

TEST(Elapsed, OfEventsInTheWrongOrderIsNoTime) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  const Event first = plain.launch(queue, 1000);
  const Event last = plain.launch(queue, 1000);
  last.wait();
  const Elapsed reversed = elapsed(last, first);
  EXPECT_EQ(reversed.times->read(reversed.first, reversed.last).state, TimeReading::State::broken);
}

TEST(Elapsed, IsPendingUntilBothEventsHaveCompleted) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  const Event done = plain.launch(queue, 1);
  done.wait();
  cl_int code = CL_SUCCESS;
  const Event gate(clCreateUserEvent(plain.context.get(), &code));
  const cl_event waitFor = gate();
  cl_event marker = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue.get(), 1, &waitFor, &marker), CL_SUCCESS);
  const Event blocked(marker);
  for (const Elapsed& time : {elapsed(done, blocked), elapsed(blocked, done), elapsed(blocked)})
    EXPECT_EQ(time.times->read(time.first, time.last).state, TimeReading::State::pending);
  clSetUserEventStatus(gate(), CL_COMPLETE);
  blocked.wait();
}

TEST(Elapsed, OfFailedCommandsIsAFailure) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  cl_int code = CL_SUCCESS;
  const Event gate(clCreateUserEvent(plain.context.get(), &code));
  const cl_event waitFor = gate();
  cl_event marker = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue.get(), 1, &waitFor, &marker), CL_SUCCESS);
  const Event failed(marker);
  clSetUserEventStatus(gate(), -1);
  EXPECT_THROW(failed.wait(), Error);
  const Elapsed time = elapsed(failed);
  EXPECT_EQ(time.times->read(time.first, time.last).state, TimeReading::State::failed);
}

// ---- events without a time

TEST(Elapsed, AcrossDevicesThrows) {
  PlainKernel plain(2);
  const auto one = test::makeQueue(plain.context.get(), plain.devices[0]);
  const auto other = test::makeQueue(plain.context.get(), plain.devices[1]);
  const Event first = plain.launch(one, 1);
  const Event last = plain.launch(other, 1);
  Section section;
  section.tuner.startMeasurement();
  EXPECT_THROW(section.tuner.stopMeasurement(elapsed(first, last)), UsageError);
  const auto again = test::makeQueue(plain.context.get(), plain.devices[0]);
  section.tuner.startMeasurement();
  section.tuner.stopMeasurement(elapsed(first, plain.launch(again, 1)));  // another queue of the device is fine
  clFinish(one.get());
  clFinish(other.get());
}

TEST(Elapsed, OfANullEventThrows) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  const Event done = plain.launch(queue, 1);
  Section section;
  for (const Elapsed& time : {elapsed(Event()), elapsed(done, Event()), elapsed(Event(), done)}) {
    section.tuner.startMeasurement();
    EXPECT_THROW(section.tuner.stopMeasurement(time), UsageError);
  }
  done.wait();
  EXPECT_TRUE(section.messages.empty());
}

TEST(Elapsed, OfAUserEventThrows) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  const Event done = plain.launch(queue, 1);
  cl_int code = CL_SUCCESS;
  const Event user(clCreateUserEvent(plain.context.get(), &code));
  Section section;
  for (const Elapsed& time : {elapsed(done, user), elapsed(user, done), elapsed(user)}) {
    section.tuner.startMeasurement();
    EXPECT_THROW(section.tuner.stopMeasurement(time), UsageError);
  }
  clSetUserEventStatus(user(), CL_COMPLETE);
  done.wait();
}

TEST(Elapsed, WithoutProfilingGivesOneDiagnosticAndTheDefault) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0], 0);
  Section section;
  for (int i = 0; i < 30; ++i) {
    section.tuner.startMeasurement();
    EXPECT_EQ(section.rounds, Section::kSlow);
    const Event done = plain.launch(queue, 1);
    section.tuner.stopMeasurement(elapsed(done));
    done.wait();
    section.tuner.step();
  }
  EXPECT_EQ(section.tuner.report().phase, Phase::warmingUp);
  ASSERT_EQ(section.messages.size(), 1u);
  EXPECT_NE(section.messages[0].find("CL_QUEUE_PROFILING_ENABLE"), std::string::npos) << section.messages[0];
}

TEST(Elapsed, EventsAreReleasedOnceRead) {
  PlainKernel plain;
  const auto queue = test::makeQueue(plain.context.get(), plain.devices[0]);
  const auto references = [](const Event& event) {
    cl_uint count = 0;
    clGetEventInfo(event(), CL_EVENT_REFERENCE_COUNT, sizeof(count), &count, nullptr);
    return count;
  };
  const Event first = plain.launch(queue, 1);
  const Event last = plain.launch(queue, 1);
  last.wait();
  clFinish(queue.get());
  const cl_uint before = references(last);
  {
    Section section;
    section.tuner.startMeasurement();
    section.tuner.stopMeasurement(elapsed(first, last));
    EXPECT_EQ(references(last), before + 1);
    section.tuner.report();
    EXPECT_EQ(references(last), before);
    section.tuner.startMeasurement();
    section.tuner.stopMeasurement(elapsed(last));
    EXPECT_EQ(references(last), before + 2);
  }
  EXPECT_EQ(references(last), before);
}

}  // namespace
}  // namespace hone::opencl
