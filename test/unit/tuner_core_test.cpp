#include "tuner_core.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/manual_clock.h"
#include "support/scripted_event.h"

namespace hone::detail {
namespace {

using test::ManualClock;
using test::ScriptedEvent;
using test::ScriptedTimes;

/// One parameter x of 0 to 9; the default is 0.
struct Core {
  explicit Core(Options options = {}, CandidatePreparer* preparer = nullptr, bool hasProblem = true)
      : declarations("core"), background(Background::Driver::steps) {
    if (hasProblem) declarations.problem("n");
    declarations.addParameter("x", range(0, 9), 0);
    options.strategy = "random";
    options.diagnostics = [this](const Diagnostic& diagnostic) { messages.push_back(diagnostic.message); };
    core = std::make_unique<TunerCore>(declarations.sharedData(), options, clock, background, preparer);
    core->seal();
  }

  std::int64_t launchByClock(std::int64_t n, const std::function<std::int64_t(std::int64_t)>& ns) {
    const StartedLaunch started = core->start({n});
    const std::int64_t x = started.open.values[0];
    clock.advance(ns(x));
    core->stopByClock(started.open);
    core->step();
    return x;
  }

  ScriptedTimes times;
  std::deque<ScriptedEvent> events;
  ManualClock clock;
  SpaceDeclarations declarations;
  Background background;
  std::vector<std::string> messages;
  std::unique_ptr<TunerCore> core;  // last: it releases events
};

TEST(TunerCore, FindsTheFastestConfigurationByTheClock) {
  Core run;
  for (int i = 0; i < 300; ++i) run.launchByClock(1, [](std::int64_t x) { return 1000 + 100 * std::abs(x - 7); });
  const std::int64_t n = 1;
  const Report report = run.core->report(&n, 1);
  EXPECT_EQ(report.phase, Phase::settled);
  EXPECT_EQ(report.best, (NamedConfiguration{{"x", 7}}));
  EXPECT_EQ(report.defaultCost, 1700.0);
  EXPECT_EQ(report.bestCost, 1000.0);
  EXPECT_EQ(report.trials, 9u);
  EXPECT_EQ(report.launches, 300u);
}

TEST(TunerCore, ProblemsHaveSessionsOfTheirOwn) {
  Core run;
  for (int i = 0; i < 300; ++i) {
    run.launchByClock(1, [](std::int64_t x) { return 1000 + 100 * std::abs(x - 7); });
    run.launchByClock(2, [](std::int64_t x) { return 1000 + 100 * std::abs(x - 3); });
  }
  const std::int64_t one = 1;
  const std::int64_t two = 2;
  EXPECT_EQ(run.core->report(&one, 1).best[0].second, 7);
  EXPECT_EQ(run.core->report(&two, 1).best[0].second, 3);
}

TEST(TunerCore, SettledLaunchesReadNoClockUnlessASampleIsDue) {
  Core run;
  for (int i = 0; i < 500; ++i) run.launchByClock(1, [](std::int64_t) { return 1000; });
  const int before = run.clock.readings();
  for (int i = 0; i < 64; ++i) run.launchByClock(1, [](std::int64_t) { return 1000; });
  EXPECT_EQ(run.clock.readings() - before, 2);  // one launch of 64, at its start and its end
}

TEST(TunerCore, ClockThatStandsStillIsNoTime) {
  Core run;
  for (int i = 0; i < 50; ++i) run.launchByClock(1, [](std::int64_t) { return 0; });
  const std::int64_t n = 1;
  EXPECT_EQ(run.core->report(&n, 1).phase, Phase::warmingUp);
  EXPECT_EQ(run.messages, std::vector<std::string>{"launches without a usable time: the clock did not advance"});
}

TEST(TunerCore, ReadsEventTimesWhenTheEventsHaveCompleted) {
  Core run;
  std::vector<StartedLaunch> launches;
  for (int i = 0; i < 6; ++i) {
    const StartedLaunch started = run.core->start({1});
    run.core->stopWithEvents(started.open, run.times.of(run.events.emplace_back()));
  }
  const std::int64_t n = 1;
  EXPECT_EQ(run.core->report(&n, 1).phase, Phase::warmingUp);
  for (ScriptedEvent& event : run.events) {
    EXPECT_EQ(event.references, 3);
    event.completeAfter(500);
  }
  EXPECT_EQ(run.core->report(&n, 1).phase, Phase::exploring);
  for (ScriptedEvent& event : run.events) EXPECT_EQ(event.references, 1);
}

TEST(TunerCore, OutOfOrderCompletionIsCreditedToTheRightConfiguration) {
  Core run;
  const auto settleEvents = [&] {
    // The latest first, so that no answer comes in the order of the launches.
    for (auto event = run.events.rbegin(); event != run.events.rend(); ++event) {
      if (event->reading.state == TimeReading::State::pending) event->completeAfter(event->reading.ns);
    }
  };
  for (int i = 0; i < 400; ++i) {
    const StartedLaunch started = run.core->start({1});
    ScriptedEvent& event = run.events.emplace_back();
    event.reading.ns = started.open.values[0] == 4 ? 500 : 1000;
    run.core->stopWithEvents(started.open, run.times.of(event));
    if (i % 5 == 4) settleEvents();
    run.core->step();
  }
  settleEvents();
  const std::int64_t n = 1;
  const Report report = run.core->report(&n, 1);
  EXPECT_EQ(report.best[0].second, 4);
  EXPECT_EQ(report.bestCost, 500.0);
  EXPECT_EQ(report.defaultCost, 1000.0);
}

TEST(TunerCore, ApplicationThatNeverWaitsHoldsABoundedNumberOfEvents) {
  Core run;
  for (int i = 0; i < 1000; ++i) {
    const StartedLaunch started = run.core->start({1});
    EXPECT_EQ(started.open.values[0], 0);
    run.core->stopWithEvents(started.open, run.times.of(run.events.emplace_back()));
  }
  int held = 0;
  for (const ScriptedEvent& event : run.events) held += event.references > 1 ? 1 : 0;
  EXPECT_EQ(held, 64);
  EXPECT_LE(run.times.reads, 4 * 1000);
}

TEST(TunerCore, ReleasesPendingEventsAtTheEnd) {
  Core run;
  const StartedLaunch started = run.core->start({1});
  run.core->stopWithEvents(started.open, run.times.of(run.events.emplace_back()));
  run.core.reset();
  EXPECT_EQ(run.events[0].references, 1);
}

TEST(TunerCore, EventsWithoutTimesGiveOneDiagnosticAndTheDefault) {
  Core run;
  for (int i = 0; i < 200; ++i) {
    const StartedLaunch started = run.core->start({1});
    EXPECT_EQ(started.open.values[0], 0);
    ScriptedEvent& event = run.events.emplace_back();
    event.breakTime();
    run.core->stopWithEvents(started.open, run.times.of(event));
    run.core->step();
  }
  EXPECT_EQ(run.messages, std::vector<std::string>{"launches without a usable time: scripted"});
}

TEST(TunerCore, CandidateWhoseEventFailsIsReportedAndDropped) {
  Core run;
  int failures = 0;
  for (int i = 0; i < 300; ++i) {
    const StartedLaunch started = run.core->start({1});
    const std::int64_t x = started.open.values[0];
    ScriptedEvent& event = run.events.emplace_back();
    if (x == 4) {
      event.fail();
      ++failures;
    } else {
      event.completeAfter(x == 5 ? 500 : 1000);
    }
    run.core->stopWithEvents(started.open, run.times.of(event));
    run.core->step();
  }
  const std::int64_t n = 1;
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(run.core->report(&n, 1).failed, 1u);
  EXPECT_EQ(run.core->report(&n, 1).best[0].second, 5);
  EXPECT_EQ(run.messages, std::vector<std::string>{"x=4 failed: scripted"});
}

TEST(TunerCore, RejectsCostsThatAreNotFiniteAndPositive) {
  Core run;
  for (double cost : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(run.core->stopWithCost(run.core->start({1}).open, cost), UsageError);
}

TEST(TunerCore, RejectsMixingTimesAndOtherCosts) {
  Core run;
  run.core->stopWithCost(run.core->start({1}).open, 5);
  const StartedLaunch started = run.core->start({1});
  run.clock.advance(5);
  EXPECT_THROW(run.core->stopByClock(started.open), UsageError);
  EXPECT_THROW(run.core->stopWithEvents(run.core->start({1}).open, run.times.of(run.events.emplace_back())),
               UsageError);
  EXPECT_EQ(run.events[0].references, 1);
}

TEST(TunerCore, RejectsAWrongNumberOfProblemSizes) {
  Core run;
  EXPECT_THROW(run.core->start({}), UsageError);
  EXPECT_THROW(run.core->start({1, 2}), UsageError);
}

TEST(TunerCore, OffRunsTheDefaultAndMeasuresNothing) {
  Options options;
  options.mode = Mode::off;
  Core run(options);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(run.launchByClock(1, [](std::int64_t) { return 1000; }), 0);
  EXPECT_EQ(run.clock.readings(), 0);
}

TEST(TunerCore, SameSeedGivesTheSameRun) {
  const auto sequence = [](std::uint64_t seed) {
    Options options;
    options.seed = seed;
    Core run(options);
    std::vector<std::int64_t> values;
    for (int i = 0; i < 60; ++i) values.push_back(run.launchByClock(1, [](std::int64_t x) { return 1000 - 10 * x; }));
    return values;
  };
  EXPECT_EQ(sequence(3), sequence(3));
  EXPECT_NE(sequence(3), sequence(4));
}

class ThrowingStrategy final : public Strategy {
 public:
  Proposal propose(const SearchSpace&, const Evidence&, std::size_t) override { throw std::runtime_error("no idea"); }
};

TEST(TunerCore, StrategyThatThrowsEndsTheSearch) {
  Options options;
  options.makeStrategy = [](std::uint64_t) { return std::make_unique<ThrowingStrategy>(); };
  Core run(options);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run.launchByClock(1, [](std::int64_t) { return 1000; }), 0);
  const std::int64_t n = 1;
  EXPECT_EQ(run.core->report(&n, 1).phase, Phase::settled);
  EXPECT_EQ(run.messages, std::vector<std::string>{"the search ended: no idea"});
}

/// Keeps candidates until the test decides about them.
struct HeldCandidates final : CandidatePreparer {
  void prepare(Candidate candidate) override { held.push_back(std::move(candidate)); }
  std::vector<Candidate> held;
};

TEST(TunerCore, LaunchesOnlyWhatIsPrepared) {
  HeldCandidates preparer;
  Core run({}, &preparer);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run.launchByClock(1, [](std::int64_t) { return 1000; }), 0);
  ASSERT_EQ(preparer.held.size(), 2u);
  const Candidate& candidate = preparer.held[1];
  EXPECT_EQ(candidate.problem, std::vector<std::int64_t>{1});
  const auto prepared = std::make_shared<Prepared>();
  run.core->markReady(candidate.session, candidate.entry, prepared);
  const StartedLaunch started = run.core->start({1});
  EXPECT_EQ(started.open.values[0], candidate.configuration[0]);
  EXPECT_EQ(started.prepared, prepared);
}

TEST(TunerCore, CandidatesThatAllFailLeaveTheDefault) {
  HeldCandidates preparer;
  Core run({}, &preparer);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(run.launchByClock(1, [](std::int64_t) { return 1000; }), 0);
    for (const Candidate& candidate : std::exchange(preparer.held, {}))
      run.core->markFailed(candidate.session, candidate.entry, "does not build");
  }
  const std::int64_t n = 1;
  const Report report = run.core->report(&n, 1);
  EXPECT_EQ(report.phase, Phase::settled);
  EXPECT_EQ(report.failed, 9u);
  EXPECT_EQ(report.best[0].second, 0);
  EXPECT_EQ(run.messages.size(), 9u);
}

TEST(TunerCore, FailedLaunchIsReplacedByTheIncumbentAndThenByTheDefault) {
  Core run;
  for (int i = 0; i < 300; ++i) run.launchByClock(1, [](std::int64_t x) { return x == 6 ? 500 : 1000; });
  const StartedLaunch incumbent = run.core->start({1});
  ASSERT_EQ(incumbent.open.values[0], 6);
  EXPECT_EQ(run.core->alternativeTo(incumbent.open).open.values[0], 0);
  run.core->fail(incumbent.open, "out of resources");
  EXPECT_EQ(run.core->start({1}).open.values[0], 0);
}

}  // namespace
}  // namespace hone::detail
