// What a test of the worker pool stands on: real processes that do what jobs say (support/scripted_worker_main.cpp),
// and a clock that stands still.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/worker_pool.h"
#include "support/manual_clock.h"
#include "support/scripted_compile_service.h"

namespace hone::test {

/// Whether the process is gone, or dead and merely not yet waited for by the system's first process.
inline bool hasEnded(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return true;
  return text[text.rfind(')') + 2] == 'Z';
}

/// Long enough for any machine; a test that waits so long has failed.
constexpr std::chrono::seconds kPatience(120);

/// Waits until the condition holds.
inline bool comesTrue(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    poll(nullptr, 0, 2);
  }
  return true;
}

struct PoolBench {
  explicit PoolBench(std::size_t workers = 1) {
    settings.program = HONE_SCRIPTED_WORKER;
    settings.hello = {"any", 7};
    // Of this test alone: others run at the same time.
    settings.slots = std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + " of process " +
                     std::to_string(getpid());
    settings.workers = workers;
    settings.slotCount = workers;
  }

  detail::WorkerPool& pool() {
    if (!made) made.emplace(settings, fallback, clock);
    return *made;
  }

  /// The results come under the source's name.
  void submit(const std::string& source, const void* owner = nullptr) { submit(jobOf(source), owner); }
  void submit(const detail::CompileJob& job, const void* owner = nullptr) {
    pool().submit(owner, job, [this, source = job.source](const detail::CompileResult& result) {
      results[source] = result;
      ++resultCount;
    });
  }
  static detail::CompileJob jobOf(const std::string& source) {
    detail::CompileJob job;
    job.source = source;
    return job;
  }
  static detail::CompileJob warmed(const std::string& source) {
    detail::CompileJob job = jobOf(source);
    job.warmUp.emplace();
    job.warmUp->dimensions = 1;
    return job;
  }

  /// Steps, and sleeps while there is nothing to do, until the condition holds.
  bool stepsUntil(const std::function<bool()>& condition) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      const bool hadWork = pool().step();
      if (fallback.step() || hadWork) continue;
      std::vector<pollfd> waits;
      pool().addWaits(waits);
      poll(waits.data(), waits.size(), 5);
    }
    return true;
  }
  bool stepsUntilResults(std::size_t count) {
    return stepsUntil([=, this] { return resultCount >= count; });
  }
  /// What a job answers.
  std::string answerTo(const detail::CompileJob& job) {
    submit(job);
    results.erase(job.source);
    if (!stepsUntil([&] { return results.count(job.source) != 0; })) return "no answer";
    return textOf(results[job.source]);
  }
  std::string answerTo(const std::string& source) { return answerTo(jobOf(source)); }
  static std::string textOf(const detail::CompileResult& result) {
    return {result.binary.begin(), result.binary.end()};
  }
  pid_t workerProcess() { return std::stoi(answerTo("fact pid")); }

  ManualClock clock;
  // What the fallback compiles ends with "by the fallback".
  ScriptedCompileService fallback{
      clock, 1, [](const detail::CompileJob& job) {
        const std::string text = job.source + " by the fallback";
        return ScriptedBuild::giving(std::chrono::nanoseconds(0), {text.begin(), text.end()});
      }};
  detail::PoolSettings settings;
  std::map<std::string, detail::CompileResult> results;
  std::size_t resultCount = 0;
  std::optional<detail::WorkerPool> made;
};

}  // namespace hone::test
