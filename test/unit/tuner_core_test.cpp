#include "tuner_core.h"

#include <gtest/gtest.h>

#include <deque>
#include <limits>

#include "support/manual_clock.h"
#include "support/misuse.h"
#include "support/scripted_event.h"
#include "support/temporary_file.h"

namespace hone::detail {
namespace {

using test::ManualClock;
using test::messageOf;
using test::ScriptedEvent;
using test::ScriptedTimes;
using test::TemporaryFile;

/// One parameter x of 0 to 9; the default is 0. `isAllowed`, where given, is a constraint in terms of x and n.
struct Core {
  explicit Core(Options options = {}, CandidatePreparer* preparer = nullptr,
                const std::function<Expression(Expression x, Expression n)>& isAllowed = {})
      : declarations("core"), background(Background::Driver::steps) {
    const auto [n] = declarations.problem("n");
    const Parameter x = declarations.addParameter("x", range(0, 9), 0);
    if (isAllowed) declarations.require(isAllowed(x, n));
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

Pin pinOf(std::int64_t x) { return {"core", {}, {{"x", x}}}; }
Pin pinOf(std::int64_t x, std::int64_t n) { return {"core", {{"n", n}}, {{"x", x}}}; }

/// x = 7 is the fastest.
std::int64_t sevenIsBest(std::int64_t x) { return 1000 + 100 * std::abs(x - 7); }

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
  options.pins = {pinOf(7)};
  Core run(options);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(run.launchByClock(1, [](std::int64_t) { return 1000; }), 0);
  EXPECT_EQ(run.clock.readings(), 0);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(run.core->start({1}).open.isSampled);
  EXPECT_FALSE(run.core->step());
  const std::int64_t n = 1;
  EXPECT_EQ(run.core->report(&n, 1).defaultCost, std::nullopt);
}

TEST(TunerCore, OffTouchesNoFile) {
  const TemporaryFile log;
  Options options;
  options.mode = Mode::off;
  options.logFile = log.path();
  {
    Core run(options);
    for (int i = 0; i < 10; ++i) run.launchByClock(1, [](std::int64_t) { return 1000; });
    run.core->deliver("worth knowing");
  }
  EXPECT_FALSE(log.exists());
}

struct CountedSteps final : BackgroundTask {
  bool step() override {
    ++count;
    return false;
  }
  int count = 0;
};

using Use = std::function<void(TunerCore& core, ManualClock& clock)>;

/// How often the background's thread goes through its tasks because of what is done with a core.
int roundsFor(const Options& options, const Use& use) {
  Background background(Background::Driver::ownThread);
  CountedSteps steps;
  background.add(steps);
  {
    ManualClock clock;
    SpaceDeclarations declarations("core");
    declarations.addParameter("x", range(0, 9), 0);
    TunerCore core(declarations.sharedData(), options, clock, background, nullptr);
    core.seal();
    background.add(core);
    use(core, clock);
    background.waitUntilIdle();
    background.remove(core);
  }
  background.remove(steps);
  return steps.count;
}

TEST(TunerCore, NothingToProposeNorToLogWakesNoThread) {
  const Use launches = [](TunerCore& core, ManualClock& clock) {
    for (int i = 0; i < 200; ++i) {
      const StartedLaunch started = core.start({});
      clock.advance(1000);
      core.stopByClock(started.open);
    }
    core.settle();
  };
  Options options;
  EXPECT_GT(roundsFor(options, launches), 0);
  options.mode = Mode::use;
  EXPECT_EQ(roundsFor(options, launches), 0);
  const TemporaryFile log;
  options.logFile = log.path();
  EXPECT_GT(roundsFor(options, launches), 0);
  options.mode = Mode::off;
  EXPECT_EQ(roundsFor(options, launches), 0);
}

TEST(TunerCore, DiagnosticWakesTheThreadWhereItIsLogged) {
  const Use diagnostic = [](TunerCore& core, ManualClock&) { core.deliver("worth knowing"); };
  Options options;
  EXPECT_EQ(roundsFor(options, diagnostic), 0);
  const TemporaryFile log;
  options.logFile = log.path();
  EXPECT_GT(roundsFor(options, diagnostic), 0);
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
  Options options;
  options.slowdownBudget = std::numeric_limits<double>::infinity();
  Core run(options, &preparer);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run.launchByClock(1, [](std::int64_t) { return 1000; }), 0);
  ASSERT_EQ(preparer.held.size(), 2u);
  const Candidate& candidate = preparer.held[1];
  EXPECT_EQ(candidate.problem, std::vector<std::int64_t>{1});
  const auto prepared = std::make_shared<Prepared>();
  run.core->markReady(candidate.session, candidate.entry, prepared);
  // A trial begins behind a launch of the default that was measured.
  EXPECT_EQ(run.launchByClock(1, [](std::int64_t) { return 1000; }), 0);
  const StartedLaunch started = run.core->start({1});
  EXPECT_EQ(started.open.values[0], candidate.configuration[0]);
  EXPECT_EQ(started.prepared, prepared);
}

/// Proposes 1 to 4, in this order.
class FourStrategy final : public Strategy {
 public:
  Proposal propose(const SearchSpace&, const Evidence&, std::size_t atMost) override {
    Proposal proposal;
    for (Rank rank = 1; rank <= std::min<Rank>(4, atMost); ++rank) proposal.candidates.push_back(rank);
    return proposal;
  }
};

struct EvenPreferred final : CandidatePreparer {
  void prepare(Candidate candidate) override { prepared.push_back(candidate.configuration[0]); }
  bool isPreferred(const std::int64_t* configuration, const std::int64_t* problem) const override {
    return (configuration[0] + problem[0]) % 2 == 0;
  }
  std::vector<std::int64_t> prepared;
};

TEST(TunerCore, CandidatesThatAreNotPreferredComeLastAmongThoseProposed) {
  Options options;
  options.makeStrategy = [](std::uint64_t) { return std::make_unique<FourStrategy>(); };
  const auto preparedFor = [&](std::int64_t n) {
    EvenPreferred preparer;
    Core run(options, &preparer);
    for (int i = 0; i < 20; ++i) run.launchByClock(n, [](std::int64_t) { return 1000; });
    return preparer.prepared;
  };
  EXPECT_EQ(preparedFor(2), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(preparedFor(1), (std::vector<std::int64_t>{1, 2}));
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

// ---- the budget

TEST(TunerCore, WithoutABudgetNothingIsTriedAndOneDiagnosticSaysSo) {
  Options options;
  options.slowdownBudget = 0;
  HeldCandidates preparer;
  Core run(options, &preparer);
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(run.launchByClock(1, sevenIsBest), 0);
    EXPECT_EQ(run.launchByClock(2, sevenIsBest), 0);
  }
  EXPECT_TRUE(preparer.held.empty());
  EXPECT_EQ(run.messages, std::vector<std::string>{"the slowdown budget is 0: nothing new is tried"});
}

TEST(TunerCore, BudgetThatIsNoneIsMisuse) {
  Options options;
  options.slowdownBudget = -0.5;
  EXPECT_EQ(messageOf([&] { Core run(options); }), "core: the slowdown budget -0.500000 is negative or no number");
  options.slowdownBudget = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(messageOf([&] { Core run(options); }), "core: the slowdown budget nan is negative or no number");
}

TEST(TunerCore, ProblemsShareOneAccount) {
  // The problem n = 100 has no candidates: what its launches earn pays for the trials of the other.
  const auto firstTrialOf = [](bool hasOther) {
    Core run({}, nullptr, [](const Expression& x, const Expression& n) { return x * n <= 9; });
    const auto constant = [](std::int64_t) { return 1000; };
    for (int i = 1; i <= 200; ++i) {
      if (hasOther) run.launchByClock(100, constant);
      if (run.launchByClock(1, constant) != 0) return i;
    }
    return 0;
  };
  const int alone = firstTrialOf(false), together = firstTrialOf(true);
  EXPECT_GT(together, 6);
  EXPECT_LT(together, alone - 5);
}

// ---- pins and Mode::use

TEST(TunerCore, UseTriesNothing) {
  Options options;
  options.mode = Mode::use;
  HeldCandidates preparer;
  Core run(options, &preparer);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(run.launchByClock(1, sevenIsBest), 0);
  EXPECT_TRUE(preparer.held.empty());
  const std::int64_t n = 1;
  EXPECT_EQ(run.core->report(&n, 1).trials, 0u);
  EXPECT_EQ(run.core->report(&n, 1).defaultCost, 1700.0);
}

TEST(TunerCore, UseRunsWhatIsPinned) {
  Options options;
  options.mode = Mode::use;
  options.pins = {pinOf(4, 1), {"another", {}, {{"x", 9}}}};
  HeldCandidates preparer;
  Core run(options, &preparer);
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(run.launchByClock(1, sevenIsBest), 4);
    EXPECT_EQ(run.launchByClock(2, sevenIsBest), 0);
  }
  EXPECT_TRUE(preparer.held.empty());
  const std::int64_t n = 1;
  const Report report = run.core->report(&n, 1);
  EXPECT_EQ(report.best, (NamedConfiguration{{"x", 4}}));
  EXPECT_EQ(report.bestCost, 1300.0);
}

TEST(TunerCore, TuneSearchesForTheProblemsWithoutAPin) {
  Options options;
  options.pins = {pinOf(4, 1)};
  Core run(options);
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(run.launchByClock(1, sevenIsBest), 4);
    run.launchByClock(2, sevenIsBest);
  }
  const std::int64_t n = 2;
  EXPECT_EQ(run.core->report(&n, 1).best, (NamedConfiguration{{"x", 7}}));
}

TEST(TunerCore, PinForAllProblemsIsKnownBeforeAnyLaunchAndCanBeTakenBack) {
  Options options;
  EXPECT_EQ(Core(options).core->pinnedForAll(), nullptr);
  options.pins = {pinOf(4, 1)};
  EXPECT_EQ(Core(options).core->pinnedForAll(), nullptr);
  options.pins = {pinOf(3), pinOf(5), pinOf(4, 1)};
  Core run(options);
  EXPECT_EQ(*run.core->pinnedForAll(), std::vector<std::int64_t>{5});
  EXPECT_EQ(run.core->dropPinForAll("does not build"), "x=5 failed: does not build");
  EXPECT_EQ(run.core->pinnedForAll(), nullptr);
  EXPECT_EQ(run.launchByClock(1, sevenIsBest), 4);
}

TEST(TunerCore, PinThatViolatesAConstraintForTheProblemIsLeftOut) {
  const auto fits = [](const Expression& x, const Expression& n) { return x <= n; };
  Options options;
  options.pins = {pinOf(7)};
  options.mode = Mode::use;
  Core used(options, nullptr, fits);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(used.launchByClock(5, sevenIsBest), 0);
    EXPECT_EQ(used.launchByClock(8, sevenIsBest), 7);
  }
  EXPECT_EQ(used.messages, std::vector<std::string>{"the pin for n=5 violates 'x <= n' and is left out"});

  options.mode = Mode::tune;
  Core tuned(options, nullptr, fits);
  for (int i = 0; i < 300; ++i) EXPECT_LE(tuned.launchByClock(5, sevenIsBest), 5);
  const std::int64_t n = 5;
  EXPECT_EQ(tuned.core->report(&n, 1).best, (NamedConfiguration{{"x", 5}}));
  EXPECT_EQ(tuned.messages.size(), 1u);
}

TEST(TunerCore, PinThatDoesNotFitIsMisuse) {
  Options options;
  options.pins = {pinOf(10)};
  EXPECT_EQ(messageOf([&] { Core run(options); }),
            "core: a pin gives the parameter 'x' the value 10, which it does not have");
  options.pins = {{"core", {{"n", 5}, {"m", 1}}, {{"x", 1}}}};
  Core run(options);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(messageOf([&] { run.core->start({1}); }), "core: a pin names the problem size 'm', which does not exist");
  }
}

TEST(TunerCore, PinnedConfigurationThatCannotBeLaunchedIsReplacedByTheDefault) {
  Options options;
  options.pins = {pinOf(6)};
  Core run(options);
  const StartedLaunch pinned = run.core->start({1});
  ASSERT_EQ(pinned.open.values[0], 6);
  EXPECT_EQ(run.core->alternativeTo(pinned.open).open.values[0], 0);
  run.core->fail(pinned.open, "out of resources");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(run.launchByClock(1, sevenIsBest), 0);
  EXPECT_EQ(run.messages, std::vector<std::string>{"x=6 failed: out of resources"});
}

TEST(TunerCore, SettleLeavesWhatIsPinned) {
  Options options;
  options.pins = {pinOf(6)};
  Core run(options);
  for (int i = 0; i < 10; ++i) run.launchByClock(1, sevenIsBest);
  run.core->settle();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(run.launchByClock(1, sevenIsBest), 6);
}

// ---- the log

/// A line that says what was found, and the pin that it ends with.
struct News {
  std::string text;
  std::int64_t x;
  std::int64_t n;
};

/// The lines that end with a pin, which readPins must understand.
std::vector<News> newsOf(const std::vector<std::string>& lines) {
  std::vector<News> news;
  for (const std::string& line : lines) {
    const std::size_t brace = line.find(" {");
    if (brace == std::string::npos) continue;
    const std::vector<Pin> pins = readPins(TemporaryFile(line.substr(brace + 1)).path());
    EXPECT_EQ(pins.size(), 1u);
    EXPECT_EQ(pins.at(0).tuner, "core");
    EXPECT_EQ(pins.at(0).problem.at(0).first, "n");
    EXPECT_EQ(pins.at(0).configuration.at(0).first, "x");
    news.push_back({line.substr(0, brace), pins[0].configuration[0].second, pins[0].problem[0].second});
  }
  return news;
}

Options loggingTo(const TemporaryFile& file) {
  Options options;
  options.logFile = file.path();
  return options;
}

TEST(TunerCore, LogsPhasesAndIncumbentsAsPins) {
  const TemporaryFile file;
  Core run(loggingTo(file));
  std::vector<std::int64_t> incumbents;
  for (int i = 0; i < 300; ++i) {
    run.launchByClock(3, sevenIsBest);
    const std::int64_t n = 3;
    const std::int64_t incumbent = run.core->report(&n, 1).best[0].second;
    if (incumbents.empty() || incumbents.back() != incumbent) incumbents.push_back(incumbent);
  }
  const std::vector<std::string> lines = file.lines();
  const std::vector<News> news = newsOf(lines);
  ASSERT_EQ(news.size(), lines.size());
  ASSERT_EQ(news.size(), incumbents.size() + 1);  // once each, and the settled one
  EXPECT_EQ(lines[0],
            "exploring after 6 launches and 0 trials (0 failed): 0.0017 ms, default 0.0017 ms "
            R"({"tuner":"core","problem":{"n":3},"configuration":{"x":0}})");
  for (std::size_t i = 0; i < incumbents.size(); ++i) {
    EXPECT_EQ(news[i].text.substr(0, 16), "exploring after ");
    EXPECT_EQ(news[i].x, incumbents[i]);
    EXPECT_EQ(news[i].n, 3);
  }
  const std::int64_t n = 3;
  const auto settledAt = run.core->report(&n, 1).settledAt.value();
  // The final: five launches each of 7 and of the default, and one of 7 that pairs the last of those.
  EXPECT_EQ(news.back().text, "settled after " + std::to_string(settledAt + 11) +
                                  " launches and 9 trials (0 failed): 0.001 ms, default 0.0017 ms");
  EXPECT_EQ(news.back().x, 7);
}

TEST(TunerCore, LogGivesCostsOfAnotherKindAsTheyAre) {
  const TemporaryFile file;
  Core run(loggingTo(file));
  for (int i = 0; i < 6; ++i) run.core->stopWithCost(run.core->start({1}).open, 12.5);
  run.core->step();
  ASSERT_EQ(newsOf(file.lines()).size(), 1u);
  EXPECT_EQ(newsOf(file.lines())[0].text, "exploring after 6 launches and 0 trials (0 failed): 12.5, default 12.5");
}

TEST(TunerCore, LogHasTheProblemsApart) {
  const TemporaryFile file;
  Core run(loggingTo(file));
  for (int i = 0; i < 6; ++i) {
    run.launchByClock(1, sevenIsBest);
    run.launchByClock(2, sevenIsBest);
  }
  const std::vector<News> news = newsOf(file.lines());
  ASSERT_EQ(news.size(), 2u);
  EXPECT_EQ(news[0].n, 1);
  EXPECT_EQ(news[1].n, 2);
}

TEST(TunerCore, LogSaysOnceWhatRunsWhereNothingIsTried) {
  const TemporaryFile file;
  Options options = loggingTo(file);
  options.mode = Mode::use;
  options.pins = {pinOf(4, 1)};
  Core run(options);
  for (int i = 0; i < 100; ++i) {
    run.launchByClock(1, sevenIsBest);
    run.launchByClock(2, sevenIsBest);
  }
  EXPECT_EQ(file.lines(), (std::vector<std::string>{"core: nothing is tried for n=1: x=4 runs",
                                                    "core: nothing is tried for n=2: x=0 runs"}));
}

TEST(TunerCore, LogsDiagnosticsWithTheirFurtherLinesIndented) {
  const TemporaryFile file;
  Options options = loggingTo(file);
  options.pins = {pinOf(6)};
  Core run(options);
  run.core->fail(run.core->start({1}).open, "does not build\nerror: no such thing\n");
  EXPECT_TRUE(file.lines().empty());  // a launch writes nothing
  EXPECT_TRUE(run.core->step());
  EXPECT_EQ(file.lines(), (std::vector<std::string>{"core: x=6 failed: does not build", "  error: no such thing",
                                                    "core: nothing is tried for n=1: x=0 runs"}));
  EXPECT_FALSE(run.core->step());
  EXPECT_EQ(run.messages.size(), 1u);
}

TEST(TunerCore, LogHasAtTheEndWhatNoStepHasWritten) {
  const TemporaryFile file;
  Core run(loggingTo(file));
  for (int i = 0; i < 6; ++i) run.core->stopWithCost(run.core->start({1}).open, 12.5);
  run.core->deliver("worth knowing");
  EXPECT_TRUE(file.lines().empty());
  run.core.reset();
  ASSERT_EQ(file.lines().size(), 2u);
  EXPECT_EQ(file.lines()[0], "core: worth knowing");
  EXPECT_EQ(newsOf(file.lines()).size(), 1u);
}

TEST(TunerCore, RejectsALogThatCannotBeOpened) {
  Options options;
  options.logFile = "/nowhere/hone.log";
  EXPECT_EQ(messageOf([&] { Core run(options); }), "the log cannot be opened: '/nowhere/hone.log'");
}

}  // namespace
}  // namespace hone::detail
