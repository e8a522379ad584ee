// The one thread off the launch path.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace hone::detail {

/// Work that is done in steps, off the launch path.
class BackgroundTask {
 public:
  virtual ~BackgroundTask() = default;
  /// Does one piece of work; returns whether there was any.
  virtual bool step() = 0;
};

/// Runs the steps of its tasks on a thread of its own, started with the first wake(), or on the thread of whoever calls
/// step(). Sleeps while no task has work.
/// Thread safety: internally synchronised. Steps run one at a time, with no lock held.
class Background {
 public:
  enum class Driver {
    ownThread,
    steps
  };

  explicit Background(Driver driver) : driver_(driver) {}
  /// Waits for the step in progress.
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void add(BackgroundTask& task);
  /// Waits for this task's step in progress, if any; the task is not touched afterwards.
  void remove(BackgroundTask& task);

  /// There may be work. Cheap where the thread is awake; never waits for a step.
  void wake();

  /// Waits until the thread sleeps, having found no work in any task. Returns at once where there is no thread.
  void waitUntilIdle();

  /// One step of every task; returns whether any had work.
  bool step();

 private:
  void run();

  const Driver driver_;
  std::atomic<bool> isAwake_{false};

  std::mutex mutex_;  // for what follows; held for moments only, since launches take it in wake()
  std::condition_variable wakeUp_;
  std::condition_variable stepDone_;  // or the thread has gone to sleep
  std::vector<BackgroundTask*> tasks_;
  BackgroundTask* running_ = nullptr;
  bool isSleeping_ = true;  // the thread, or there is none yet
  bool isStopping_ = false;
  std::thread thread_;
};

}  // namespace hone::detail
