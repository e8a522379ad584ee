// Whole runs at virtual times, with neither threads nor OpenCL: a recorded space says what launches take, a scripted
// compile service when candidates are ready.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "support/manual_clock.h"
#include "support/scripted_compile_service.h"
#include "support/test_data.h"
#include "support/virtual_device/models/noise.h"
#include "support/virtual_device/models/recorded_model.h"
#include "tuner_core.h"

namespace hone::test {
namespace {

using namespace std::chrono_literals;
using Configuration = std::vector<std::int64_t>;

struct LaunchMade {
  Configuration configuration;
  std::int64_t startNs;
  std::int64_t endNs;

  bool operator==(const LaunchMade&) const = default;
};

/// What the build of a configuration comes to.
using BuildOf = std::function<ScriptedBuild(const RecordedRow&)>;

/// An application that launches one kernel again and again; the background takes a step after each launch. Candidates
/// are compiled by two virtual workers, the default was compiled before.
class ReplayedRun final : private detail::CandidatePreparer {
 public:
  ReplayedRun(std::shared_ptr<const RecordedSpace> space, ComposedModel model, BuildOf build, Options options = {})
      : space_(std::move(space)),
        model_(std::move(model)),
        declarations_(space_->name()),
        service_(
            clock_, 2,
            [this, build](const detail::CompileJob& job) { return build(space_->rows()[std::stoul(job.options)]); }),
        core_(declarations_.sharedData(), std::move(options), clock_, background_, this) {
    space_->declare(declarations_, space_->typical());
    background_.add(service_);
    background_.add(core_);
    core_.seal();
  }
  ~ReplayedRun() override { service_.cancel(this); }

  void launch(int times) {
    for (int i = 0; i < times; ++i) {
      const detail::StartedLaunch started = core_.start({});
      const Configuration values(started.open.values, started.open.values + space_->parameters().size());
      VirtualLaunch launch;
      for (std::size_t p = 0; p < values.size(); ++p) launch.macros[space_->parameters()[p].name] = values[p];
      launch.number = launches_.size();
      launch.numberInProgram = launchesOf_[values]++;
      launch.startNs = clock_.nowNs();
      clock_.advance(std::llround(model_.durationNs(launch)));
      core_.stopByClock(started.open);
      launches_.push_back({values, launch.startNs, clock_.nowNs()});
      background_.step();
    }
  }

  const std::vector<LaunchMade>& launches() const { return launches_; }
  Report report() { return core_.report(nullptr, 0); }
  const RecordedRow& bestRow() {
    const NamedConfiguration best = report().best;
    return rowOf(*space_, {best.begin(), best.end()});
  }

 private:
  void prepare(detail::Candidate candidate) override {
    detail::CompileJob job;
    job.options = std::to_string(space_->find(candidate.configuration) - space_->rows().data());
    service_.submit(this, std::move(job), [this, candidate](const detail::CompileResult& result) {
      if (result.binary.empty()) {
        core_.markFailed(candidate.session, candidate.entry, result.log);
      } else {
        core_.markReady(candidate.session, candidate.entry, nullptr);
      }
    });
  }

  const std::shared_ptr<const RecordedSpace> space_;
  ComposedModel model_;
  ManualClock clock_;
  SpaceDeclarations declarations_;
  detail::Background background_{detail::Background::Driver::steps};
  ScriptedCompileService service_;
  detail::TunerCore core_;
  std::vector<LaunchMade> launches_;
  std::map<Configuration, std::uint64_t> launchesOf_;
};

/// A build takes what was recorded, and fails where it failed then.
ScriptedBuild asRecorded(const RecordedRow& row) {
  const auto duration = std::chrono::nanoseconds(std::llround(row.compileNs.value_or(100e6)));
  if (row.hasFailed()) return ScriptedBuild::failing(duration, "failed when it was recorded");
  return ScriptedBuild::giving(duration, {1});
}

std::vector<LaunchMade> noisyRun(std::uint64_t noiseSeed) {
  const auto space = recordedSpace("conv15old_rtx3090");
  const ComposedModel model =
      recorded(space, Replay::samples).with(jitter(0.01, noiseSeed)).with(outliers({0.02, 1.5, 100, 2}, noiseSeed));
  ReplayedRun run(space, model, asRecorded);
  run.launch(3000);
  return run.launches();
}

TEST(ReplayedRun, SameSeedsGiveTheSameRunToTheNanosecond) {
  const std::vector<LaunchMade> run = noisyRun(1);
  EXPECT_EQ(run, noisyRun(1));
  EXPECT_NE(run, noisyRun(2));
}

TEST(ReplayedRun, ACandidateIsLaunchedOnceItsBuildOfFiveSecondsIsOver) {
  const auto space = recordedSpace("coulomb3d_rtx2080ti");
  std::size_t launchesBefore = 0;  // the first candidate was submitted
  ReplayedRun* running = nullptr;
  ReplayedRun run(space, recorded(space), [&](const RecordedRow&) {
    if (launchesBefore == 0) launchesBefore = running->launches().size();
    return ScriptedBuild::giving(5s, {1});
  });
  running = &run;
  run.launch(4000);  // of 2.24 ms
  const auto isOfCandidate = [&](const LaunchMade& launch) {
    return launch.configuration != space->typical().configuration;
  };
  const auto first = std::find_if(run.launches().begin(), run.launches().end(), isOfCandidate);
  ASSERT_NE(first, run.launches().end());
  const std::int64_t readyNs = run.launches()[launchesBefore - 1].endNs + 5'000'000'000;
  EXPECT_GE(first->startNs, readyNs);
  EXPECT_LE(first->startNs, readyNs + 2 * std::llround(*space->typical().timeNs));
}

TEST(ReplayedRun, WhatFailedToBuildIsNeverLaunched) {
  const auto space = recordedSpace("conv15old_rtx3090");
  std::set<Configuration> failed;
  Options options;
  options.strategy = "random";  // draws from all over the space, of which 23 % fails
  options.maxTrials = 30;
  ReplayedRun run(
      space, recorded(space),
      [&](const RecordedRow& row) {
        if (row.hasFailed()) failed.insert(row.configuration);
        return asRecorded(row);
      },
      options);
  run.launch(60'000);  // builds take 1 to 7 s, launches 1.4 ms
  EXPECT_EQ(run.report().phase, Phase::settled);
  EXPECT_GT(run.report().failed, 0u);
  EXPECT_LE(run.report().failed, failed.size());  // the search may end while one is being built
  for (const LaunchMade& launch : run.launches()) ASSERT_EQ(failed.count(launch.configuration), 0u);
  EXPECT_LT(*run.bestRow().timeNs, *space->typical().timeNs);
}

TEST(ReplayedRun, AHangingBuildLeavesTheOtherWorkerToTheSearch) {
  const auto space = recordedSpace("coulomb3d_rtx2080ti");
  int builds = 0;
  ReplayedRun run(space, recorded(space),
                  [&](const RecordedRow& row) { return ++builds == 1 ? ScriptedBuild::hanging() : asRecorded(row); });
  run.launch(20'000);
  EXPECT_EQ(run.report().phase, Phase::settled);
  EXPECT_LT(*run.bestRow().timeNs, *space->typical().timeNs);
}

}  // namespace
}  // namespace hone::test
