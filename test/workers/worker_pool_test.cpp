// Jobs, workers, and what becomes of both when something goes wrong.

#include "compile/worker_pool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "support/temporary_file.h"
#include "workers/pool_bench.h"

namespace hone::detail {
namespace {

using test::comesTrue;
using test::hasEnded;
using test::PoolBench;
using Death = CompileResult::Death;

constexpr std::int64_t kSecondNs = 1'000'000'000;

TEST(WorkerPool, HandsOverBinariesAndLogs) {
  PoolBench bench;
  bench.submit("answer a binary");
  bench.submit("fail with this log");
  ASSERT_TRUE(bench.stepsUntilResults(2));
  EXPECT_EQ(PoolBench::textOf(bench.results["answer a binary"]), "a binary");
  EXPECT_TRUE(bench.results["fail with this log"].binary.empty());
  EXPECT_EQ(bench.results["fail with this log"].log, "with this log");
  EXPECT_EQ(bench.results["fail with this log"].death, Death::none);
  EXPECT_EQ(bench.results["answer a binary"].notice, "");
}

TEST(WorkerPool, StartsNoProcessBeforeThereIsAJob) {
  PoolBench bench;
  EXPECT_FALSE(bench.pool().step());
  EXPECT_FALSE(bench.pool().isBusy());
  EXPECT_FALSE(bench.pool().nextEventIn());
  std::vector<pollfd> waits;
  bench.pool().addWaits(waits);
  EXPECT_TRUE(waits.empty());
}

TEST(WorkerPool, LargeSourcesAndAnswersArrive) {
  PoolBench bench;  // a socket's buffer holds 0.2 MB
  const std::string text(20'000'000, 'x');
  EXPECT_EQ(bench.answerTo("answer " + text), text);
}

TEST(WorkerPool, OneWorkerDoesOneJobAfterAnother) {
  PoolBench bench;
  const pid_t process = bench.workerProcess();
  EXPECT_EQ(bench.workerProcess(), process);
}

TEST(WorkerPool, SeveralWorkersBuildAtATime) {
  PoolBench bench(3);
  for (const char* job : {"hang 1", "hang 2", "hang 3", "hang 4"}) bench.submit(job);
  EXPECT_EQ(bench.pool().capacity(), 3u);
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 3; }));
  EXPECT_FALSE(bench.pool().step());  // the fourth waits
  EXPECT_TRUE(bench.pool().isBusy());
}

TEST(WorkerPool, NoMoreWorkersStartThanThereAreJobs) {
  PoolBench bench(3);
  bench.submit("hang");
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  std::vector<pollfd> waits;
  bench.pool().addWaits(waits);
  EXPECT_EQ(waits.size(), 1u);
}

TEST(WorkerPool, CrashCostsOneJobAndOneWorker) {
  PoolBench bench;
  const pid_t first = bench.workerProcess();
  bench.submit("crash");
  const pid_t second = bench.workerProcess();
  EXPECT_NE(second, first);
  EXPECT_TRUE(bench.results["crash"].binary.empty());
  EXPECT_EQ(bench.results["crash"].death, Death::building);
  EXPECT_EQ(bench.results["crash"].log, "the compile worker died: it ended");
}

TEST(WorkerPool, CrashOfTheWarmUpLaunchIsToldApart) {
  PoolBench bench;
  bench.submit(PoolBench::warmed("crash"));
  ASSERT_TRUE(bench.stepsUntilResults(1));
  EXPECT_EQ(bench.results["crash"].death, Death::warmingUp);
  EXPECT_EQ(bench.results["crash"].log, "the compile worker died: it ended, in the warm-up launch");
}

TEST(WorkerPool, KilledWorkerIsReplaced) {
  PoolBench bench;
  const pid_t process = bench.workerProcess();
  bench.submit("hang");
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  kill(process, SIGKILL);
  ASSERT_TRUE(bench.stepsUntilResults(2));
  EXPECT_EQ(bench.results["hang"].death, Death::building);
  EXPECT_EQ(bench.answerTo("answer me"), "me");
}

TEST(WorkerPool, HangingCompilerIsStoppedAtTheLimit) {
  PoolBench bench;
  bench.settings.jobLimit = std::chrono::seconds(7);
  const pid_t process = bench.workerProcess();
  bench.clock.advance(3 * kSecondNs);
  bench.submit("hang");
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  bench.clock.advance(7 * kSecondNs - 1);
  EXPECT_FALSE(bench.pool().step());
  EXPECT_EQ(bench.pool().nextEventIn(), std::chrono::nanoseconds(1));
  EXPECT_FALSE(hasEnded(process));
  bench.clock.advance(1);
  EXPECT_EQ(bench.pool().nextEventIn(), std::chrono::nanoseconds(0));
  ASSERT_TRUE(bench.stepsUntilResults(2));
  EXPECT_EQ(bench.results["hang"].death, Death::building);
  EXPECT_EQ(bench.results["hang"].log, "the compiler was stopped: it took longer than 7 s");
  EXPECT_TRUE(comesTrue([&] { return hasEnded(process); }));
}

TEST(WorkerPool, IdleWorkerEndsAfterTenSeconds) {
  PoolBench bench;
  const pid_t process = bench.workerProcess();
  EXPECT_EQ(bench.pool().nextEventIn(), std::chrono::seconds(10));
  bench.clock.advance(10 * kSecondNs - 1);
  EXPECT_FALSE(bench.pool().step());
  EXPECT_FALSE(hasEnded(process));
  bench.clock.advance(1);
  EXPECT_TRUE(bench.pool().step());
  EXPECT_TRUE(comesTrue([&] { return hasEnded(process); }));
  EXPECT_FALSE(bench.pool().nextEventIn());
  EXPECT_EQ(bench.answerTo("answer again"), "again");  // by another one
}

TEST(WorkerPool, FloodOfALogIsCutOffAndNothingIsPrinted) {
  PoolBench bench;
  testing::internal::CaptureStdout();
  bench.submit("flood");
  const bool isAnswered = bench.stepsUntilResults(1);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_TRUE(isAnswered);
  EXPECT_EQ(bench.results["flood"].log.size(), 65536u + std::string("\n[the rest is left out]").size());
  EXPECT_EQ(bench.answerTo("answer me"), "me");
}

TEST(WorkerPool, CancelledJobsEndWithTheirWorkers) {
  PoolBench bench(2);
  int mine = 0, others = 0;
  const pid_t process = bench.workerProcess();
  bench.submit("hang", &mine);  // this worker takes it
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  bench.submit("answer others", &others);
  bench.submit("answer nobody", &mine);
  bench.pool().cancel(&mine);
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.results.count("answer others") != 0; }));
  EXPECT_EQ(bench.results.count("hang") + bench.results.count("answer nobody"), 0u);
  EXPECT_TRUE(comesTrue([&] { return hasEnded(process); }));
  EXPECT_FALSE(bench.pool().isBusy());
}

TEST(WorkerPool, AnswersOfCancelledJobsAreNotHandedOver) {
  PoolBench bench;
  int mine = 0;
  bench.submit("answer me", &mine);
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  bench.pool().cancel(&mine);
  EXPECT_EQ(bench.answerTo("answer others"), "others");
  EXPECT_EQ(bench.resultCount, 1u);
}

TEST(WorkerPool, AnswersThatWaitToBeHandedOverCanBeCancelled) {
  PoolBench bench(2);
  int one = 0, other = 0;
  const test::TemporaryFile release;
  bench.submit("await " + release.path(), &one);
  bench.submit("await " + release.path(), &other);
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 2; }));
  release.write("");
  std::vector<pollfd> waits;
  bench.pool().addWaits(waits);
  ASSERT_TRUE(comesTrue([&] { return poll(waits.data(), waits.size(), 0) == 2; }));
  EXPECT_TRUE(bench.pool().step());  // takes both answers, and hands one over
  EXPECT_EQ(bench.resultCount, 1u);
  bench.pool().cancel(&one);
  bench.pool().cancel(&other);
  EXPECT_FALSE(bench.pool().isBusy());
  EXPECT_FALSE(bench.pool().step());
  EXPECT_EQ(bench.resultCount, 1u);
}

/// Jobs whose answers are all there before the pool takes the first.
void answerTogether(PoolBench& bench, std::size_t jobs) {
  const test::TemporaryFile release;
  for (std::size_t i = 0; i < jobs; ++i) bench.submit("await " + release.path());
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == jobs; }));
  std::vector<pollfd> waits;
  bench.pool().addWaits(waits);
  release.write("");
  ASSERT_TRUE(comesTrue([&] { return poll(waits.data(), waits.size(), 0) == static_cast<int>(jobs); }));
}

TEST(WorkerPool, SomeBinariesAreHandedOverAtOnceAndOthersAnIntervalApart) {
  PoolBench bench(4);
  bench.settings.loadInterval = std::chrono::seconds(1);
  bench.settings.loadsAtOnce = 2;
  bench.clock.advance(5 * kSecondNs);
  answerTogether(bench, 4);
  EXPECT_TRUE(bench.pool().step());
  EXPECT_TRUE(bench.pool().step());
  EXPECT_EQ(bench.resultCount, 2u);
  EXPECT_FALSE(bench.pool().step());
  EXPECT_TRUE(bench.pool().isBusy());
  EXPECT_EQ(bench.pool().nextEventIn(), std::chrono::seconds(1));
  bench.clock.advance(kSecondNs - 1);
  EXPECT_FALSE(bench.pool().step());
  bench.clock.advance(1);
  EXPECT_TRUE(bench.pool().step());
  EXPECT_EQ(bench.resultCount, 3u);
  bench.clock.advance(kSecondNs);
  EXPECT_TRUE(bench.pool().step());
  EXPECT_EQ(bench.resultCount, 4u);
  // What was not used is there later, but not more than that.
  bench.clock.advance(9 * kSecondNs);
  answerTogether(bench, 3);
  EXPECT_TRUE(bench.pool().step());
  EXPECT_TRUE(bench.pool().step());
  EXPECT_FALSE(bench.pool().step());
  EXPECT_EQ(bench.resultCount, 6u);
}

TEST(WorkerPool, FailuresAreHandedOverAtOnce) {
  PoolBench bench;
  bench.settings.loadInterval = std::chrono::seconds(1);
  bench.submit("fail one");
  bench.submit("fail two");
  EXPECT_TRUE(bench.stepsUntilResults(2));
}

TEST(WorkerPool, WorkerAndAllThatItStartedEndWithThePool) {
  PoolBench bench;
  const pid_t process = bench.workerProcess();
  const pid_t linker = std::stoi(bench.answerTo("grandchild"));
  EXPECT_FALSE(hasEnded(linker));
  bench.made.reset();
  EXPECT_TRUE(comesTrue([&] { return hasEnded(process) && hasEnded(linker); }));
}

// ---- where workers cannot be had

/// Expects that the fallback compiles, and that the first result alone says why.
void expectFallback(PoolBench& bench, const std::string& reason) {
  EXPECT_EQ(bench.answerTo("answer one"), "answer one by the fallback");
  EXPECT_EQ(bench.answerTo("answer two"), "answer two by the fallback");
  EXPECT_EQ(bench.results["answer one"].notice,
            "there is no compile worker (" + reason +
                "): candidates are compiled by a thread of this process, for which launches may have to wait");
  EXPECT_EQ(bench.results["answer two"].notice, "");
  EXPECT_EQ(bench.pool().capacity(), 1u);
}

TEST(MissingWorker, FallsBackWithoutAProgram) {
  PoolBench bench(4);
  bench.settings.obstacle = "it was not found";
  EXPECT_EQ(bench.pool().capacity(), 1u);
  expectFallback(bench, "it was not found");
}

TEST(MissingWorker, FallsBackWhereTheProgramDoesNotExist) {
  PoolBench bench;
  bench.settings.program = "/nowhere/hone-worker";
  expectFallback(bench, "/nowhere/hone-worker: No such file or directory");
}

/// A program of a test's own.
struct Script : test::TemporaryFile {
  explicit Script(const std::string& text, mode_t mode = 0700) : TemporaryFile("#!/bin/sh\n" + text + "\n") {
    chmod(path().c_str(), mode);
  }
};

TEST(MissingWorker, FallsBackWhereTheProgramCannotBeExecuted) {
  const Script script("exit 0", 0600);
  PoolBench bench;
  bench.settings.program = script.path();
  expectFallback(bench, script.path() + ": Permission denied");
}

TEST(MissingWorker, FallsBackWhereTheProgramIsOfAnotherVersion) {
  const Script script("printf 'HONE\\007\\000\\001\\000\\000\\000\\000\\000\\000\\000\\000\\000' >&0; exec sleep 3");
  PoolBench bench;
  bench.settings.program = script.path();
  expectFallback(bench, "it speaks version 7 of the protocol, this library 1");
}

TEST(MissingWorker, FallsBackWhereTheProgramIsSomethingElse) {
  const Script script("echo 'Usage: something else' >&0; exec sleep 3");
  PoolBench bench;
  bench.settings.program = script.path();
  expectFallback(bench, "it does not speak the protocol");
}

TEST(MissingWorker, FallsBackWhereTheProgramEnds) {
  PoolBench bench;
  bench.settings.hello.device = "exit";
  expectFallback(bench, "it ended");
}

TEST(MissingWorker, FallsBackWhereTheDeviceRefuses) {
  PoolBench bench;  // as one does that takes one process at a time
  bench.settings.hello.device = "none";
  expectFallback(bench, "there is no such device");
}

TEST(MissingWorker, FallsBackWhereTheProgramSaysNothing) {
  PoolBench bench;
  bench.settings.hello.device = "silent";
  bench.submit("answer one");
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().nextEventIn() == std::chrono::seconds(30); }));
  bench.clock.advance(30 * kSecondNs - 1);
  EXPECT_FALSE(bench.pool().step());
  bench.clock.advance(1);
  ASSERT_TRUE(bench.stepsUntilResults(1));
  EXPECT_EQ(PoolBench::textOf(bench.results["answer one"]), "answer one by the fallback");
  EXPECT_NE(bench.results["answer one"].notice.find("(it did not answer within 30 s)"), std::string::npos);
}

TEST(MissingWorker, FewerWorkersDoWhereNoMoreCanBeHad) {
  PoolBench bench(3);
  const test::TemporaryFile link;
  std::filesystem::create_symlink(HONE_SCRIPTED_WORKER, link.path());
  bench.settings.program = link.path();
  const test::TemporaryFile release;
  bench.submit("await " + release.path());
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().building() == 1; }));
  std::filesystem::remove(link.path());
  bench.submit("answer me");
  ASSERT_TRUE(bench.stepsUntil([&] { return bench.pool().capacity() == 1; }));
  release.write("");
  ASSERT_TRUE(bench.stepsUntilResults(2));
  EXPECT_EQ(PoolBench::textOf(bench.results["answer me"]), "me");
  EXPECT_EQ(bench.results["answer me"].notice, "");
}

TEST(MissingWorker, CancelReachesWhatTheFallbackHas) {
  PoolBench bench;
  bench.settings.obstacle = "it was not found";
  int mine = 0;
  bench.submit("answer one", &mine);
  bench.pool().cancel(&mine);
  EXPECT_EQ(bench.answerTo("answer two"), "answer two by the fallback");
  EXPECT_EQ(bench.resultCount, 1u);
}

// ---- the slots that all processes share

TEST(WorkerSlots, OtherPoolWaitsForASlot) {
  PoolBench one, other;
  ASSERT_EQ(one.settings.slots, other.settings.slots);
  const pid_t process = one.workerProcess();
  other.submit("answer me");
  EXPECT_FALSE(other.pool().step());
  EXPECT_TRUE(other.pool().isBusy());
  EXPECT_EQ(other.pool().nextEventIn(), std::chrono::milliseconds(100));
  EXPECT_EQ(other.pool().building(), 0u);
  kill(process, SIGKILL);  // whoever has a slot loses it however it ends
  ASSERT_TRUE(other.stepsUntilResults(1));
  EXPECT_EQ(PoolBench::textOf(other.results["answer me"]), "me");
}

TEST(WorkerSlots, DevicesHaveSlotsOfTheirOwn) {
  PoolBench one, other;
  other.settings.slots += " #1";
  one.submit("hang");
  ASSERT_TRUE(one.stepsUntil([&] { return one.pool().building() == 1; }));
  EXPECT_EQ(other.answerTo("answer me"), "me");
}

TEST(WorkerSlots, LongNamesDifferInTheirEnds) {
  PoolBench one, other;
  one.settings.slots = std::string(300, 'x') + one.settings.slots;
  other.settings.slots = one.settings.slots + "#1";
  one.submit("hang");
  ASSERT_TRUE(one.stepsUntil([&] { return one.pool().building() == 1; }));
  EXPECT_EQ(other.answerTo("answer me"), "me");
}

}  // namespace
}  // namespace hone::detail
