#include "session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "hone/hone.h"
#include "statistics/comparison.h"

namespace hone::detail {
namespace {

constexpr SessionLimits kNoLimits{1000, 1000, 2};

/// One parameter of values 0 to n - 1, so that ranks are values; the default is 0.
std::shared_ptr<const SearchSpace> line(int n) {
  SpaceDeclarations declarations("line");
  declarations.addParameter("x", range(0, n - 1), 0);
  return std::make_shared<const SearchSpace>(declarations);
}

/// A session whose launches complete at once, at the cost that a function gives.
struct Simulation {
  explicit Simulation(int n, SessionLimits limits = kNoLimits) : session({0}, limits), space(line(n)) {}

  std::int64_t launch() {
    const Session::Choice choice = session.next(true);
    const std::int64_t value = session.configuration(choice.entry)[0];
    if (choice.isSampled) session.record(choice.entry, cost(value));
    if (session.wantsSpace()) session.attachSpace(space);
    return value;
  }
  void launch(int times) {
    for (int i = 0; i < times; ++i) launch();
  }
  /// 20 launches of which those of one entry get an answer of their own.
  void launchAnswering(Session::EntryIndex entry, const std::function<void()>& answer) {
    for (int i = 0; i < 20; ++i) {
      const Session::Choice choice = session.next(true);
      if (choice.entry == entry) {
        answer();
      } else {
        session.record(choice.entry, 100);
      }
    }
  }
  std::vector<Session::EntryIndex> offer(const Proposal& proposal) {
    return session.offer(proposal, session.evidence().trials().size());
  }
  Session::EntryIndex offerReady(Rank rank) {
    const auto entries = offer({{rank}, false});
    EXPECT_EQ(entries.size(), 1u);
    session.markReady(entries.at(0), nullptr);
    return entries.at(0);
  }

  Session session;
  std::shared_ptr<const SearchSpace> space;
  std::function<double(std::int64_t)> cost = [](std::int64_t) { return 100.0; };
};

TEST(Session, WarmsUpOnTheDefaultBeforeExploring) {
  Simulation run(4);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(run.session.phase(), Phase::warmingUp);
    EXPECT_EQ(run.launch(), 0);
  }
  EXPECT_EQ(run.session.phase(), Phase::exploring);
}

TEST(Session, FirstSampleOfTheDefaultDoesNotCount) {
  Simulation run(4);
  bool isFirst = true;
  run.cost = [&](std::int64_t) { return std::exchange(isFirst, false) ? 9000.0 : 100.0; };
  run.launch(6);
  EXPECT_EQ(run.session.report().defaultCost, 100.0);
}

TEST(Session, RunsTheIncumbentWhileNoCandidateIsReady) {
  Simulation run(4);
  run.launch(6);
  run.offer({{2}, false});
  EXPECT_EQ(run.launch(), 0);
  EXPECT_EQ(run.launch(), 0);
}

TEST(Session, InterleavesCandidateAndIncumbent) {
  Simulation run(4);
  run.launch(6);
  run.offerReady(2);
  EXPECT_EQ(run.launch(), 2);
  EXPECT_EQ(run.launch(), 0);
  EXPECT_EQ(run.launch(), 2);
  EXPECT_EQ(run.launch(), 0);
}

TEST(Session, FasterCandidateBecomesIncumbentAfterFiveSamples) {
  Simulation run(4);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  const auto entry = run.offerReady(2);
  run.launch(8);  // 2 0 2 0 2 0 2 0
  EXPECT_EQ(run.session.incumbent(), Session::kDefaultEntry);
  run.launch(1);
  EXPECT_EQ(run.session.incumbent(), entry);
  EXPECT_EQ(run.launch(), 2);
  EXPECT_EQ(run.session.report().trials, 1u);
  EXPECT_EQ(run.session.evidence().find(2)->relativeCost, 0.5);
}

TEST(Session, RelativeCostsAreChainedOverIncumbents) {
  Simulation run(4);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : x == 3 ? 25.0 : 100.0; };
  run.launch(6);
  run.offerReady(2);
  run.launch(12);
  run.cost = [](std::int64_t x) { return 10 * (x == 2 ? 50.0 : x == 3 ? 25.0 : 100.0); };  // the device slowed down
  run.launch(SampleWindow::kCapacity);
  run.offerReady(3);
  run.launch(12);
  EXPECT_DOUBLE_EQ(*run.session.evidence().find(3)->relativeCost, 0.25);
}

TEST(Session, DeviceThatSwitchesBetweenTwoSpeedsDoesNotMisleadARace) {
  // The device halves its speed for stretches of six launches; candidate 2 gains 20 %, candidate 3 loses 20 %.
  Simulation run(10);
  int launches = 0;
  run.cost = [&](std::int64_t x) {
    const double speed = (launches++ / 6) % 2 == 0 ? 1 : 2;
    return speed * (x == 2 ? 80.0 : x == 3 ? 120.0 : 100.0);
  };
  run.launch(6);
  const auto faster = run.offerReady(2);
  run.launch(40);
  EXPECT_EQ(run.session.incumbent(), faster);
  run.offerReady(3);
  run.launch(40);
  EXPECT_EQ(run.session.incumbent(), faster);
  EXPECT_DOUBLE_EQ(*run.session.evidence().find(2)->relativeCost, 0.8);
  EXPECT_DOUBLE_EQ(*run.session.evidence().find(3)->relativeCost, 1.2);
}

TEST(Session, HopelessCandidateRunsOnce) {
  Simulation run(4);
  run.cost = [](std::int64_t x) { return x == 2 ? 1000.0 : 100.0; };
  run.launch(6);
  run.offerReady(2);
  EXPECT_EQ(run.launch(), 2);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run.launch(), 0);
  EXPECT_EQ(run.session.report().trials, 1u);
}

TEST(Session, AtMostOneLaunchOfACandidateWithoutSampleIsInFlight) {
  Simulation run(4);
  run.launch(6);
  const auto entry = run.offerReady(2);
  const Session::Choice first = run.session.next(true);
  EXPECT_EQ(first.entry, entry);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run.session.next(true).entry, Session::kDefaultEntry);
  run.session.record(entry, 100);
  EXPECT_EQ(run.session.next(true).entry, entry);
}

TEST(Session, DroppedLaunchLeavesNoSampleAndDoesNotBlock) {
  Simulation run(4);
  run.launch(6);
  const auto entry = run.offerReady(2);
  EXPECT_EQ(run.session.next(true).entry, entry);
  run.session.recordNothing(entry);
  run.session.next(true);
  EXPECT_EQ(run.session.next(true).entry, entry);
  EXPECT_EQ(run.session.report().trials, 0u);
}

TEST(Session, CandidateThatIsAlwaysGivenUpHasFailed) {
  Simulation run(4);
  run.launch(6);
  const auto entry = run.offerReady(2);
  run.launchAnswering(entry, [&] { run.session.recordGivenUp(entry); });
  EXPECT_EQ(run.session.report().failed, 1u);
}

TEST(Session, CandidateThatIsGivenUpAgainAndAgainHasFailedAlsoAfterASample) {
  Simulation run(4);
  run.launch(6);
  const auto entry = run.offerReady(2);
  bool isFirst = true;
  run.launchAnswering(entry, [&] {
    if (std::exchange(isFirst, false)) {
      run.session.record(entry, 100);
    } else {
      run.session.recordGivenUp(entry);
    }
  });
  EXPECT_EQ(run.session.report().trials, 1u);
  EXPECT_EQ(run.session.report().failed, 1u);
}

TEST(Session, CandidateThatIsGivenUpNowAndThenIsJudgedByItsSamples) {
  Simulation run(4);
  run.launch(6);
  const auto entry = run.offerReady(2);
  int launches = 0;
  run.launchAnswering(entry, [&] {
    if (++launches % 2 == 0) {
      run.session.recordGivenUp(entry);
    } else {
      run.session.record(entry, 50);
    }
  });
  EXPECT_EQ(run.session.report().trials, 1u);
  EXPECT_EQ(run.session.report().failed, 0u);
  EXPECT_EQ(run.session.configuration(run.session.incumbent())[0], 2);
}

TEST(Session, NothingIsTriedWhenNothingCanBeSampled) {
  Simulation run(4);
  run.launch(6);
  run.offerReady(2);
  for (int i = 0; i < 10; ++i) {
    const Session::Choice choice = run.session.next(false);
    EXPECT_EQ(choice.entry, Session::kDefaultEntry);
    EXPECT_FALSE(choice.isSampled);
  }
}

TEST(Session, FailedCandidateIsATrialAndNeverRunsAgain) {
  Simulation run(4);
  run.launch(6);
  const auto entry = run.offerReady(2);
  EXPECT_EQ(run.session.next(true).entry, entry);
  run.session.recordFailure(entry);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(run.launch(), 0);
  EXPECT_EQ(run.session.report().failed, 1u);
  EXPECT_EQ(run.session.report().trials, 1u);
  EXPECT_FALSE(run.session.evidence().find(2)->relativeCost.has_value());
}

TEST(Session, FailingIncumbentGivesWayToTheDefault) {
  Simulation run(4);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  const auto entry = run.offerReady(2);
  run.launch(9);
  ASSERT_EQ(run.session.incumbent(), entry);
  run.session.recordFailure(entry);
  EXPECT_EQ(run.session.incumbent(), Session::kDefaultEntry);
  EXPECT_EQ(run.launch(), 0);
}

TEST(Session, BrokenTimesAreNoSamples) {
  Simulation run(4);
  for (int i = 0; i < 100; ++i) {
    const Session::Choice choice = run.session.next(true);
    EXPECT_EQ(choice.entry, Session::kDefaultEntry);
    if (choice.isSampled) run.session.recordBroken(choice.entry);
  }
  EXPECT_EQ(run.session.phase(), Phase::warmingUp);
  EXPECT_FALSE(run.session.report().defaultCost.has_value());
  run.launch(2000);  // usable times again
  EXPECT_NE(run.session.phase(), Phase::warmingUp);
}

TEST(Session, CandidateWithoutUsableTimesFails) {
  Simulation run(4);
  run.launch(6);
  const auto entry = run.offerReady(2);
  run.launchAnswering(entry, [&] { run.session.recordBroken(entry); });
  EXPECT_EQ(run.session.report().failed, 1u);
}

TEST(Session, SpaceOfOneConfigurationSettlesAtOnce) {
  Simulation run(1);
  run.launch(1);
  EXPECT_EQ(run.session.phase(), Phase::settled);
  EXPECT_EQ(run.session.report().settledAt, 1u);
}

TEST(Session, EmptySpaceSettlesOnTheDefault) {
  SpaceDeclarations declarations("line");
  const auto [N] = declarations.problem("N");
  const Parameter x = declarations.addParameter("x", range(0, 3), 0);
  declarations.require(x > N);
  Simulation run(1);
  run.space = std::make_shared<const SearchSpace>(declarations, std::vector<std::int64_t>{100});
  run.launch(7);
  EXPECT_EQ(run.session.phase(), Phase::settled);
}

TEST(Session, EndsAfterTrialsWithoutGain) {
  Simulation run(100, {1000, 3, 2});
  run.launch(6);
  for (Rank rank = 1; rank <= 3; ++rank) {
    EXPECT_EQ(run.session.phase(), Phase::exploring);
    run.offerReady(rank);
    run.launch(30);
  }
  EXPECT_EQ(run.session.phase(), Phase::settled);
  EXPECT_EQ(run.session.report().trials, 3u);
}

TEST(Session, GainStartsThePatienceAnew) {
  Simulation run(100, {1000, 3, 2});
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  for (Rank rank = 1; rank <= 4; ++rank) {
    run.offerReady(rank);
    run.launch(30);
  }
  EXPECT_EQ(run.session.phase(), Phase::exploring);
  run.offerReady(5);
  run.launch(30);
  EXPECT_EQ(run.session.phase(), Phase::settled);
}

TEST(Session, EndsAtMaxTrials) {
  Simulation run(100, {2, 1000, 5});
  run.launch(6);
  EXPECT_EQ(run.session.candidatesWanted(), 2u);
  const auto entries = run.offer({{1, 2, 3, 4}, false});
  EXPECT_EQ(entries.size(), 2u);
  for (auto entry : entries) run.session.markReady(entry, nullptr);
  run.launch(80);
  EXPECT_EQ(run.session.phase(), Phase::settled);
  EXPECT_EQ(run.session.report().trials, 2u);
}

TEST(Session, NoTrialsAtAllSettlesOnTheDefault) {
  Simulation run(100, {0, 1000, 2});
  run.launch(7);
  EXPECT_EQ(run.session.phase(), Phase::settled);
}

TEST(Session, EndsWhenAConvergedStrategysLastCandidateIsJudged) {
  Simulation run(4);
  run.launch(6);
  const auto entries = run.offer({{2}, true});
  run.session.markReady(entries.at(0), nullptr);
  EXPECT_EQ(run.session.phase(), Phase::exploring);
  run.launch(30);
  EXPECT_EQ(run.session.phase(), Phase::settled);
}

TEST(Session, StrategyThatProposesNothingNewHasConverged) {
  Simulation run(4);
  run.launch(6);
  EXPECT_TRUE(run.offer({{0, 0}, false}).empty());
  EXPECT_EQ(run.session.phase(), Phase::settled);
}

TEST(Session, AnswerGivenBeforeTheLatestTrialEndsNothing) {
  Simulation run(10);
  run.launch(6);
  run.offerReady(2);
  const std::size_t shown = run.session.evidence().trials().size();
  run.launch(40);  // the candidate is judged while the strategy thinks
  ASSERT_EQ(run.session.report().trials, 1u);
  EXPECT_TRUE(run.session.offer({{2}, false}, shown).empty());
  EXPECT_EQ(run.session.phase(), Phase::exploring);
  EXPECT_EQ(run.session.candidatesWanted(), 2u);
}

TEST(Session, RejectsARankOutsideOfTheSpace) {
  Simulation run(10);
  run.launch(6);
  EXPECT_THROW(run.offer({{10}, false}), UsageError);
}

TEST(Session, AsksAStrategyThatWaitsOnlyAfterTheNextTrial) {
  Simulation run(10);
  run.launch(6);
  EXPECT_EQ(run.session.candidatesWanted(), 2u);
  run.offerReady(2);
  EXPECT_EQ(run.session.candidatesWanted(), 0u);  // it gave one of two: the rest has to wait
  run.launch(30);
  EXPECT_EQ(run.session.candidatesWanted(), 2u);
}

TEST(Session, IgnoresWhatIsKnownOrUnderWay) {
  Simulation run(10, {1000, 1000, 8});
  run.launch(6);
  const auto first = run.offer({{1, 2}, false});
  run.session.markReady(first[0], nullptr);
  run.launch(30);
  EXPECT_EQ(run.offer({{0, 1, 2, 3}, false}).size(), 1u);  // 0 and 1 are judged, 2 is under way
}

TEST(Session, SettledSamplesTheClosingMatchAndThenEverySixtyFourthLaunch) {
  Simulation run(1);
  run.launch(1);
  int sampled = 0;
  for (int i = 0; i < 30; ++i) sampled += run.session.next(true).isSampled ? 1 : 0;
  EXPECT_EQ(sampled, 30);
  for (int i = 0; i < 640; ++i) sampled += run.session.next(true).isSampled ? 1 : 0;
  EXPECT_EQ(sampled, 40);
}

TEST(Session, SettleDropsWhatIsUnderWayAndMeasuresIncumbentAndDefaultAfresh) {
  Simulation run(10);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  run.offerReady(2);
  run.launch(12);
  run.offerReady(3);
  run.session.settle();
  EXPECT_EQ(run.session.candidatesWanted(), 0u);
  run.cost = [](std::int64_t x) { return x == 2 ? 40.0 : 80.0; };
  int ofDefault = 0;
  for (int i = 0; i < 30; ++i) ofDefault += run.launch() == 0 ? 1 : 0;
  EXPECT_EQ(ofDefault, 15);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(run.launch(), 2);
  EXPECT_EQ(run.session.report().bestCost, 40.0);
  EXPECT_EQ(run.session.report().defaultCost, 80.0);
  EXPECT_EQ(run.session.candidatesWanted(), 0u);
}

TEST(Session, ClosingMatchWaitsUntilNothingIsBeingPrepared) {
  Simulation run(10);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  run.offerReady(2);
  run.launch(12);
  const auto abandoned = run.offer({{3, 4}, false});
  ASSERT_EQ(abandoned.size(), 2u);
  run.session.settle();
  for (int i = 0; i < 40; ++i) EXPECT_EQ(run.launch(), 2);
  run.session.markReady(abandoned[0], nullptr);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(run.launch(), 2);
  run.session.markFailed(abandoned[1]);
  int ofDefault = 0;
  for (int i = 0; i < 40; ++i) ofDefault += run.launch() == 0 ? 1 : 0;
  EXPECT_EQ(ofDefault, 15);
  EXPECT_EQ(run.session.report().failed, 0u);
}

TEST(Session, IncumbentThatLosesTheClosingMatchGivesWayToTheDefault) {
  Simulation run(10);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  run.offerReady(2);
  run.launch(12);
  run.session.settle();
  run.cost = [](std::int64_t x) { return x == 2 ? 99.5 : 100.0; };  // what it had won by was a disturbance
  run.launch(30);
  EXPECT_EQ(run.session.incumbent(), Session::kDefaultEntry);
  EXPECT_EQ(run.session.report().bestCost, 100.0);
}

TEST(Session, SettlingAgainComparesAnew) {
  Simulation run(10);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  run.offerReady(2);
  run.launch(12);
  run.session.settle();
  run.launch(100);
  const auto settledAt = run.session.report().settledAt;
  run.cost = [](std::int64_t x) { return x == 2 ? 150.0 : 120.0; };
  run.session.settle();
  run.launch(30);
  EXPECT_EQ(run.session.incumbent(), Session::kDefaultEntry);
  EXPECT_EQ(run.session.report().bestCost, 120.0);
  EXPECT_EQ(run.session.report().settledAt, settledAt);
}

TEST(Session, ClosingMatchIsDecidedByItsLastSampleInFlight) {
  Simulation run(10);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(6);
  const auto entry = run.offerReady(2);
  run.launch(12);
  run.session.settle();
  std::vector<Session::Choice> inFlight;
  for (int i = 0; i < 30; ++i) inFlight.push_back(run.session.next(true));
  for (const Session::Choice& choice : inFlight) {
    EXPECT_EQ(run.session.incumbent(), entry);
    run.session.record(choice.entry, choice.entry == entry ? 99.5 : 100);
  }
  EXPECT_EQ(run.session.incumbent(), Session::kDefaultEntry);
}

TEST(Session, LateSampleOfAJudgedCandidateIsIgnored) {
  Simulation run(10);
  run.launch(6);
  const auto entry = run.offerReady(2);
  EXPECT_EQ(run.session.next(true).entry, entry);
  run.session.settle();
  run.session.record(entry, 1);
  EXPECT_EQ(run.session.incumbent(), Session::kDefaultEntry);
  EXPECT_EQ(run.session.report().trials, 0u);
}

TEST(Session, DefaultOutsideOfTheSpaceIsComparedAllTheSame) {
  SpaceDeclarations declarations("line");
  declarations.addParameter("x", range(0, 9), 0);
  declarations.restrictTo("x", {5, 6});
  Simulation run(1);
  run.space = std::make_shared<const SearchSpace>(declarations);
  run.cost = [](std::int64_t x) { return x == 6 ? 50.0 : 100.0; };
  run.launch(6);
  ASSERT_EQ(run.session.phase(), Phase::exploring);
  for (Rank rank : {0, 1}) {
    run.offerReady(rank);
    run.launch(30);
  }
  EXPECT_EQ(run.session.configuration(run.session.incumbent())[0], 6);
}

// ---- fixed sessions

const std::vector<std::int64_t> kPinned{3};

/// The launches, counted from 1, whose cost is wanted.
std::vector<int> sampledOf(Simulation& run, int launches) {
  std::vector<int> sampled;
  for (int i = 1; i <= launches; ++i) {
    const Session::Choice choice = run.session.next(true);
    if (!choice.isSampled) continue;
    sampled.push_back(i);
    run.session.record(choice.entry, run.cost(run.session.configuration(choice.entry)[0]));
  }
  return sampled;
}

TEST(Session, FixedRunsWhatIsPinnedAndWantsNoCandidates) {
  Simulation run(10);
  run.session.fix(&kPinned);
  EXPECT_EQ(run.session.phase(), Phase::settled);
  EXPECT_FALSE(run.session.wantsSpace());
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(run.launch(), 3);
    EXPECT_EQ(run.session.candidatesWanted(), 0u);
  }
}

TEST(Session, FixedWithoutAPinRunsTheDefault) {
  Simulation run(10);
  run.session.fix(nullptr);
  EXPECT_EQ(run.session.phase(), Phase::settled);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(run.launch(), 0);
  EXPECT_EQ(run.session.report().defaultCost, 100.0);
  EXPECT_EQ(run.session.report().bestCost, 100.0);
}

TEST(Session, FixedSamplesFiveLaunchesAfterTheFirstAndThenEverySixtyFourth) {
  Simulation pinned(10);
  pinned.session.fix(&kPinned);
  EXPECT_EQ(sampledOf(pinned, 130), (std::vector<int>{2, 3, 4, 5, 6, 64, 128}));
  Simulation unpinned(10);
  unpinned.session.fix(nullptr);
  EXPECT_EQ(sampledOf(unpinned, 130), (std::vector<int>{2, 3, 4, 5, 6, 64, 128}));
}

TEST(Session, FixedSamplesNothingWhereNothingCanBeSampled) {
  Simulation run(10);
  run.session.fix(&kPinned);
  for (int i = 0; i < 130; ++i) EXPECT_FALSE(run.session.next(false).isSampled);
}

TEST(Session, FixedReportsTheCostOfWhatIsPinned) {
  Simulation run(10);
  run.cost = [](std::int64_t x) { return x == 3 ? 40.0 : 100.0; };
  run.session.fix(&kPinned);
  EXPECT_EQ(run.session.report().bestCost, std::nullopt);
  run.launch(10);
  const Report report = run.session.report();
  EXPECT_EQ(report.bestCost, 40.0);
  EXPECT_EQ(report.defaultCost, std::nullopt);
  EXPECT_EQ(report.settledAt, std::nullopt);
  EXPECT_EQ(report.launches, 10u);
  EXPECT_EQ(report.trials, 0u);
}

TEST(Session, PinnedDefaultIsTheDefault) {
  Simulation run(10);
  const std::vector<std::int64_t> byDefault{0};
  run.session.fix(&byDefault);
  EXPECT_EQ(run.session.incumbent(), Session::kDefaultEntry);
  run.launch(10);
  EXPECT_EQ(run.session.report().defaultCost, 100.0);
}

TEST(Session, PinnedConfigurationThatFailsGivesWayToTheDefault) {
  Simulation run(10);
  run.session.fix(&kPinned);
  const Session::EntryIndex pinned = run.session.incumbent();
  ASSERT_EQ(run.launch(), 3);
  ASSERT_TRUE(run.session.takeNews());
  run.session.recordFailure(run.session.next(true).entry);
  EXPECT_TRUE(run.session.takeNews());
  for (int i = 0; i < 130; ++i) EXPECT_EQ(run.launch(), 0);
  EXPECT_EQ(run.session.report().bestCost, 100.0);
  run.session.recordFailure(pinned);  // a late answer
  EXPECT_FALSE(run.session.takeNews());
  EXPECT_EQ(run.launch(), 0);
}

TEST(Session, SettleLeavesAFixedSessionAsItIs) {
  Simulation run(10);
  run.session.fix(&kPinned);
  run.launch(10);
  run.session.settle();
  EXPECT_TRUE(sampledOf(run, 40).empty());  // no closing match
  EXPECT_EQ(run.launch(), 3);
  EXPECT_EQ(run.session.report().bestCost, 100.0);
  EXPECT_EQ(run.session.report().settledAt, std::nullopt);
}

// ---- news

TEST(Session, PhasesAndIncumbentsAreNewsOnce) {
  Simulation run(4);
  run.cost = [](std::int64_t x) { return x == 2 ? 50.0 : 100.0; };
  run.launch(5);
  EXPECT_FALSE(run.session.takeNews());
  run.launch(1);
  EXPECT_TRUE(run.session.takeNews());  // exploring
  run.offerReady(2);
  run.launch(8);
  EXPECT_FALSE(run.session.hasNews());
  run.launch(1);
  EXPECT_TRUE(run.session.hasNews());  // the incumbent
  EXPECT_TRUE(run.session.takeNews());
  EXPECT_FALSE(run.session.takeNews());
  run.offerReady(3);
  run.launch(60);  // the one that loses
  ASSERT_EQ(run.session.report().trials, 2u);
  EXPECT_FALSE(run.session.takeNews());
}

TEST(Session, SettlingIsNewsOnceTheClosingMatchIsOver) {
  Simulation run(4);
  run.launch(6);
  EXPECT_TRUE(run.session.takeNews());
  run.session.settle();
  run.launch(29);
  EXPECT_FALSE(run.session.takeNews());
  run.launch(1);
  EXPECT_TRUE(run.session.takeNews());
  run.launch(100);
  EXPECT_FALSE(run.session.takeNews());
}

TEST(Session, FixingIsNews) {
  Simulation run(4);
  run.session.fix(nullptr);
  EXPECT_TRUE(run.session.takeNews());
  run.launch(200);
  EXPECT_FALSE(run.session.takeNews());
}

}  // namespace
}  // namespace hone::detail
