// What the library does where a driver fails: each kind of failure hits one candidate, X=3 of 1 to 6. The candidate is
// set aside, nothing throws, and the application's results are right.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "virtual/virtual_bench.h"

namespace hone::opencl {
namespace {

using test::always;
using test::launches;
using test::macro;
using test::nth;
using test::Timestamps;
using test::VirtualBench;

constexpr int kItems = 16;
constexpr std::uint64_t kEnough = 400;  // launches; five candidates and the final take fewer than 150

struct FaultBench {
  FaultBench()
      : bench(test::timeByMacro("X", 10'000)),
        kernel(bench.runtime, test::kFillSource, "fill", bench.options()),
        out(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))) {
    bench.device.kernel("fill", test::fillWithMultiples);
    kernel.addParameter("X", range(1, 6), 5);
    kernel.global(kItems).local(4);
    kernel.build();
  }

  /// Launches until the search is over. Every launch has to be accepted and to leave right results.
  void tune() {
    bench.device.runUntil(launches(kEnough), [&] {
      ASSERT_NO_THROW(launchAndCheck());
      bench.runtime.step();
    });
    EXPECT_EQ(report().phase, Phase::settled);
    EXPECT_EQ(report().trials, 5u);
    EXPECT_EQ(report().best[0].second, 1);
  }
  void launchAndCheck() {
    test::write(bench.queue.get(), out, std::vector<int>(kItems, -1));
    kernel(bench.queue.get(), {}, out.get());
    const std::vector<int> values = test::read<int>(bench.queue.get(), out, kItems);
    EXPECT_TRUE(values[0] == 0 && values[1] > 0 && values[kItems - 1] == (kItems - 1) * values[1]) << values[1];
  }
  Report report() { return kernel.report({}); }
  bool isReported(const std::string& part) {
    const std::vector<std::string> messages = bench.messages();
    return messages.size() == 1 && messages[0].rfind("X=3 failed: " + part, 0) == 0;
  }

  VirtualBench bench;
  TunedKernel kernel;
  test::OwnedMemory out;
};

TEST(VirtualFaults, ACandidateThatDoesNotBuildIsSetAside) {
  FaultBench run;
  run.bench.device.faults().failBuild(macro("X", 3));
  run.tune();
  EXPECT_EQ(run.report().failed, 1u);
  EXPECT_TRUE(run.isReported("clBuildProgram: CL_BUILD_PROGRAM_FAILURE")) << run.bench.messages()[0];
}

TEST(VirtualFaults, ACandidateWhoseBinaryIsRejectedIsSetAside) {
  FaultBench run;
  run.bench.device.faults().rejectBinary(macro("X", 3));
  run.tune();
  EXPECT_EQ(run.report().failed, 1u);
  EXPECT_TRUE(run.isReported("clCreateProgramWithBinary: CL_INVALID_BINARY")) << run.bench.messages()[0];
}

TEST(VirtualFaults, ACandidateThatIsNotEnqueuedIsReplacedInTheSameCall) {
  FaultBench run;
  run.bench.device.faults().failEnqueue(macro("X", 3));
  run.tune();
  EXPECT_EQ(run.report().failed, 1u);
  EXPECT_TRUE(run.isReported("clEnqueueNDRangeKernel of fill: CL_OUT_OF_RESOURCES")) << run.bench.messages()[0];
}

TEST(VirtualFaults, ACandidateThatIsBeyondTheKernelsLimitsIsNotLaunched) {
  FaultBench run;
  run.bench.device.kernelTraits("fill", [](const test::Macros& macros) {
    test::KernelTraits traits;
    traits.maxWorkGroupSize = macros.at("X") == 3 ? 2 : 0;
    return traits;
  });
  run.tune();
  EXPECT_EQ(run.report().failed, 1u);
  EXPECT_TRUE(run.isReported("the kernel allows work-groups of 2 work-items")) << run.bench.messages()[0];
}

/// The launch call has long returned when its event fails, so that this one launch's result is lost; no other is.
TEST(VirtualFaults, ACandidateWhoseEventFailsIsSetAside) {
  FaultBench run;
  run.bench.device.faults().failEvent(macro("X", 3));
  int lost = 0;
  run.bench.device.runUntil(launches(kEnough), [&] {
    test::write(run.bench.queue.get(), run.out, std::vector<int>(kItems, -1));
    const Event done = run.kernel(run.bench.queue.get(), {}, run.out.get());
    clFinish(run.bench.queue.get());
    cl_int status = CL_COMPLETE;
    clGetEventInfo(done(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
    const bool isWritten = test::read<int>(run.bench.queue.get(), run.out, kItems)[0] == 0;
    EXPECT_EQ(isWritten, status == CL_COMPLETE);
    lost += isWritten ? 0 : 1;
    run.bench.runtime.step();
  });
  EXPECT_EQ(lost, 1);
  EXPECT_EQ(run.report().failed, 1u);
  EXPECT_EQ(run.report().best[0].second, 1);
  EXPECT_TRUE(run.isReported("the launch ended with an error")) << run.bench.messages()[0];
}

/// The n-th enqueue of anything but the default fails, for n = 1, 2, ... until a run does not come to n.
TEST(VirtualFaults, WhicheverLaunchOfACandidateFailsTheResultsAreRight) {
  bool hasFailed = true;
  for (int n = 1; hasFailed; ++n) {
    SCOPED_TRACE("launch " + std::to_string(n));
    ASSERT_LT(n, 500);
    FaultBench run;
    hasFailed = false;
    run.bench.device.faults().failEnqueue([&, launch = 0](const test::Macros& macros, std::uint64_t) mutable {
      if (macros.at("X") == 5 || ++launch != n) return false;
      hasFailed = true;
      return true;
    });
    for (int i = 0; i < 150; ++i) {
      ASSERT_NO_THROW(run.launchAndCheck());
      run.bench.runtime.step();
    }
    EXPECT_EQ(run.bench.messages().size(), hasFailed ? 1u : 0u);
  }
}

/// The n-th call of each name fails. Where that is one for a launch of the default itself, the application hears of it,
/// as it would without the library; then all goes on.
TEST(VirtualFaults, WhicheverCallFailsItIsAtMostOneLaunchThatThrows) {
  for (const char* call : {"clEnqueueNDRangeKernel", "clSetKernelArg", "clCreateKernel", "clCreateProgramWithSource",
                           "clBuildProgram", "clCreateProgramWithBinary", "clGetProgramInfo", "clGetKernelInfo",
                           "clGetKernelWorkGroupInfo", "clGetEventProfilingInfo", "clGetEventInfo",
                           "clGetCommandQueueInfo", "clGetMemObjectInfo", "clGetContextInfo", "clGetDeviceInfo"}) {
    bool hasFailed = true;
    for (std::uint64_t n = 1; hasFailed; n += n < 20 ? 1 : 37) {
      SCOPED_TRACE(call + std::string(" fails the time ") + std::to_string(n));
      FaultBench run;
      hasFailed = false;
      run.bench.device.faults().failCall(call, CL_OUT_OF_RESOURCES, [&](const test::Macros&, std::uint64_t time) {
        hasFailed |= time == n;
        return time == n;
      });
      int thrown = 0;
      for (int i = 0; i < 150; ++i) {
        try {
          run.launchAndCheck();
        } catch (const Error&) {
          ++thrown;
        }
        run.bench.runtime.step();
      }
      EXPECT_LE(thrown, 1);
      EXPECT_EQ(run.report().phase, Phase::settled);
    }
  }
}

class VirtualBrokenTimes : public testing::TestWithParam<Timestamps> {};

TEST_P(VirtualBrokenTimes, AreNeverATime) {
  FaultBench run;
  run.bench.device.faults().breakTimestamps(GetParam(), macro("X", 1));
  run.bench.device.runUntil(launches(kEnough), [&] {
    run.kernel(run.bench.queue.get(), {}, run.out.get()).wait();
    run.bench.runtime.step();
  });
  // The fastest has no times, so that the second fastest is the best that can be known.
  EXPECT_EQ(run.report().phase, Phase::settled);
  EXPECT_EQ(run.report().failed, 1u);
  EXPECT_EQ(run.report().best[0].second, 2);
  EXPECT_DOUBLE_EQ(*run.report().bestCost, 20'000);
}

TEST_P(VirtualBrokenTimes, OfAllLaunchesLeaveTheDefault) {
  FaultBench run;
  run.bench.device.faults().breakTimestamps(GetParam(), always());
  run.bench.device.runUntil(launches(kEnough), [&] {
    run.kernel(run.bench.queue.get(), {}, run.out.get()).wait();
    run.bench.runtime.step();
  });
  EXPECT_FALSE(run.report().bestCost.has_value());
  EXPECT_EQ(run.report().best[0].second, 5);
  EXPECT_EQ(run.bench.messages().size(), 1u);
}

std::string nameOf(const testing::TestParamInfo<Timestamps>& info) {
  switch (info.param) {
    case Timestamps::zero: return "Zero";
    case Timestamps::startZero: return "StartZero";
    case Timestamps::reversed: return "Reversed";
    case Timestamps::untouched: return "Untouched";
    case Timestamps::unavailable: break;
  }
  return "Unavailable";
}
INSTANTIATE_TEST_SUITE_P(EachWay, VirtualBrokenTimes,
                         testing::Values(Timestamps::zero, Timestamps::startZero, Timestamps::reversed,
                                         Timestamps::untouched, Timestamps::unavailable),
                         nameOf);

TEST(VirtualFaults, AHangingBuildStopsNoLaunch) {
  VirtualBench bench(test::timeByMacro("X", 10'000), Work::byThread);
  bench.device.kernel("fill", test::fillWithMultiples);
  bench.device.faults().hangBuild(macro("X", 3));
  TunedKernel kernel(bench.runtime, test::kFillSource, "fill", bench.options());
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(kItems));
  kernel.addParameter("X", {3, 5}, 5);
  kernel.global(kItems).local(4);
  kernel.build();
  while (bench.device.faults().hangingBuilds() == 0) kernel(bench.queue.get(), {}, out.get()).wait();
  bench.device.runUntil(launches(1000), [&] { kernel(bench.queue.get(), {}, out.get()).wait(); });
  EXPECT_EQ(bench.device.faults().hangingBuilds(), 1);
  EXPECT_EQ(kernel.report({}).trials, 0u);
  bench.device.faults().releaseBuilds();
  while (kernel.report({}).phase != Phase::settled) kernel(bench.queue.get(), {}, out.get()).wait();
  EXPECT_EQ(kernel.report({}).best[0].second, 3);
  bench.runtime.waitUntilIdle();
}

TEST(VirtualFaults, OfALostDeviceTheApplicationHears) {
  FaultBench run;
  run.bench.device.faults().loseDeviceAtLaunch(40);
  int failed = 0;
  for (int i = 0; i < 100; ++i) {
    try {
      run.kernel(run.bench.queue.get(), {}, run.out.get()).wait();
      EXPECT_EQ(failed, 0);
    } catch (const Error& error) {
      ++failed;
    }
    run.bench.runtime.step();
  }
  EXPECT_EQ(failed, 61);
}

}  // namespace
}  // namespace hone::opencl
