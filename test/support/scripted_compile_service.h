// A compile service whose builds take virtual time and end as a script says, so that decisions which depend on when
// candidates become ready can be replayed exactly.
//
//   ManualClock clock;
//   ScriptedCompileService service(clock, 2, [&](const CompileJob& job) {
//     return job.source.empty() ? ScriptedBuild::failing(100ms, "no source") : ScriptedBuild::giving(300ms, binary);
//   });
//   background.add(service);
//   ... submit ...
//   clock.advance(*service.nextDoneNs() - clock.nowNs());
//   background.step();  // calls `done`
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "background.h"
#include "compile/compile_service.h"
#include "tuner_core.h"

namespace hone::test {

/// What becomes of a job.
struct ScriptedBuild {
  std::chrono::nanoseconds duration{0};  // from when a worker begins it
  detail::CompileResult result;
  bool hangs = false;  // is never done: its worker is lost until the job is cancelled

  static ScriptedBuild giving(std::chrono::nanoseconds duration, std::vector<unsigned char> binary) {
    return {duration, {std::move(binary), {}}, false};
  }
  static ScriptedBuild failing(std::chrono::nanoseconds duration, std::string log) {
    return {duration, {{}, std::move(log)}, false};
  }
  static ScriptedBuild hanging() { return {{}, {}, true}; }
};

/// A number of virtual workers build the jobs, each worker one at a time, begun in the order of submission and as soon
/// as a worker is free: time passes for them whether or not anybody steps. What is done by now is handed over by
/// step(), one job a step, in the order in which jobs were done; those done at the same time, in the order of
/// submission.
/// Thread safety: internally synchronised; no lock is held while the script or a `done` function runs.
class ScriptedCompileService final : public detail::CompileService, public detail::BackgroundTask {
 public:
  /// Asked once a job, when it is submitted.
  using Script = std::function<ScriptedBuild(const detail::CompileJob&)>;

  /// The clock must outlive the service. Throws std::invalid_argument if there are no workers.
  ScriptedCompileService(const detail::Clock& clock, std::size_t workers, Script script);

  /// Throws std::invalid_argument if the script gives a negative duration.
  void submit(const void* owner, detail::CompileJob job, Done done) override;
  /// Drops what is queued, being built or waiting to be handed over; workers that are freed go on with other jobs at
  /// once. Waits for the owner's `done` if it is running. REQUIRES: not called from the owner's own `done`
  void cancel(const void* owner) override;

  bool step() override;

  /// When the next job is done or, for one that waits to be handed over, when it was. Empty if there is none, or none
  /// but such that hang or wait behind them.
  std::optional<std::int64_t> nextDoneNs();

  std::size_t queued();    // no worker has begun them
  std::size_t building();  // those that hang included
  std::size_t finished();  // wait to be handed over

 private:
  struct Job {
    const void* owner;
    Done done;
    ScriptedBuild build;
    std::int64_t doneNs = 0;  // once it is being built
  };

  // With the lock held:
  void catchUp();
  void beginQueued(std::int64_t nowNs);
  std::deque<Job>::iterator firstDone();

  const detail::Clock& clock_;
  const std::size_t workers_;
  const Script script_;

  std::mutex mutex_;
  std::condition_variable stepDone_;
  std::deque<Job> queued_;
  std::deque<Job> building_;  // in the order in which they were begun, which is that of submission
  std::deque<Job> finished_;
  const void* handingOver_ = nullptr;  // the owner whose `done` is running
};

}  // namespace hone::test
