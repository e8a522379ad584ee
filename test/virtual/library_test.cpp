// The library on a virtual device: what it promises about launches that nobody waits for, about queues and threads, and
// about what it holds.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "virtual/virtual_bench.h"

namespace hone::opencl {
namespace {

using namespace std::chrono_literals;
using test::BuildTime;
using test::launches;
using test::Macros;
using test::VirtualBench;
using test::VirtualLaunch;

constexpr int kItems = 16;

/// A kernel of one parameter X, 1 to 8 by default, whose launches write X * i.
struct FillKernel {
  explicit FillKernel(VirtualBench& bench, Options options, Range values = range(1, 8), std::int64_t initially = 5)
      : kernel(bench.runtime, test::kFillSource, "fill", std::move(options)),
        out(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))) {
    bench.device.kernel("fill", test::fillWithMultiples);
    kernel.addParameter("X", values, initially);
    kernel.global(kItems).local(4);
  }
  Event launch(cl_command_queue queue) { return kernel(queue, {}, out.get()); }
  std::int64_t best() { return kernel.report({}).best[0].second; }

  TunedKernel kernel;
  test::OwnedMemory out;
};

bool isMultiplesOfOne(const std::vector<int>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[1] * static_cast<int>(i)) return false;
  }
  return values[1] != 0;
}

/// What was launched, in the order in which launches began.
class RecordingTime final : public test::LaunchModel {
 public:
  double durationNs(const VirtualLaunch& launch) override {
    begun.push_back({launch.macros.at("X"), launch.startNs});
    return 10'000.0 * static_cast<double>(launch.macros.at("X"));
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> begun;
};

TEST(VirtualLibrary, TheFastestConfigurationIsFound) {
  VirtualBench bench(test::timeByMacro("X", 10'000));
  FillKernel fill(bench, bench.options());
  bench.device.runUntil(launches(400), [&] {
    fill.launch(bench.queue.get()).wait();
    bench.runtime.step();
  });
  EXPECT_EQ(fill.kernel.report({}).phase, Phase::settled);
  EXPECT_EQ(fill.best(), 1);
  EXPECT_DOUBLE_EQ(*fill.kernel.report({}).bestCost, 10'000);
  EXPECT_DOUBLE_EQ(*fill.kernel.report({}).defaultCost, 50'000);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(VirtualLibrary, TheSameSeedGivesTheSameRunToTheNanosecond) {
  const auto run = [] {
    const auto model = std::make_shared<RecordingTime>();
    {
      VirtualBench bench(model);
      FillKernel fill(bench, bench.options());
      for (int i = 0; i < 300; ++i) {
        fill.launch(bench.queue.get());
        if (i % 3 == 0) clFinish(bench.queue.get());
        bench.runtime.step();
      }
    }
    return model->begun;
  };
  const auto first = run();
  EXPECT_EQ(first.size(), 300u);
  EXPECT_EQ(run(), first);
}

TEST(VirtualLibrary, TwoDevicesOfOneNameAreToldApart) {
  const test::VirtualDevice one(test::timeByMacro("X", 1)), two(test::timeByMacro("X", 1));
  const DeviceFacts first = deviceFacts(one.id()), second = deviceFacts(two.id());
  EXPECT_EQ(first.name, second.name);
  EXPECT_NE(first.identity, second.identity);
  EXPECT_EQ(first.identity.rfind("uuid:", 0), 0u);
}

TEST(VirtualLibrary, ScriptedLimitsAreConstraints) {
  test::DeviceDescription small;
  small.name = "Virtual dwarf";
  small.computeUnits = 2;
  small.maxWorkGroupSize = 8;
  small.localMemoryBytes = 1024;
  small.timerResolutionNs = 100;
  VirtualBench bench(std::make_shared<RecordingTime>(), Work::bySteps, small);
  EXPECT_EQ(bench.runtime.facts().computeUnits, 2u);
  EXPECT_EQ(bench.runtime.facts().localMemoryBytes, 1024u);
  EXPECT_EQ(bench.runtime.facts().timerResolution, 100ns);
  TunedKernel kernel(bench.runtime, test::kFillSource, "fill", bench.options());
  auto X = kernel.addParameter("X", powersOfTwo(1, 64), 4);
  kernel.global(64).local(X);
  kernel.localMemory(256 * X);
  const auto out = test::makeBytes(bench.context.get(), 64 * sizeof(int));
  bench.device.runUntil(launches(200), [&] {
    kernel(bench.queue.get(), {}, out.get()).wait();
    bench.runtime.step();
  });
  EXPECT_EQ(kernel.report({}).phase, Phase::settled);
  EXPECT_EQ(kernel.report({}).trials, 2u) << "1 and 2: a work-group of 8 is allowed, but not its local memory";
}

TEST(VirtualLibrary, PendingSamplesMayCompleteOutOfOrder) {
  // All that is in flight shares the device, so that short launches overtake long ones.
  VirtualBench bench(test::timeByMacro("X", 100'000), Work::bySteps, {},
                     CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  FillKernel fill(bench, bench.options(), range(1, 8), 8);
  int overtaken = 0;
  std::vector<Event> inFlight;
  const auto isComplete = [](const Event& event) {
    cl_int status = CL_QUEUED;
    EXPECT_EQ(clGetEventInfo(event(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr), CL_SUCCESS);
    return status == CL_COMPLETE;
  };
  bench.device.runUntil(launches(3000), [&] {
    inFlight.push_back(fill.launch(bench.queue.get()));
    bench.device.advance(150us);
    bench.runtime.step();
    for (std::size_t i = 1; i < inFlight.size(); ++i) overtaken += isComplete(inFlight[i]) && !isComplete(inFlight[0]);
    if (inFlight.size() == 4) {
      inFlight[0].wait();
      inFlight.erase(inFlight.begin());
    }
  });
  EXPECT_GT(overtaken, 0) << "the test has not seen what it is about";
  EXPECT_EQ(fill.kernel.report({}).trials, 7u);
  EXPECT_EQ(fill.kernel.report({}).failed, 0u);
  EXPECT_EQ(fill.best(), 1);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(VirtualLibrary, TwoThreadsOnTwoQueuesTuneTogether) {
  VirtualBench bench(test::timeByMacro("X", 10'000), Work::byThread);
  FillKernel fill(bench, bench.options());
  std::atomic<int> wrong{0};
  std::atomic<std::uint64_t> done{0};
  const auto work = [&] {
    const auto queue = test::makeQueue(bench.context.get(), bench.device.id());
    const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(kItems));
    for (int i = 0; i < 20'000 && fill.kernel.report({}).phase != Phase::settled; ++i) {
      fill.kernel(queue.get(), {}, out.get()).wait();
      ++done;
      wrong += !isMultiplesOfOne(test::read<int>(queue.get(), out, kItems));
    }
  };
  fill.launch(bench.queue.get()).wait();
  std::thread one(work), two(work);
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(fill.kernel.report({}).launches, done + 1);
  EXPECT_EQ(fill.kernel.report({}).failed, 0u);
  bench.runtime.waitUntilIdle();
}

TEST(VirtualLibrary, AnApplicationThatNeverWaitsIsNotMadeToWait) {
  constexpr std::uint64_t kLaunches = 100'000;
  VirtualBench bench(test::timeByMacro("X", 1'000'000));  // a launch call takes 2 us: the device falls far behind
  FillKernel fill(bench, bench.options());
  const auto self = std::this_thread::get_id();
  fill.kernel.build();
  const auto before = bench.device.counts();
  bench.device.runUntil(launches(kLaunches), [&] {
    fill.launch(bench.queue.get());
    bench.runtime.step();
  });
  const auto after = bench.device.counts();
  EXPECT_GT(after.mostInFlight, kLaunches * 9 / 10);
  EXPECT_EQ(after.of(self).blocking - before.of(self).blocking, 0u);
  // The library keeps the events of at most 64 unread samples; the rest are the driver's own commands under way.
  EXPECT_LE(static_cast<std::uint64_t>(after.live.events), after.launches - after.ended + 64);
  EXPECT_EQ(fill.kernel.report({}).launches, kLaunches);
  bench.device.drain();
  fill.launch(bench.queue.get()).wait();
  EXPECT_TRUE(isMultiplesOfOne(test::read<int>(bench.queue.get(), fill.out, kItems)));
}

TEST(VirtualLibrary, LaunchesGoOnWhileABuildTakesFiveSeconds) {
  VirtualBench bench(test::timeByMacro("X", 10'000), Work::byThread);
  FillKernel fill(bench, bench.options());
  fill.kernel.build();
  // A candidate's build returns once the launches have moved the clock on by 5 s: a launch that waited for it would
  // never return.
  std::atomic<int> builds{0};
  bench.device.buildTime([&](const Macros&) {
    ++builds;
    return BuildTime{5s, BuildTime::Clock::besides, false};
  });
  const auto self = std::this_thread::get_id();
  fill.launch(bench.queue.get());
  const auto before = bench.device.counts();
  const auto begin = bench.device.now();
  // Nobody waits for the background thread, so virtual time passes only when it has begun to build.
  while (fill.kernel.report({}).trials < 3) {
    const bool isBuilding = builds > 0;
    fill.launch(bench.queue.get());
    bench.device.advance(isBuilding ? 500us : 0us);
    if (!isBuilding) std::this_thread::yield();
  }
  const auto after = bench.device.counts();
  EXPECT_EQ(after.of(self).blocking - before.of(self).blocking, 0u);
  EXPECT_EQ(after.of(self).builds - before.of(self).builds, 0u);
  EXPECT_GE(bench.device.now() - begin, 15s);
  EXPECT_GE(after.launches - before.launches, 3u * 5'000'000 / 505);  // 500 us and a launch's calls
  bench.device.buildTime({});
  bench.device.faults().releaseBuilds();
  fill.kernel.settle();
}

TEST(VirtualLibrary, NothingIsLeftOfTwoThousandVariants) {
  VirtualBench bench(test::timeByMacro("X", 1000));
  int mostPrograms = 0;
  std::uint64_t binariesLoaded = 0;
  {
    Options options = bench.options();
    options.strategy = "exhaustive";
    options.maxVariants = 16;
    FillKernel fill(bench, options, range(1, 2000), 1000);
    do {
      fill.launch(bench.queue.get()).wait();
      bench.runtime.step();
      mostPrograms = std::max(mostPrograms, bench.device.counts().live.programs);
    } while (fill.kernel.report({}).phase != Phase::settled);
    binariesLoaded = bench.device.counts().callsOf("clCreateProgramWithBinary");
    EXPECT_EQ(fill.kernel.report({}).trials, 1999u);
    EXPECT_EQ(fill.best(), 1);
  }
  EXPECT_EQ(binariesLoaded, 1999u);
  // The cache's 16, and what is kept beyond them: default, incumbent, candidates under way, and one being made.
  EXPECT_LE(mostPrograms, 21);
  const test::LiveObjects live = bench.device.counts().live;
  EXPECT_EQ(live.programs, 0);
  EXPECT_EQ(live.kernels, 0);
  EXPECT_EQ(live.events, 0);
  EXPECT_EQ(live.memories, 0);
}

}  // namespace
}  // namespace hone::opencl
