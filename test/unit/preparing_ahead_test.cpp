// Candidates that are prepared beside the launches: how many, and what becomes of them when exploring ends or the
// process is forked.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hone/tuner.h"
#include "support/manual_clock.h"
#include "tuner_core.h"

namespace hone::detail {
namespace {

/// Prepares three at a time, and is never done.
struct EndlessPreparer final : CandidatePreparer {
  void prepare(Candidate candidate) override { preparing.push_back(std::move(candidate)); }
  std::size_t capacity() const override { return 3; }
  void drop(Session* session) override {
    ++drops;
    std::erase_if(preparing, [&](const Candidate& candidate) {
      if (candidate.session != session) return false;
      core->markDropped(session, candidate.entry);
      return true;
    });
  }
  bool isPreparingFor(const Session& session) const override {
    return std::any_of(preparing.begin(), preparing.end(),
                       [&](const Candidate& candidate) { return candidate.session == &session; });
  }

  TunerCore* core = nullptr;
  std::vector<Candidate> preparing;
  int drops = 0;
};

struct PreparingAhead : testing::Test {
  PreparingAhead() {
    const auto [n] = declarations.problem("n");
    static_cast<void>(n);
    declarations.addParameter("x", range(0, 9), 0);
    Options options;
    options.strategy = "random";
    options.slowdownBudget = std::numeric_limits<double>::infinity();
    options.diagnostics = [this](const Diagnostic& diagnostic) { messages.push_back(diagnostic.message); };
    core.emplace(declarations.sharedData(), options, clock, background, &preparer);
    preparer.core = &*core;
    core->seal();
  }

  void launch(std::int64_t n) {
    const StartedLaunch started = core->start({n});
    clock.advance(1000);
    core->stopByClock(started.open);
    core->step();
  }
  Report report(std::int64_t n) { return core->report(&n, 1); }

  EndlessPreparer preparer;
  test::ManualClock clock;
  SpaceDeclarations declarations{"ahead"};
  Background background{Background::Driver::steps};
  std::vector<std::string> messages;
  std::optional<TunerCore> core;
};

TEST_F(PreparingAhead, AsManyAreUnderWayAsArePreparedAtATimeAndOneMore) {
  for (int i = 0; i < 20; ++i) launch(1);
  EXPECT_EQ(preparer.preparing.size(), 4u);
}

TEST_F(PreparingAhead, SettlingDropsWhatIsPreparedForThatProblem) {
  for (int i = 0; i < 20; ++i) {
    launch(1);
    launch(2);
  }
  EXPECT_EQ(preparer.preparing.size(), 8u);
  EXPECT_EQ(preparer.drops, 0);
  core->settle();
  core->step();
  EXPECT_EQ(preparer.preparing.size(), 0u);
  EXPECT_EQ(preparer.drops, 2);
  for (int i = 0; i < 100; ++i) launch(1);
  EXPECT_TRUE(report(1).isDecided);  // its final waits for nobody
  EXPECT_EQ(report(1).trials, 0u);
  EXPECT_EQ(report(1).failed, 0u);
  EXPECT_EQ(preparer.drops, 2);
  EXPECT_TRUE(messages.empty()) << messages[0];
}

// A simulation that has gone to a finer grid does not come back.
TEST_F(PreparingAhead, NothingIsPreparedForAProblemThatIsNotLaunchedAnyMore) {
  for (int i = 0; i < 20; ++i) launch(1);
  Session* const first = preparer.preparing.front().session;
  const auto ofFirst = [&] {
    return std::count_if(preparer.preparing.begin(), preparer.preparing.end(),
                         [&](const Candidate& candidate) { return candidate.session == first; });
  };
  for (int i = 0; i < 100; ++i) launch(2);
  preparer.drop(first);
  core->step();
  EXPECT_EQ(ofFirst(), 0);
  launch(1);
  EXPECT_EQ(ofFirst(), 4);
  for (int i = 0; i < 99; ++i) launch(2);
  preparer.drop(first);
  core->step();
  EXPECT_EQ(ofFirst(), 1);  // the last of nine: it is one of several in turns
}

// ---- forked children

/// The child's exit status.
template <class Child>
int statusOf(const Child& child) {
  const pid_t process = fork();
  if (process == 0) _exit(child());
  int status = -1;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(PreparingAhead, ForkedChildRunsTheDefaultUnmeasured) {
  for (int i = 0; i < 20; ++i) launch(1);
  const auto launches = report(1).launches;
  EXPECT_EQ(statusOf([&] {
              for (int i = 0; i < 50; ++i) {
                const StartedLaunch started = core->start({i});
                if (started.open.isSampled || started.open.values[0] != 0) return 1;
                core->stopByClock(started.open);
              }
              return report(1).launches == launches ? 0 : 2;
            }),
            0);
}

TEST(ForkedChild, OfATunerWithAThreadGoesOnAndEnds) {
  auto tuner = std::make_unique<Tuner>("forked");
  int x = 1;
  tuner->addParameter(&x, range(1, 8), 3, "x");
  for (int i = 0; i < 50; ++i) {
    tuner->startMeasurement();
    tuner->stopMeasurement(100.0 + x);
  }
  EXPECT_EQ(statusOf([&] {
              for (int i = 0; i < 20; ++i) {
                tuner->startMeasurement();
                tuner->stopMeasurement(1.0);
                if (x != 3) return 1;
              }
              tuner.reset();  // its thread does not exist here
              return 0;
            }),
            0);
  for (int i = 0; i < 50; ++i) {
    tuner->startMeasurement();
    tuner->stopMeasurement(100.0 + x);
  }
  EXPECT_EQ(tuner->report().launches, 100u);
}

}  // namespace
}  // namespace hone::detail
