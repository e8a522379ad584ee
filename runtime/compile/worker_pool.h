// The compile service of worker processes.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "clock.h"
#include "compile/compile_service.h"
#include "compile/worker.h"
#include "fork_guard.h"

namespace hone::detail {

struct PoolSettings {
  std::string program;        // hone-worker's path
  std::string obstacle;       // why no worker is to be started; empty: nothing is known against it
  Hello hello;                // what the worker is told first
  std::string slots;          // what all processes of the machine call the device
  std::size_t workers = 1;    // of this pool, at most; 0: the fallback compiles, as it was asked for
  std::size_t slotCount = 1;  // workers of all processes, at most
  std::chrono::nanoseconds jobLimit = std::chrono::seconds(30);
  /// Binaries handed over, each of which is then loaded: `loadsAtOnce` as fast as they come, and over any longer time
  /// one in so long (a leaky bucket).
  std::chrono::nanoseconds loadInterval{0};
  std::int64_t loadsAtOnce = 1;
};

/// Builds in worker processes, which are started when there are jobs for them and ended when there have been none for a
/// while. A worker that crashes or takes too long costs the job at hand, which fails, and is replaced. Where no worker
/// can be had, the jobs go to another service, and the first result says so.
///
/// All that the pool does it does in step(), and never waits there but for a program to be loaded. In a forked child it
/// does nothing.
/// Thread safety: internally synchronised; steps run one at a time. No lock is held while a process is started or a
/// `done` function runs.
class WorkerPool final : public CompileService {
 public:
  /// `fallback` and `clock` outlive the pool.
  WorkerPool(PoolSettings settings, CompileService& fallback, const Clock& clock);

  void submit(const void* owner, CompileJob job, Done done) override;
  /// Ends the workers that build the owner's jobs.
  void cancel(const void* owner) override;
  std::size_t capacity() const override;
  std::size_t building() const override { return building_.load(std::memory_order_relaxed) + fallback_.building(); }

  /// One piece of work; returns whether there was any.
  bool step();

  // ---- when step() has something to do again

  /// Whether a job is queued, being built, or waits to be handed over.
  bool isBusy() const;
  void addWaits(std::vector<pollfd>& waits) const;
  /// Empty: not until something else happens.
  std::optional<std::chrono::nanoseconds> nextEventIn() const;

 private:
  struct Job {
    const void* owner;
    CompileJob job;
    Done done;
  };
  struct Seat {
    Seat(Descriptor socket, const Hello& hello, std::int64_t nowNs)
        : worker(std::move(socket), hello), sinceNs(nowNs) {}
    Worker worker;
    std::optional<Job> job;
    std::int64_t sinceNs;  // in its present state
  };
  struct Finished {
    Job job;
    CompileResult result;
  };
  using Seats = std::list<Seat>;

  // With the lock held:
  bool hearWorkers();
  void countBuilds();
  bool isOver(Seat& seat);
  std::int64_t limitNs(const Seat& seat) const;
  void fail(Seat& seat, const std::string& what);
  bool assignJobs();
  bool needsAnother() const;
  void noteFailedStart(const std::string& reason);
  void passOn(Job job);

  std::int64_t nextLoadNs() const;

  bool startWorker();
  bool handOver();

  const PoolSettings settings_;
  CompileService& fallback_;
  const Clock& clock_;
  const ForkGuard forkGuard_;

  mutable std::mutex mutex_;  // for what follows
  std::condition_variable handedOver_;
  std::deque<Job> queue_;
  Seats seats_;
  std::deque<Finished> finished_;
  std::int64_t loadsPaidUntilNs_ = 0;     // if each had waited for its interval
  const void* handingOver_ = nullptr;     // the owner whose `done` is running
  std::atomic<std::size_t> building_{0};  // seats with a job; read without the lock
  std::size_t limit_;                     // of workers, as far as they can be had; 0: the fallback has the jobs
  bool areSlotsTaken_ = false;
  std::string notice_;
};

}  // namespace hone::detail
