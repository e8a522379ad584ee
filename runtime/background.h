// The one thread off the launch path.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "fork_guard.h"

namespace hone::detail {

/// What a task waits for, beside Background::wake().
struct Waits {
  std::vector<pollfd> descriptors;
  std::optional<std::chrono::nanoseconds> time;  // from now; empty: for ever
  bool isBusy = false;                           // somebody is at work for the task

  void addTime(std::optional<std::chrono::nanoseconds> other) {
    if (other && (!time || *other < *time)) time = other;
  }
};

/// Work that is done in steps, off the launch path.
class BackgroundTask {
 public:
  virtual ~BackgroundTask() = default;
  /// Does one piece of work; returns whether there was any.
  virtual bool step() = 0;
  /// Asked when no task had work.
  virtual void addWaits(Waits&) {}
};

/// Runs the steps of its tasks on a thread of its own, started with the first wake(), or on the thread of whoever calls
/// step(). Sleeps while no task has work. In a forked child it does nothing.
/// Thread safety: internally synchronised. Steps run one at a time, with no lock held.
class Background {
 public:
  enum class Driver {
    ownThread,
    steps
  };

  explicit Background(Driver driver);
  /// Waits for the step in progress.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void add(BackgroundTask& task);
  /// Waits for this task's step in progress, if any; the task is not touched afterwards.
  void remove(BackgroundTask& task);

  /// There may be work. Cheap where the thread is awake; never waits for a step.
  void wake();

  /// Waits until the thread sleeps, having found no work in any task, and nobody is at work for one. Returns at once
  /// where there is no thread.
  void waitUntilIdle();

  /// One step of every task; returns whether any had work.
  bool step();

 private:
  struct State;
  void run();
  void sleep();
  Waits gatherWaits();

  const Driver driver_;
  const ForkGuard forkGuard_;
  std::atomic<bool> isAwake_{false};
  std::unique_ptr<State> state_;
};

}  // namespace hone::detail
