#include "compile/worker_pool.h"

#include <algorithm>
#include <exception>

#include "compile/worker_process.h"
#include "compile/worker_slots.h"

namespace hone::detail {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

// A worker holds a device context, 527 MiB on an H200, and takes 0.2 to 0.5 s to start; while a search goes on, the
// next job comes within seconds.
constexpr std::int64_t kIdleLimitNs = 10 * kSecondNs;

// Loading drivers and making a context takes less than a second; on a machine that swaps, longer.
constexpr std::int64_t kStartLimitNs = 30 * kSecondNs;

// A worker that was stopped leaves its slot some milliseconds later. Asking costs two system calls a slot.
constexpr std::chrono::milliseconds kSlotRetry(100);

}  // namespace

WorkerPool::WorkerPool(PoolSettings settings, CompileService& fallback, const Clock& clock)
    : settings_(std::move(settings)), fallback_(fallback), clock_(clock), limit_(settings_.workers) {
  if (!settings_.obstacle.empty()) noteFailedStart(settings_.obstacle);
}

void WorkerPool::submit(const void* owner, CompileJob job, Done done) {
  if (forkGuard_.isForkedChild()) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  Job submitted{owner, std::move(job), std::move(done)};
  if (limit_ == 0) {
    passOn(std::move(submitted));
  } else {
    queue_.push_back(std::move(submitted));
  }
}

/// With the lock held, so that cancel() finds the job in one place or the other.
void WorkerPool::passOn(Job job) {
  const auto done = [this, done = std::move(job.done)](CompileResult result) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      result.notice = std::exchange(notice_, {});
    }
    done(std::move(result));
  };
  fallback_.submit(job.owner, std::move(job.job), done);
}

void WorkerPool::cancel(const void* owner) {
  if (forkGuard_.isForkedChild()) return;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    std::erase_if(queue_, [&](const Job& job) { return job.owner == owner; });
    std::erase_if(finished_, [&](const Finished& finished) { return finished.job.owner == owner; });
    std::erase_if(seats_, [&](const Seat& seat) { return seat.job && seat.job->owner == owner; });
    countBuilds();
    handedOver_.wait(lock, [&] { return handingOver_ != owner; });
  }
  fallback_.cancel(owner);
}

std::size_t WorkerPool::capacity() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return limit_ > 0 ? limit_ : fallback_.capacity();
}

void WorkerPool::countBuilds() {
  const auto isBuilding = [](const Seat& seat) { return seat.job.has_value(); };
  building_.store(static_cast<std::size_t>(std::count_if(seats_.begin(), seats_.end(), isBuilding)),
                  std::memory_order_relaxed);
}

bool WorkerPool::step() {
  if (forkGuard_.isForkedChild()) return false;
  bool hadWork = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    hadWork = hearWorkers();
    hadWork = assignJobs() || hadWork;
    countBuilds();
  }
  hadWork = startWorker() || hadWork;
  return handOver() || hadWork;
}

// ---- what workers say, and what they do not

bool WorkerPool::hearWorkers() {
  bool hadWork = false;
  for (auto seat = seats_.begin(); seat != seats_.end();) {
    const bool wasStarting = seat->worker.state() == Worker::State::starting;
    hadWork = seat->worker.exchange() || hadWork;
    if (wasStarting && seat->worker.state() == Worker::State::idle) seat->sinceNs = clock_.nowNs();
    const auto next = std::next(seat);
    if (isOver(*seat)) {
      // Its slot is free for another only after its death, which the destructor brings about.
      const bool isRefused = seat->worker.state() == Worker::State::refused;
      const std::string reason = seat->worker.reason();
      seats_.erase(seat);
      if (isRefused) noteFailedStart(reason);
      hadWork = true;
    }
    seat = next;
  }
  return hadWork;
}

/// Takes the worker's answer, if there is one; returns whether the worker is to be let go of.
bool WorkerPool::isOver(Seat& seat) {
  if (std::optional<CompileResult> answer = seat.worker.takeAnswer()) {
    finished_.push_back({std::move(*seat.job), std::move(*answer)});
    seat.job.reset();
    seat.sinceNs = clock_.nowNs();
  }
  switch (seat.worker.state()) {
    case Worker::State::refused: return true;
    case Worker::State::gone:
      if (seat.job) fail(seat, "the compile worker died: " + seat.worker.reason());
      return true;
    case Worker::State::stolen:  // the candidate is not to blame
      if (seat.job) queue_.push_front(std::move(*seat.job));
      return true;
    case Worker::State::starting:
    case Worker::State::idle:
    case Worker::State::building: break;
  }
  if (clock_.nowNs() - seat.sinceNs < limitNs(seat)) return false;
  const std::string limit = std::to_string(limitNs(seat) / kSecondNs) + " s";
  if (seat.job) {
    fail(seat, "the compiler was stopped: it took longer than " + limit);
  } else {
    seat.worker.giveUp("it did not answer within " + limit);
  }
  return true;
}

std::int64_t WorkerPool::limitNs(const Seat& seat) const {
  if (seat.job) return settings_.jobLimit.count();
  return seat.worker.state() == Worker::State::starting ? kStartLimitNs : kIdleLimitNs;
}

void WorkerPool::fail(Seat& seat, const std::string& what) {
  CompileResult result;
  result.death = seat.worker.wouldDie();
  result.log = what + (result.death == CompileResult::Death::warmingUp ? ", in the warm-up launch" : "");
  finished_.push_back({std::move(*seat.job), std::move(result)});
  seat.job.reset();
}

// ---- jobs and workers

bool WorkerPool::assignJobs() {
  bool hasAssigned = false;
  for (Seat& seat : seats_) {
    if (queue_.empty()) break;
    if (seat.job || seat.worker.state() != Worker::State::idle) continue;
    seat.job = std::move(queue_.front());
    queue_.pop_front();
    seat.sinceNs = clock_.nowNs();
    seat.worker.begin(seat.job->job);
    hasAssigned = true;
  }
  return hasAssigned;
}

bool WorkerPool::needsAnother() const {
  if (seats_.size() >= limit_) return false;
  const auto isFree = [](const Seat& seat) { return !seat.job; };
  return queue_.size() > static_cast<std::size_t>(std::count_if(seats_.begin(), seats_.end(), isFree));
}

bool WorkerPool::startWorker() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!needsAnother()) return false;
  }
  Descriptor socket;
  std::string failure;
  bool hasSlot = true;
  try {
    if (const std::optional<Descriptor> slot = takeSlot(settings_.slots, settings_.slotCount)) {
      socket = startProcess(settings_.program, *slot);
    } else {
      hasSlot = false;
    }
  } catch (const std::exception& error) {
    failure = error.what();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  areSlotsTaken_ = !hasSlot;
  if (!hasSlot) return false;
  if (failure.empty()) {
    seats_.emplace_back(std::move(socket), settings_.hello, clock_.nowNs());
  } else {
    noteFailedStart(failure);
  }
  return true;
}

/// What was in the way mostly stays there: so many workers as there are have to do. Without any, the other service
/// compiles from now on.
void WorkerPool::noteFailedStart(const std::string& reason) {
  limit_ = seats_.size();
  if (limit_ > 0) return;
  notice_ = "there is no compile worker (" + reason +
            "): candidates are compiled by a thread of this process, for which launches may have to wait";
  for (Job& job : std::exchange(queue_, {})) passOn(std::move(job));
}

std::int64_t WorkerPool::nextLoadNs() const {
  return loadsPaidUntilNs_ - (settings_.loadsAtOnce - 1) * settings_.loadInterval.count();
}

bool WorkerPool::handOver() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (finished_.empty() || clock_.nowNs() < nextLoadNs()) return false;
  Finished finished = std::move(finished_.front());
  finished_.pop_front();
  handingOver_ = finished.job.owner;
  lock.unlock();
  const bool isLoaded = !finished.result.binary.empty();
  finished.job.done(std::move(finished.result));
  lock.lock();
  if (isLoaded) loadsPaidUntilNs_ = std::max(loadsPaidUntilNs_, clock_.nowNs()) + settings_.loadInterval.count();
  handingOver_ = nullptr;
  handedOver_.notify_all();
  return true;
}

// ---- when there is something to do again

bool WorkerPool::isBusy() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !queue_.empty() || !finished_.empty() || building_.load(std::memory_order_relaxed) > 0;
}

void WorkerPool::addWaits(std::vector<pollfd>& waits) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Seat& seat : seats_) {
    const int events = POLLIN | (seat.worker.isSending() ? POLLOUT : 0);
    waits.push_back({seat.worker.socket(), static_cast<short>(events), 0});
  }
}

std::optional<std::chrono::nanoseconds> WorkerPool::nextEventIn() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::optional<std::chrono::nanoseconds> soonest;
  const auto add = [&](std::chrono::nanoseconds time) { soonest = std::min(soonest.value_or(time), time); };
  for (const Seat& seat : seats_)
    add(std::chrono::nanoseconds(std::max<std::int64_t>(0, seat.sinceNs + limitNs(seat) - clock_.nowNs())));
  if (areSlotsTaken_ && !queue_.empty()) add(kSlotRetry);
  if (!finished_.empty()) add(std::chrono::nanoseconds(std::max<std::int64_t>(0, nextLoadNs() - clock_.nowNs())));
  return soonest;
}

}  // namespace hone::detail
