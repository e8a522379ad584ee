// The virtual device itself: what it promises beyond OpenCL.

#include "support/virtual_device/virtual_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/opencl_device.h"
#include "support/virtual_device/expect_clean.h"
#include "support/virtual_device/models/composed_model.h"

namespace hone::test {
namespace {

using namespace std::chrono_literals;
using opencl::detail::OwnedKernel;
using opencl::detail::OwnedProgram;

struct ReleasesEvent {
  void operator()(cl_event event) const { clReleaseEvent(event); }
};
using OwnedEvent = std::unique_ptr<_cl_event, ReleasesEvent>;

struct FreeCalls {
  explicit FreeCalls(VirtualDevice& device) { device.hostTimes({0, {}}); }
};

/// A kernel "k" of one output on a device; API calls take no time, so that all times are the device's.
struct Bench {
  explicit Bench(std::shared_ptr<LaunchModel> model = lasting(100us), DeviceDescription description = {})
      : device(std::move(model), std::move(description)),
        clean(device),
        freeCalls(device),
        context(makeContext({device.id()})),
        queue(makeQueue(context.get(), device.id())),
        unordered(
            makeQueue(context.get(), device.id(), CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)),
        out(makeBuffer(context.get(), std::vector<float>(8))) {
    device.kernel("k", [](const KernelCall& call) {
      const auto values = call.buffer<float>(0);
      for (std::size_t i = 0; i < call.global(0); ++i) values[i] = static_cast<float>(call.macro("X"));
    });
  }

  cl_int build(const std::string& options, OwnedProgram* program) {
    const char* source = "kernel void k(global float* out) { out[get_global_id(0)] = X; }";
    program->reset(clCreateProgramWithSource(context.get(), 1, &source, nullptr, nullptr));
    return clBuildProgram(program->get(), 0, nullptr, options.c_str(), nullptr, nullptr);
  }
  OwnedKernel makeKernel(const std::string& options = "-D X=1") {
    OwnedProgram program;
    EXPECT_EQ(build(options, &program), CL_SUCCESS);
    OwnedKernel kernel(clCreateKernel(program.get(), "k", nullptr));
    const cl_mem handle = out.get();
    EXPECT_EQ(clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle), CL_SUCCESS);
    return kernel;
  }
  OwnedEvent launch(const OwnedKernel& kernel, const OwnedQueue& to, std::size_t items = 4,
                    cl_int expected = CL_SUCCESS) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(to.get(), kernel.get(), 1, nullptr, &items, nullptr, 0, nullptr, &event),
              expected);
    return OwnedEvent(event);
  }
  OwnedEvent launch(const OwnedKernel& kernel) { return launch(kernel, queue); }
  std::vector<float> results() { return read<float>(queue.get(), out, 8); }

  VirtualDevice device;
  const ExpectsClean clean;
  const FreeCalls freeCalls;
  const OwnedContext context;
  const OwnedQueue queue;
  const OwnedQueue unordered;
  const OwnedMemory out;
};

cl_int statusOf(const OwnedEvent& event) {
  cl_int status = 99;
  clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  return status;
}

cl_int wait(const OwnedEvent& event) {
  const cl_event handle = event.get();
  return clWaitForEvents(1, &handle);
}

std::int64_t durationNs(const OwnedEvent& event) {
  cl_ulong start = 0, end = 0;
  clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START, sizeof(start), &start, nullptr);
  clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr);
  return static_cast<std::int64_t>(end) - static_cast<std::int64_t>(start);
}

std::string onlyViolation(VirtualDevice& device) {
  const std::vector<std::string> violations = device.takeViolations();
  EXPECT_EQ(violations.size(), 1u);
  return violations.empty() ? "" : violations[0];
}

// ---- the loader

TEST(VirtualDevice, TheLoaderFindsItBesideTheSystemsDrivers) {
  cl_uint count = 0;
  ASSERT_EQ(clGetPlatformIDs(0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_platform_id> platforms(count);
  ASSERT_EQ(clGetPlatformIDs(count, platforms.data(), nullptr), CL_SUCCESS);
  EXPECT_GE(count, 2u);
  const VirtualDevice one(lasting(1us)), two(lasting(1us));
  ASSERT_NE(std::find(platforms.begin(), platforms.end(), one.platform()), platforms.end());
  std::vector<cl_device_id> devices(3);
  ASSERT_EQ(clGetDeviceIDs(one.platform(), CL_DEVICE_TYPE_ALL, 3, devices.data(), &count), CL_SUCCESS);
  devices.resize(count);
  EXPECT_EQ(devices, (std::vector<cl_device_id>{one.id(), two.id()}));
}

// ---- time

TEST(VirtualDevice, LaunchesTakeWhatTheModelSays) {
  Bench bench(costing([](const VirtualLaunch& launch) { return 1000.0 * static_cast<double>(launch.macros.at("X")); }));
  const auto three = bench.makeKernel("-D X=3"), seven = bench.makeKernel("-DX=7");
  const auto begin = bench.device.now();
  const auto first = bench.launch(three), second = bench.launch(seven);
  EXPECT_EQ(bench.device.now(), begin);
  EXPECT_EQ(statusOf(first), CL_RUNNING);
  EXPECT_EQ(statusOf(second), CL_QUEUED);
  bench.device.advance(3us);
  EXPECT_EQ(statusOf(first), CL_COMPLETE);
  EXPECT_EQ(statusOf(second), CL_RUNNING);
  EXPECT_EQ(wait(second), CL_SUCCESS);
  EXPECT_EQ(bench.device.now() - begin, 10us);
  EXPECT_EQ(durationNs(first), 3000);
  EXPECT_EQ(durationNs(second), 7000);
}

TEST(VirtualDevice, LaunchesThatOverlapTakeTurns) {
  Bench bench(costing([](const VirtualLaunch& launch) { return 1000.0 * static_cast<double>(launch.macros.at("X")); }));
  const auto two = bench.makeKernel("-D X=2"), six = bench.makeKernel("-D X=6");
  const auto shorter = bench.launch(two, bench.unordered), longer = bench.launch(six, bench.unordered);
  EXPECT_EQ(clFinish(bench.unordered.get()), CL_SUCCESS);
  // At half the speed until 4 us, when 2 us of each are done; the other 4 us alone.
  EXPECT_EQ(durationNs(shorter), 4000);
  EXPECT_EQ(durationNs(longer), 8000);
}

TEST(VirtualDevice, WithoutRoomALaunchWaits) {
  DeviceDescription narrow;
  narrow.maxRunning = 1;
  Bench bench(lasting(5us), narrow);
  const auto kernel = bench.makeKernel();
  const auto first = bench.launch(kernel, bench.unordered), second = bench.launch(kernel, bench.unordered);
  EXPECT_EQ(statusOf(second), CL_SUBMITTED);
  EXPECT_EQ(clFinish(bench.unordered.get()), CL_SUCCESS);
  EXPECT_EQ(durationNs(first), 5000);
  EXPECT_EQ(durationNs(second), 5000);
}

TEST(VirtualDevice, OverlapFollowsItsLaw) {
  DeviceDescription wide;
  wide.overlap = [](std::size_t running) { return running <= 2 ? 1.0 : 0.5; };
  Bench bench(lasting(6us), wide);
  const auto kernel = bench.makeKernel();
  const auto first = bench.launch(kernel, bench.unordered);
  const auto second = bench.launch(kernel, bench.unordered);
  bench.device.advance(2us);
  const auto third = bench.launch(kernel, bench.unordered);
  EXPECT_EQ(clFinish(bench.unordered.get()), CL_SUCCESS);
  // 2 us at full speed, then 8 us at half of it for the 4 us that are left; the third has 2 us left then.
  EXPECT_EQ(durationNs(first), 10000);
  EXPECT_EQ(durationNs(second), 10000);
  EXPECT_EQ(durationNs(third), 10000);
}

TEST(VirtualDevice, EventTimesHaveTheResolutionOfTheTimer) {
  DeviceDescription coarse;
  coarse.timerResolutionNs = 1000;
  Bench bench(lasting(1700ns), coarse);
  const auto kernel = bench.makeKernel();
  const auto first = bench.launch(kernel), second = bench.launch(kernel);
  EXPECT_EQ(wait(second), CL_SUCCESS);
  EXPECT_EQ(durationNs(first), 1000);   // 0 to 1.7 us
  EXPECT_EQ(durationNs(second), 2000);  // 1.7 to 3.4 us
}

TEST(VirtualDevice, CallsTakeHostTime) {
  Bench bench;
  const auto kernel = bench.makeKernel();
  bench.device.hostTimes({10, {{"clEnqueueNDRangeKernel", 3000}}});
  const auto begin = bench.device.now();
  const auto event = bench.launch(kernel);
  EXPECT_EQ(bench.device.now() - begin, 3000ns);
  EXPECT_EQ(clFlush(bench.queue.get()), CL_SUCCESS);
  EXPECT_EQ(bench.device.now() - begin, 3010ns);
}

TEST(VirtualDevice, TransfersTakeTheirBytesTime) {
  DeviceDescription slow;
  slow.copyBytesPerNs = 0.5;
  Bench bench(lasting(1us), slow);
  const auto begin = bench.device.now();
  bench.results();  // 32 bytes
  EXPECT_EQ(bench.device.now() - begin, 64ns);
}

TEST(VirtualDevice, BuildsTakeVirtualTime) {
  Bench bench;
  bench.device.buildTime([](const Macros& macros) {
    return BuildTime{std::chrono::milliseconds(macros.at("X")), BuildTime::Clock::virtualTime, false};
  });
  const auto begin = bench.device.now();
  bench.makeKernel("-D X=250");
  EXPECT_EQ(bench.device.now() - begin, 250ms);
}

TEST(VirtualDevice, ABuildInRealTimeLeavesTheDriverToOthers) {
  Bench bench;
  const auto kernel = bench.makeKernel("-D X=1");
  std::atomic<bool> isBuilding{false};
  bench.device.buildTime([&](const Macros&) {
    isBuilding = true;
    return BuildTime{1h, BuildTime::Clock::realTime, false};
  });
  std::thread builder([&] { bench.makeKernel("-D X=2"); });
  while (!isBuilding) std::this_thread::yield();
  bench.device.runUntil(launches(1000), [&] { wait(bench.launch(kernel)); });
  bench.device.faults().releaseBuilds();  // also those that sleep
  builder.join();
}

TEST(VirtualDevice, ABuildThatLocksTheDriverHoldsOthersUp) {
  Bench bench;
  std::atomic<bool> isBuilding{false};
  bench.device.buildTime([&](const Macros&) {
    isBuilding = true;
    return BuildTime{20ms, BuildTime::Clock::realTime, true};
  });
  const char* source = "kernel void k() {}";
  const OwnedProgram program(clCreateProgramWithSource(bench.context.get(), 1, &source, nullptr, nullptr));
  std::thread builder([&] { clBuildProgram(program.get(), 0, nullptr, "", nullptr, nullptr); });
  while (!isBuilding) std::this_thread::yield();
  cl_build_status status = CL_BUILD_NONE;
  EXPECT_EQ(clGetProgramBuildInfo(program.get(), bench.device.id(), CL_PROGRAM_BUILD_STATUS, sizeof(status), &status,
                                  nullptr),
            CL_SUCCESS);
  EXPECT_EQ(status, CL_BUILD_SUCCESS) << "the call returned while the build was in progress";
  builder.join();
}

TEST(VirtualDevice, NothingBeginsBeforeItsQueueIsFlushedWhereTheDeviceIsLikeThat) {
  DeviceDescription lazy;
  lazy.waitsForFlush = true;
  Bench bench(lasting(1us), lazy);
  const auto event = bench.launch(bench.makeKernel());
  bench.device.advance(1s);
  EXPECT_EQ(statusOf(event), CL_QUEUED);
  EXPECT_EQ(clFlush(bench.queue.get()), CL_SUCCESS);
  bench.device.advance(1us);
  EXPECT_EQ(statusOf(event), CL_COMPLETE);
}

TEST(VirtualDevice, ModelsSeeTheLaunch) {
  std::vector<VirtualLaunch> seen;
  Bench bench(costing([&](const VirtualLaunch& launch) {
    seen.push_back(launch);
    return 1000.0;
  }));
  const auto one = bench.makeKernel("-D X=1 -D Y=-3 -DTEXT=a"), two = bench.makeKernel("-D X=2");
  bench.launch(one, bench.queue, 8);
  bench.launch(two);
  EXPECT_EQ(wait(bench.launch(one)), CL_SUCCESS);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].kernel, "k");
  EXPECT_EQ(seen[0].macros, (Macros{{"X", 1}, {"Y", -3}}));
  EXPECT_EQ(seen[0].global[0], 8u);
  EXPECT_EQ(seen[2].number, 2u);
  EXPECT_EQ(seen[2].numberInProgram, 1u);
  EXPECT_EQ(seen[2].startNs - seen[1].startNs, 1000);
}

TEST(VirtualDevice, AHundredThousandLaunchesMayBeInFlight) {
  constexpr int kLaunches = 100'000;
  Bench bench(lasting(1ms));
  const auto kernel = bench.makeKernel();
  const auto enqueueAll = [&](const OwnedQueue& queue) {
    for (int i = 0; i < kLaunches / 2; ++i) bench.launch(kernel, queue);
  };
  enqueueAll(bench.queue);
  enqueueAll(bench.unordered);
  EXPECT_EQ(bench.device.counts().mostInFlight, std::size_t{kLaunches});
  EXPECT_EQ(clFinish(bench.queue.get()), CL_SUCCESS);
  EXPECT_EQ(clFinish(bench.unordered.get()), CL_SUCCESS);
  EXPECT_EQ(bench.device.counts().ended, std::uint64_t{kLaunches});
  EXPECT_EQ(bench.device.now(), 100s);  // at whatever rate each, all together take turns
}

// ---- faults

TEST(VirtualDeviceFaults, CallsFailOnScript) {
  Bench bench;
  const auto kernel = bench.makeKernel();
  bench.device.faults().failEnqueue(nth(2), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  bench.device.faults().failCall("clFlush", CL_OUT_OF_HOST_MEMORY, fromNth(2));
  bench.launch(kernel);
  bench.launch(kernel, bench.queue, 4, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  bench.launch(kernel);
  EXPECT_EQ(clFlush(bench.queue.get()), CL_SUCCESS);
  EXPECT_EQ(clFlush(bench.queue.get()), CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(clFlush(bench.queue.get()), CL_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(bench.device.counts().launches, 2u);
}

TEST(VirtualDeviceFaults, AnEventFailsWhenItEnds) {
  Bench bench;
  bench.device.faults().failEvent(macro("X", 2));
  const auto good = bench.launch(bench.makeKernel("-D X=1")), bad = bench.launch(bench.makeKernel("-D X=2"));
  EXPECT_EQ(wait(good), CL_SUCCESS);
  EXPECT_EQ(statusOf(bad), CL_RUNNING);
  EXPECT_EQ(wait(bad), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(statusOf(bad), CL_OUT_OF_RESOURCES);
}

TEST(VirtualDeviceFaults, TimestampsAreBrokenInEachWay) {
  Bench bench;
  bench.device.faults().breakTimestamps(Timestamps::zero, macro("X", 1));
  bench.device.faults().breakTimestamps(Timestamps::reversed, macro("X", 2));
  bench.device.faults().breakTimestamps(Timestamps::untouched, macro("X", 3));
  bench.device.faults().breakTimestamps(Timestamps::unavailable, macro("X", 4));
  bench.device.faults().breakTimestamps(Timestamps::startZero, macro("X", 6));
  const auto ask = [&](int x, cl_profiling_info what, cl_int expected = CL_SUCCESS) {
    const auto event = bench.launch(bench.makeKernel("-D X=" + std::to_string(x)));
    EXPECT_EQ(wait(event), CL_SUCCESS);
    EXPECT_EQ(durationNs(event) < 0, x == 2);
    cl_ulong time = 4711;
    EXPECT_EQ(clGetEventProfilingInfo(event.get(), what, sizeof(time), &time, nullptr), expected);
    return time;
  };
  EXPECT_EQ(ask(1, CL_PROFILING_COMMAND_START), 0u);
  EXPECT_EQ(ask(1, CL_PROFILING_COMMAND_END), 0u);
  EXPECT_GT(ask(2, CL_PROFILING_COMMAND_END), 0u);
  EXPECT_EQ(ask(3, CL_PROFILING_COMMAND_END), 4711u);
  EXPECT_EQ(ask(6, CL_PROFILING_COMMAND_START), 0u);
  EXPECT_GT(ask(6, CL_PROFILING_COMMAND_END), 4711u);
  EXPECT_EQ(ask(4, CL_PROFILING_COMMAND_END, CL_PROFILING_INFO_NOT_AVAILABLE), 4711u);
  EXPECT_GT(ask(5, CL_PROFILING_COMMAND_END), 4711u);
}

TEST(VirtualDeviceFaults, ResultsAreWrongInEachWay) {
  const auto resultsOf = [](WrongResult how) {
    Bench bench;
    bench.device.faults().giveWrongResults(how);
    const auto kernel = bench.makeKernel("-D X=5");
    bench.launch(kernel, bench.queue, 4);
    return bench.results();
  };
  EXPECT_EQ(resultsOf(WrongResult::secondHalfLost), (std::vector<float>{5, 5, 0, 0, 0, 0, 0, 0}));
  const std::vector<float> little = resultsOf(WrongResult::offByLittle);
  EXPECT_FLOAT_EQ(little[2], 5.005f);
  EXPECT_EQ(little[1], 5);
  EXPECT_EQ(little[3], 5);
  EXPECT_TRUE(std::isnan(resultsOf(WrongResult::notANumber)[2]));
  const std::vector<float> beyond = resultsOf(WrongResult::oneTooMany);
  EXPECT_EQ(beyond[3], 5);
  EXPECT_NE(beyond[4], 0);
  EXPECT_EQ(beyond[5], 0);
}

TEST(VirtualDeviceFaults, BuildsFailAndBinariesAreRejected) {
  Bench bench;
  bench.device.faults().failBuild(macro("X", 2));
  bench.device.faults().rejectBinary(macro("X", 3));
  OwnedProgram program;
  EXPECT_EQ(bench.build("-D X=2", &program), CL_BUILD_PROGRAM_FAILURE);
  for (const int x : {1, 3}) {
    ASSERT_EQ(bench.build("-D X=" + std::to_string(x), &program), CL_SUCCESS);
    std::size_t size = 0;
    clGetProgramInfo(program.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr);
    std::vector<unsigned char> binary(size);
    unsigned char* bytes = binary.data();
    clGetProgramInfo(program.get(), CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr);
    const unsigned char* input = bytes;
    const cl_device_id device = bench.device.id();
    cl_int code = CL_SUCCESS;
    const OwnedProgram loaded(
        clCreateProgramWithBinary(bench.context.get(), 1, &device, &size, &input, nullptr, &code));
    EXPECT_EQ(code, x == 3 ? CL_INVALID_BINARY : CL_SUCCESS);
  }
}

TEST(VirtualDeviceFaults, ABuildHangsUntilItIsReleased) {
  Bench bench;
  bench.device.faults().hangBuild(macro("X", 2));
  const auto kernel = bench.makeKernel("-D X=1");
  std::thread builder([&] { bench.makeKernel("-D X=2"); });
  while (bench.device.faults().hangingBuilds() == 0) std::this_thread::yield();
  EXPECT_EQ(wait(bench.launch(kernel)), CL_SUCCESS);  // the driver is not locked
  EXPECT_EQ(bench.device.faults().hangingBuilds(), 1);
  bench.device.faults().releaseBuilds();
  builder.join();
  EXPECT_EQ(bench.device.faults().hangingBuilds(), 0);
}

TEST(VirtualDeviceFaultsDeathTest, ABuildCrashes) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Bench bench;
  bench.device.faults().crashBuild(macro("X", 2), SIGKILL);
  bench.makeKernel("-D X=1");
  EXPECT_EXIT(bench.makeKernel("-D X=2"), testing::KilledBySignal(SIGKILL), "");
}

TEST(VirtualDeviceFaults, OfALostDeviceNothingWorks) {
  Bench bench;
  bench.device.faults().loseDeviceAtLaunch(2);
  const auto kernel = bench.makeKernel();
  const auto first = bench.launch(kernel), second = bench.launch(kernel), third = bench.launch(kernel);
  EXPECT_EQ(wait(first), CL_SUCCESS);
  EXPECT_EQ(statusOf(second), CL_OUT_OF_RESOURCES);
  EXPECT_EQ(statusOf(third), CL_OUT_OF_RESOURCES);
  bench.launch(kernel, bench.queue, 4, CL_OUT_OF_RESOURCES);
  EXPECT_EQ(clFinish(bench.queue.get()), CL_OUT_OF_RESOURCES);
}

// ---- counts and violations

TEST(VirtualDeviceCounts, BlockingCallsAreCountedForTheirThread) {
  Bench bench;
  const auto kernel = bench.makeKernel();
  const auto before = bench.device.counts();
  std::thread::id other;
  std::thread thread([&] {
    other = std::this_thread::get_id();
    wait(bench.launch(kernel));
    clFinish(bench.queue.get());
  });
  thread.join();
  bench.results();
  const auto counts = bench.device.counts();
  EXPECT_EQ(counts.of(other).blocking, 2u);
  EXPECT_EQ(counts.of(std::this_thread::get_id()).blocking - before.of(std::this_thread::get_id()).blocking, 1u);
  EXPECT_EQ(counts.callsOf("clFinish"), 1u);
  EXPECT_EQ(counts.of(std::this_thread::get_id()).builds, 1u);
}

TEST(VirtualDeviceCounts, ObjectsAndMemoryAreCounted) {
  Bench bench;
  EXPECT_EQ(bench.device.counts().live, (LiveObjects{1, 2, 1, 0, 0, 0, 0}));
  {
    const auto kernel = bench.makeKernel();
    const auto buffer = makeBytes(bench.context.get(), 1000);
    const auto event = bench.launch(kernel);
    EXPECT_EQ(bench.device.counts().live, (LiveObjects{1, 2, 2, 1, 1, 1, 0}));
    EXPECT_EQ(bench.device.counts().memoryBytes, 1032u);
  }
  EXPECT_EQ(bench.device.counts().live.events, 1) << "its command is still under way";
  bench.device.drain();
  EXPECT_EQ(bench.device.counts().live, (LiveObjects{1, 2, 1, 0, 0, 0, 0}));
  EXPECT_EQ(bench.device.counts().memoryBytes, 32u);
  EXPECT_EQ(bench.device.counts().mostMemoryBytes, 1032u);
}

TEST(VirtualDeviceViolations, UseAfterReleaseIsNoticed) {
  Bench bench;
  const auto kernel = bench.makeKernel();
  OwnedEvent event = bench.launch(kernel);
  const cl_event released = event.get();
  event.reset();
  bench.device.drain();
  EXPECT_EQ(clWaitForEvents(1, &released), CL_INVALID_EVENT);
  EXPECT_EQ(onlyViolation(bench.device), "clWaitForEvents: use of a released event");

  const cl_mem handle = makeBytes(bench.context.get(), 64).get();
  EXPECT_EQ(clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(bench.device.takeViolations().size(), 2u);
}

TEST(VirtualDeviceViolations, AnArgumentReleasedBeforeTheLaunchIsNoticed) {
  Bench bench;
  const auto kernel = bench.makeKernel();
  {
    const auto buffer = makeBytes(bench.context.get(), 64);
    const cl_mem handle = buffer.get();
    EXPECT_EQ(clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle), CL_SUCCESS);
  }
  bench.launch(kernel, bench.queue, 4, CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(onlyViolation(bench.device), "clEnqueueNDRangeKernel: argument 0 of k is a released memory object");
}

TEST(VirtualDeviceViolations, BodiesThatWriteBeyondABufferAreNoticed) {
  Bench bench;
  bench.device.kernel("k", [](const KernelCall& call) { call.buffer<float>(0).data()[8] = 1; });
  EXPECT_EQ(wait(bench.launch(bench.makeKernel())), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_EQ(onlyViolation(bench.device), "k: the body wrote beyond the end of a buffer");
}

class ModelWithoutAnswers final : public LaunchModel {
 public:
  double durationNs(const VirtualLaunch& launch) override {
    if (launch.macros.at("X") == 1) throw std::out_of_range("there is no X=1");
    return 0;
  }
};

TEST(VirtualDeviceViolations, ModelsWithoutAnAnswerAreNoticed) {
  Bench bench(std::make_shared<ModelWithoutAnswers>());
  EXPECT_EQ(wait(bench.launch(bench.makeKernel("-D X=1"))), CL_SUCCESS);
  EXPECT_EQ(onlyViolation(bench.device), "k: the model throws there is no X=1");
  EXPECT_EQ(wait(bench.launch(bench.makeKernel("-D X=2"))), CL_SUCCESS);
  EXPECT_EQ(onlyViolation(bench.device), "k: the model says 0.000000 ns");
}

TEST(VirtualDeviceViolations, ArgumentsSetByTwoThreadsInTurnsAreNoticed) {
  Bench bench;
  const auto kernel = bench.makeKernel();
  const cl_mem handle = bench.out.get();
  std::thread([&] { clSetKernelArg(kernel.get(), 0, sizeof(handle), &handle); }).join();
  EXPECT_EQ(onlyViolation(bench.device), "clSetKernelArg: two threads set arguments of k in turns");
}

// ---- runUntil

TEST(VirtualDevice, RunsUntilAGoalIsReached) {
  Bench bench;
  const auto kernel = bench.makeKernel();
  int steps = 0;
  bench.device.runUntil(launches(1000), [&] {
    bench.launch(kernel);
    ++steps;
  });
  EXPECT_EQ(steps, 1000);
  bench.device.drain();
  const auto begin = bench.device.now();
  bench.device.runUntil(elapsed(1ms), [&] { EXPECT_EQ(wait(bench.launch(kernel)), CL_SUCCESS); });
  EXPECT_EQ(bench.device.now() - begin, 1ms);
  EXPECT_THROW(bench.device.runUntil(launches(1), [] {}), std::runtime_error);
}

}  // namespace
}  // namespace hone::test
