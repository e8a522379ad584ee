// Whole searches of the shipped library on a virtual device: launches take what a recorded space says, candidates are
// compiled by virtual workers, and the background's steps are the test's own. Nothing is left to chance.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "opencl/runtime_state.h"
#include "support/scripted_compile_service.h"
#include "support/test_data.h"
#include "support/virtual_device/models/noise.h"
#include "support/virtual_device/models/recorded_model.h"
#include "support/virtual_device/virtual_clock.h"
#include "virtual/virtual_bench.h"

namespace hone::test {
namespace {

using namespace std::chrono_literals;

/// Has a runtime's candidates compiled by two virtual workers, each build in 120 ms, as long as the object lives.
class VirtualWorkers {
 public:
  VirtualWorkers(VirtualBench& bench, Condition fails)
      : background_(bench.runtime.state().background()),
        clock_(bench.device),
        service_(clock_, 2, [fails = std::move(fails)](const detail::CompileJob& job) {
          return fails(virtualMacros(job.options), 0)
                     ? ScriptedBuild::failing(60ms, "error: as recorded")
                     : ScriptedBuild::giving(120ms, virtualBinary(job.source, job.options));
        }) {
    bench.runtime.state().use(service_, clock_);
    background_.add(service_);
  }
  ~VirtualWorkers() { background_.remove(service_); }
  VirtualWorkers(const VirtualWorkers&) = delete;
  VirtualWorkers& operator=(const VirtualWorkers&) = delete;

 private:
  detail::Background& background_;
  const VirtualClock clock_;
  ScriptedCompileService service_;
};

/// When each launch began, and in which configuration.
using Launches = std::vector<std::pair<std::int64_t, std::map<std::string, std::int64_t>>>;

class LoggedModel final : public LaunchModel {
 public:
  LoggedModel(ComposedModel model, Launches& launches) : model_(std::move(model)), launches_(launches) {}
  double durationNs(const VirtualLaunch& launch) override {
    launches_.emplace_back(launch.startNs, launch.macros);
    return model_.durationNs(launch);
  }

 private:
  ComposedModel model_;
  Launches& launches_;
};

struct SearchRun {
  Launches launches;
  Report report;
  std::uint64_t blockingCalls = 0;
  std::uint64_t builds = 0;
};

/// A program that launches one kernel again and again, and now and then looks at its results.
SearchRun search(const std::shared_ptr<const RecordedSpace>& space, std::uint64_t seed, Noise noise) {
  SearchRun run;
  VirtualBench bench(std::make_shared<LoggedModel>(recorded(space).with(std::move(noise)), run.launches));
  bench.device.faults().failEnqueue(failsIn(space, RecordedRow::Failure::runtime));
  const VirtualWorkers workers(bench, failsIn(space, RecordedRow::Failure::compile));
  Options options = bench.options();
  options.strategy = "annealing";
  options.seed = seed;
  opencl::TunedKernel kernel(bench.runtime, "kernel void recorded() {}", "recorded", options);
  space->declare(kernel, space->typical());
  kernel.global(1);
  kernel.build();
  const Counts before = bench.device.counts();
  bench.device.runUntil(launches(6000), [&] {
    kernel(bench.queue.get(), {});
    bench.device.advance(5us);
    bench.runtime.step();
    // As a program would that works on the results; else all of its launches would be in flight.
    if (bench.device.counts().callsOf("clEnqueueNDRangeKernel") % 8 == 0) clFinish(bench.queue.get());
  });
  const Counts after = bench.device.counts();
  run.blockingCalls = after.blocking() - before.blocking() - (after.callsOf("clFinish") - before.callsOf("clFinish"));
  run.builds = after.callsOf("clBuildProgram") - before.callsOf("clBuildProgram");
  run.report = kernel.report({});
  return run;
}

const RecordedRow& bestRow(const RecordedSpace& space, const SearchRun& run) {
  return rowOf(space, {run.report.best.begin(), run.report.best.end()});
}

TEST(VirtualReplay, TheSameSeedGivesTheSameRunToTheNanosecond) {
  const auto space = recordedSpace("coulomb3d_rtx2080ti");
  const SearchRun first = search(space, 3, jitter(0.01, 7));
  const SearchRun second = search(space, 3, jitter(0.01, 7));
  EXPECT_EQ(first.launches, second.launches);
  EXPECT_EQ(first.report.best, second.report.best);
  EXPECT_NE(search(space, 4, jitter(0.01, 7)).launches, first.launches);
}

TEST(VirtualReplay, ASearchEndsNearTheOptimumAndNeverWaits) {
  const auto space = recordedSpace("coulomb3d_rtx2080ti");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const SearchRun run = search(space, seed, jitter(0.01, seed));
    EXPECT_EQ(run.report.phase, Phase::settled);
    EXPECT_EQ(run.blockingCalls, 0u);
    const RecordedRow& best = bestRow(*space, run);
    EXPECT_LT(*best.timeNs, 1.1 * *space->best().timeNs);
    EXPECT_GT(run.builds, run.report.trials / 2);  // what the workers built is loaded here
  }
}

TEST(VirtualReplay, FailuresOfARecordedSpaceCostTheProgramNothing) {
  const auto space = recordedSpace("conv15old_rtx3090");  // a fifth of it does not compile
  const SearchRun run = search(space, 1, jitter(0.002, 1));
  EXPECT_GT(run.report.failed, 0u);
  EXPECT_EQ(run.blockingCalls, 0u);
  const RecordedRow& best = bestRow(*space, run);
  EXPECT_LT(*best.timeNs, 0.7 * *space->typical().timeNs);
}

}  // namespace
}  // namespace hone::test
