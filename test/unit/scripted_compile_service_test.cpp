#include "support/scripted_compile_service.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <stdexcept>
#include <thread>

#include "search/random_engine.h"
#include "support/manual_clock.h"

namespace hone::test {
namespace {

using namespace std::chrono_literals;
using detail::Background;
using detail::CompileJob;
using detail::CompileResult;
using Names = std::vector<std::string>;

/// Jobs are named by their options; how each ends is set beforehand. The clock begins at 1.
class ScriptedCompileServiceTest : public testing::Test {
 protected:
  void build(const std::string& name, ScriptedBuild build) { builds_[name] = std::move(build); }
  ScriptedCompileService service(std::size_t workers) {
    return {clock_, workers, [this](const CompileJob& job) { return builds_.at(job.options); }};
  }

  void submit(ScriptedCompileService& service, const std::string& name, const void* owner = nullptr) {
    CompileJob job;
    job.options = name;
    service.submit(owner, job, [this, name](const CompileResult& result) {
      done_.push_back(name);
      results_[name] = result;
    });
  }
  /// Takes time to this moment, and steps until there is nothing to do.
  void runTo(std::chrono::nanoseconds moment, ScriptedCompileService& service) {
    clock_.advance(moment.count() - clock_.nowNs());
    while (service.step()) {
    }
  }

  ManualClock clock_;
  Names done_;
  std::map<std::string, CompileResult> results_;

 private:
  std::map<std::string, ScriptedBuild> builds_;
};

TEST_F(ScriptedCompileServiceTest, HandsOverWhatTheScriptSays) {
  build("good", ScriptedBuild::giving(2ns, {1, 2, 3}));
  build("bad", ScriptedBuild::failing(3ns, "line 1: no such type"));
  ScriptedCompileService service = this->service(1);
  submit(service, "good");
  submit(service, "bad");
  runTo(1us, service);
  EXPECT_EQ(done_, (Names{"good", "bad"}));
  EXPECT_EQ(results_["good"].binary, (std::vector<unsigned char>{1, 2, 3}));
  EXPECT_EQ(results_["good"].log, "");
  EXPECT_TRUE(results_["bad"].binary.empty());
  EXPECT_EQ(results_["bad"].log, "line 1: no such type");
}

TEST_F(ScriptedCompileServiceTest, BuildsTakeVirtualTime) {
  build("a", ScriptedBuild::giving(100ns, {1}));
  ScriptedCompileService service = this->service(1);
  runTo(50ns, service);
  submit(service, "a");
  EXPECT_EQ(service.nextDoneNs(), 150);
  runTo(149ns, service);
  EXPECT_EQ(done_, Names{});
  EXPECT_EQ(service.building(), 1u);
  runTo(150ns, service);
  EXPECT_EQ(done_, Names{"a"});
  EXPECT_EQ(service.building(), 0u);
  EXPECT_EQ(service.nextDoneNs(), std::nullopt);
}

TEST_F(ScriptedCompileServiceTest, NothingIsDoneButFromAStep) {
  build("a", ScriptedBuild::giving(0ns, {1}));
  ScriptedCompileService service = this->service(1);
  submit(service, "a");
  clock_.advance(1000);
  EXPECT_EQ(service.nextDoneNs(), 1);  // when it was done; the clock began at 1
  EXPECT_EQ(service.finished(), 1u);
  EXPECT_EQ(done_, Names{});
  EXPECT_TRUE(service.step());
  EXPECT_EQ(done_, Names{"a"});
  EXPECT_FALSE(service.step());
}

TEST_F(ScriptedCompileServiceTest, EachStepHandsOverOneJob) {
  build("a", ScriptedBuild::giving(1ns, {1}));
  build("b", ScriptedBuild::giving(1ns, {1}));
  ScriptedCompileService service = this->service(2);
  submit(service, "a");
  submit(service, "b");
  clock_.advance(1000);
  EXPECT_TRUE(service.step());
  EXPECT_EQ(done_, Names{"a"});
  EXPECT_TRUE(service.step());
  EXPECT_EQ(done_, (Names{"a", "b"}));
}

TEST_F(ScriptedCompileServiceTest, OneWorkerBuildsOneAfterTheOther) {
  build("a", ScriptedBuild::giving(100ns, {1}));
  build("b", ScriptedBuild::giving(10ns, {1}));
  build("c", ScriptedBuild::giving(1ns, {1}));
  ScriptedCompileService service = this->service(1);
  runTo(10ns, service);
  for (const char* name : {"a", "b", "c"}) submit(service, name);
  EXPECT_EQ(service.queued(), 2u);
  runTo(119ns, service);  // a at 110, b at 120, c at 121
  EXPECT_EQ(done_, Names{"a"});
  runTo(120ns, service);
  EXPECT_EQ(done_, (Names{"a", "b"}));
  runTo(121ns, service);
  EXPECT_EQ(done_, (Names{"a", "b", "c"}));
}

TEST_F(ScriptedCompileServiceTest, WorkersBuildAtOnceAndTheShorterJobIsDoneFirst) {
  // Two workers, from 10 on: a until 110, b until 20; then c until 70, d from 70 until 100.
  build("a", ScriptedBuild::giving(100ns, {1}));
  build("b", ScriptedBuild::giving(10ns, {1}));
  build("c", ScriptedBuild::giving(50ns, {1}));
  build("d", ScriptedBuild::giving(30ns, {1}));
  ScriptedCompileService service = this->service(2);
  runTo(10ns, service);
  for (const char* name : {"a", "b", "c", "d"}) submit(service, name);
  std::vector<std::int64_t> moments;
  while (const auto next = service.nextDoneNs()) {
    moments.push_back(*next);
    clock_.advance(*next - clock_.nowNs());
    ASSERT_TRUE(service.step());
  }
  EXPECT_EQ(moments, (std::vector<std::int64_t>{20, 70, 100, 110}));
  EXPECT_EQ(done_, (Names{"b", "c", "d", "a"}));
}

TEST_F(ScriptedCompileServiceTest, TimePassesForWorkersWhetherOrNotAnybodySteps) {
  // As above, looked at once, long after: the order is the same.
  build("a", ScriptedBuild::giving(100ns, {1}));
  build("b", ScriptedBuild::giving(10ns, {1}));
  build("c", ScriptedBuild::giving(50ns, {1}));
  build("d", ScriptedBuild::giving(30ns, {1}));
  ScriptedCompileService service = this->service(2);
  for (const char* name : {"a", "b", "c", "d"}) submit(service, name);
  runTo(1us, service);
  EXPECT_EQ(done_, (Names{"b", "c", "d", "a"}));
}

TEST_F(ScriptedCompileServiceTest, AFreeWorkerBeginsALaterJobWhenItIsSubmitted) {
  build("a", ScriptedBuild::giving(10ns, {1}));
  build("b", ScriptedBuild::giving(10ns, {1}));
  ScriptedCompileService service = this->service(1);
  submit(service, "a");  // done at 11, as nobody notices
  clock_.advance(99);
  submit(service, "b");  // at 100
  EXPECT_EQ(service.nextDoneNs(), 11);
  EXPECT_TRUE(service.step());
  EXPECT_EQ(service.nextDoneNs(), 110);
}

TEST_F(ScriptedCompileServiceTest, JobsDoneAtTheSameTimeComeInTheOrderOfSubmission) {
  // The second worker begins c at 20, so that all three are done at 50.
  build("a", ScriptedBuild::giving(40ns, {1}));
  build("b", ScriptedBuild::giving(10ns, {1}));
  build("c", ScriptedBuild::giving(30ns, {1}));
  ScriptedCompileService service = this->service(2);
  runTo(10ns, service);
  for (const char* name : {"a", "b", "c"}) submit(service, name);
  runTo(50ns, service);
  EXPECT_EQ(done_, (Names{"b", "a", "c"}));
}

TEST_F(ScriptedCompileServiceTest, DoesAsListSchedulingDoes) {
  // Jobs in order, each on the worker that is free first, from then on or from its submission: all that is known of it
  // can be computed as it is submitted. Steps come at random moments.
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    detail::RandomEngine engine(seed);
    const std::size_t workers = 1 + engine.below(4);
    ManualClock clock;
    std::int64_t durationNs = 0;
    ScriptedCompileService service(clock, workers, [&](const CompileJob&) {
      return ScriptedBuild::giving(std::chrono::nanoseconds(durationNs), {1});
    });
    struct Expected {
      std::int64_t doneNs;
      int job;
      auto operator<=>(const Expected&) const = default;
    };
    std::vector<Expected> expected;
    std::vector<std::int64_t> freeFrom(workers, 0);
    std::vector<int> done;
    for (int job = 0; job < 30; ++job) {
      clock.advance(static_cast<std::int64_t>(engine.below(20)));
      durationNs = static_cast<std::int64_t>(engine.below(50));
      std::int64_t& free = *std::min_element(freeFrom.begin(), freeFrom.end());
      free = std::max(free, clock.nowNs()) + durationNs;
      expected.push_back({free, job});
      service.submit(nullptr, {}, [&done, job](const CompileResult&) { done.push_back(job); });
    }
    std::sort(expected.begin(), expected.end());
    std::size_t next = 0;
    while (next < expected.size()) {
      ASSERT_EQ(service.nextDoneNs(), expected[next].doneNs) << "seed " << seed;
      clock.advance(static_cast<std::int64_t>(engine.below(30)));
      const bool isDue = expected[next].doneNs <= clock.nowNs();
      ASSERT_EQ(service.step(), isDue) << "seed " << seed;
      if (isDue) {
        ASSERT_EQ(done.back(), expected[next].job) << "seed " << seed;
        ++next;
      }
    }
    ASSERT_FALSE(service.step()) << "seed " << seed;
  }
}

TEST_F(ScriptedCompileServiceTest, AHangingBuildHoldsItsWorkerForEver) {
  build("hangs", ScriptedBuild::hanging());
  build("a", ScriptedBuild::giving(10ns, {1}));
  ScriptedCompileService one = this->service(1);
  submit(one, "hangs");
  submit(one, "a");
  EXPECT_EQ(one.nextDoneNs(), std::nullopt);
  runTo(1h, one);
  EXPECT_EQ(done_, Names{});
  EXPECT_EQ(one.building(), 1u);
  EXPECT_EQ(one.queued(), 1u);

  ScriptedCompileService two = this->service(2);
  submit(two, "hangs");
  submit(two, "a");
  runTo(2h, two);
  EXPECT_EQ(done_, Names{"a"});
}

TEST_F(ScriptedCompileServiceTest, CancelDropsTheOwnersJobsWhereverTheyAre) {
  const int mine = 0, other = 0;
  for (const char* name : {"finished", "built", "kept", "queued"}) build(name, ScriptedBuild::giving(10ns, {1}));
  ScriptedCompileService service = this->service(1);
  submit(service, "finished", &mine);  // from 1 to 11
  submit(service, "built", &mine);     // from 11 on
  submit(service, "queued", &mine);
  submit(service, "kept", &other);
  clock_.advance(14);  // to 15
  EXPECT_EQ(service.finished(), 1u);
  EXPECT_EQ(service.building(), 1u);
  EXPECT_EQ(service.queued(), 2u);
  service.cancel(&mine);
  EXPECT_EQ(service.finished(), 0u);
  EXPECT_EQ(service.queued(), 0u);
  EXPECT_EQ(service.nextDoneNs(), 25);  // the worker went on with the other owner's job at once
  runTo(1us, service);
  EXPECT_EQ(done_, Names{"kept"});
}

TEST_F(ScriptedCompileServiceTest, CancelFreesAWorkerThatHangs) {
  const int mine = 0, other = 0;
  build("hangs", ScriptedBuild::hanging());
  build("a", ScriptedBuild::giving(10ns, {1}));
  ScriptedCompileService service = this->service(1);
  submit(service, "hangs", &mine);
  submit(service, "a", &other);
  runTo(100ns, service);
  service.cancel(&mine);
  EXPECT_EQ(service.nextDoneNs(), 110);
}

TEST_F(ScriptedCompileServiceTest, DoneMaySubmitAndCancelOthers) {
  const int mine = 0, other = 0;
  build("dropped", ScriptedBuild::giving(5ns, {1}));
  build("first", ScriptedBuild::giving(10ns, {1}));
  build("second", ScriptedBuild::giving(10ns, {1}));
  ScriptedCompileService service = this->service(2);
  CompileJob job;
  job.options = "first";
  service.submit(&mine, job, [&](const CompileResult&) {
    submit(service, "second", &mine);
    service.cancel(&other);
  });
  build("late", ScriptedBuild::giving(20ns, {1}));
  submit(service, "late", &other);
  runTo(11ns, service);
  EXPECT_EQ(service.nextDoneNs(), 21);
  runTo(1us, service);
  EXPECT_EQ(done_, Names{"second"});
}

TEST_F(ScriptedCompileServiceTest, StepsRunAsABackgroundTask) {
  build("a", ScriptedBuild::giving(10ns, {1}));
  ScriptedCompileService service = this->service(1);
  Background background(Background::Driver::steps);
  background.add(service);
  submit(service, "a");
  EXPECT_FALSE(background.step());
  clock_.advance(10);
  EXPECT_TRUE(background.step());
  EXPECT_EQ(done_, Names{"a"});
  EXPECT_FALSE(background.step());
  background.remove(service);
}

TEST_F(ScriptedCompileServiceTest, CancelWaitsForDone) {
  build("a", ScriptedBuild::giving(0ns, {1}));
  ScriptedCompileService service = this->service(1);
  std::promise<void> hasBegun;
  std::atomic<bool> isCancelling{false}, isOver{false};
  CompileJob job;
  job.options = "a";
  service.submit(this, job, [&](const CompileResult&) {
    hasBegun.set_value();
    while (!isCancelling) std::this_thread::yield();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();  // so that a cancel that does not wait returns
    isOver = true;
  });
  std::thread stepping([&] { service.step(); });
  hasBegun.get_future().wait();
  isCancelling = true;
  service.cancel(this);
  EXPECT_TRUE(isOver);
  stepping.join();
}

TEST_F(ScriptedCompileServiceTest, RefusesScriptsThatCannotBe) {
  EXPECT_THROW(this->service(0), std::invalid_argument);
  build("early", ScriptedBuild::giving(-1ns, {1}));
  ScriptedCompileService service = this->service(1);
  EXPECT_THROW(submit(service, "early"), std::invalid_argument);
  EXPECT_EQ(service.queued() + service.building(), 0u);
}

}  // namespace
}  // namespace hone::test
