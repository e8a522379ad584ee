#include "background.h"

#include <algorithm>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "wake_channel.h"

namespace hone::detail {

namespace {

// How long to wait for descriptors where nobody can wake the thread, since the process has no descriptors left for it.
constexpr std::chrono::milliseconds kDeafSleep(10);

/// Not less than the time, as poll() takes it.
int wholeMilliseconds(std::chrono::nanoseconds time) {
  const auto whole = std::chrono::ceil<std::chrono::milliseconds>(time).count();
  return static_cast<int>(std::min<std::int64_t>(whole, INT_MAX));
}

}  // namespace

/// On the heap, so that a forked child can leave it alone: the thread does not exist there, so that it can be neither
/// joined nor woken, and destroying a condition variable that it waits for would wait for it.
struct Background::State {
  std::mutex mutex;  // for what follows; held for moments only, since launches take it in wake()
  std::condition_variable wakeUp;
  std::condition_variable stepDone;  // or the thread has gone to sleep
  std::vector<BackgroundTask*> tasks;
  BackgroundTask* running = nullptr;
  bool isSleeping = true;  // the thread, or there is none yet
  bool isBusy = false;     // somebody else, while it sleeps
  bool isStopping = false;
  std::unique_ptr<WakeChannel> channel;  // while it sleeps so that descriptors can wake it, too
  std::thread thread;

  /// With the lock held.
  void notify() {
    wakeUp.notify_one();
    if (channel) channel->signal();
  }
};

Background::Background(Driver driver) : driver_(driver), state_(std::make_unique<State>()) {}

Background::~Background() {
  if (forkGuard_.isForkedChild()) {
    state_.release();
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->isStopping = true;
    state_->notify();
  }
  if (state_->thread.joinable()) state_->thread.join();
}

void Background::add(BackgroundTask& task) {
  if (forkGuard_.isForkedChild()) return;
  const std::lock_guard<std::mutex> lock(state_->mutex);
  state_->tasks.push_back(&task);
}

void Background::remove(BackgroundTask& task) {
  if (forkGuard_.isForkedChild()) return;
  std::unique_lock<std::mutex> lock(state_->mutex);
  std::vector<BackgroundTask*>& tasks = state_->tasks;
  tasks.erase(std::remove(tasks.begin(), tasks.end(), &task), tasks.end());
  state_->stepDone.wait(lock, [&] { return state_->running != &task; });
  // The others have moved up, so that a round under way may miss one: there is another round.
  if (!state_->thread.joinable()) return;
  isAwake_.store(true, std::memory_order_release);
  state_->notify();
}

void Background::wake() {
  if (driver_ == Driver::steps || isAwake_.load(std::memory_order_acquire) || forkGuard_.isForkedChild()) return;
  const std::lock_guard<std::mutex> lock(state_->mutex);
  isAwake_.store(true, std::memory_order_release);
  if (!state_->thread.joinable()) state_->thread = std::thread([this] { run(); });
  state_->notify();
}

void Background::waitUntilIdle() {
  if (forkGuard_.isForkedChild()) return;
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->stepDone.wait(
      lock, [this] { return state_->isSleeping && !state_->isBusy && !isAwake_.load(std::memory_order_acquire); });
}

bool Background::step() {
  if (forkGuard_.isForkedChild()) return false;
  bool hadWork = false;
  std::unique_lock<std::mutex> lock(state_->mutex);
  for (std::size_t i = 0; !state_->isStopping; ++i) {
    state_->stepDone.wait(lock, [this] { return state_->running == nullptr; });
    if (i >= state_->tasks.size()) break;  // asked anew each time: tasks come and go between the steps
    BackgroundTask* const task = state_->running = state_->tasks[i];
    lock.unlock();
    const bool didWork = task->step();
    lock.lock();
    hadWork = hadWork || didWork;
    state_->running = nullptr;
    state_->stepDone.notify_all();
  }
  return hadWork;
}

void Background::run() {
  for (;;) {
    sleep();
    {
      const std::lock_guard<std::mutex> lock(state_->mutex);
      if (state_->isStopping) return;
      state_->isSleeping = false;
    }
    // Cleared before the steps: whoever has work for a task that was just passed wakes the thread once more.
    isAwake_.store(false, std::memory_order_release);
    if (step()) isAwake_.store(true, std::memory_order_release);
  }
}

/// Until there may be work: it is woken, or what a task waits for has happened.
void Background::sleep() {
  if (isAwake_.load(std::memory_order_acquire)) return;
  Waits waits = gatherWaits();
  std::unique_lock<std::mutex> lock(state_->mutex);
  state_->isSleeping = true;
  state_->isBusy = waits.isBusy;
  state_->stepDone.notify_all();
  const auto isWoken = [this] { return state_->isStopping || isAwake_.load(std::memory_order_acquire); };
  if (isWoken()) return;
  if (waits.descriptors.empty()) {
    if (waits.time) {
      state_->wakeUp.wait_for(lock, *waits.time, isWoken);
    } else {
      state_->wakeUp.wait(lock, isWoken);
    }
    return;
  }
  state_->channel = std::make_unique<WakeChannel>();
  waits.descriptors.push_back({state_->channel->descriptor(), POLLIN, 0});
  if (state_->channel->descriptor() < 0) waits.addTime(kDeafSleep);
  lock.unlock();
  poll(waits.descriptors.data(), waits.descriptors.size(), waits.time ? wholeMilliseconds(*waits.time) : -1);
  lock.lock();
  state_->channel.reset();
}

Waits Background::gatherWaits() {
  Waits waits;
  std::unique_lock<std::mutex> lock(state_->mutex);
  for (std::size_t i = 0; !state_->isStopping; ++i) {
    state_->stepDone.wait(lock, [this] { return state_->running == nullptr; });
    if (i >= state_->tasks.size()) break;
    BackgroundTask* const task = state_->running = state_->tasks[i];
    lock.unlock();
    task->addWaits(waits);
    lock.lock();
    state_->running = nullptr;
    state_->stepDone.notify_all();
  }
  return waits;
}

}  // namespace hone::detail
