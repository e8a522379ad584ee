#include "background.h"

#include <algorithm>

namespace hone::detail {

Background::~Background() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    isStopping_ = true;
  }
  wakeUp_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Background::add(BackgroundTask& task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tasks_.push_back(&task);
}

void Background::remove(BackgroundTask& task) {
  std::unique_lock<std::mutex> lock(mutex_);
  tasks_.erase(std::remove(tasks_.begin(), tasks_.end(), &task), tasks_.end());
  stepDone_.wait(lock, [&] { return running_ != &task; });
  // The others have moved up, so that a round under way may miss one: there is another round.
  if (!thread_.joinable()) return;
  isAwake_.store(true, std::memory_order_release);
  wakeUp_.notify_one();
}

void Background::wake() {
  if (driver_ == Driver::steps || isAwake_.load(std::memory_order_acquire)) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    isAwake_.store(true, std::memory_order_release);
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  wakeUp_.notify_one();
}

void Background::waitUntilIdle() {
  std::unique_lock<std::mutex> lock(mutex_);
  stepDone_.wait(lock, [this] { return isSleeping_ && !isAwake_.load(std::memory_order_acquire); });
}

bool Background::step() {
  bool hadWork = false;
  std::unique_lock<std::mutex> lock(mutex_);
  for (std::size_t i = 0; !isStopping_; ++i) {
    stepDone_.wait(lock, [this] { return running_ == nullptr; });
    if (i >= tasks_.size()) break;  // asked anew each time: tasks come and go between the steps
    running_ = tasks_[i];
    lock.unlock();
    const bool didWork = running_->step();
    lock.lock();
    hadWork = hadWork || didWork;
    running_ = nullptr;
    stepDone_.notify_all();
  }
  return hadWork;
}

void Background::run() {
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      isSleeping_ = true;
      stepDone_.notify_all();
      wakeUp_.wait(lock, [this] { return isStopping_ || isAwake_.load(std::memory_order_acquire); });
      if (isStopping_) return;
      isSleeping_ = false;
    }
    // Cleared before the steps: whoever has work for a task that was just passed wakes the thread once more.
    isAwake_.store(false, std::memory_order_release);
    if (step()) isAwake_.store(true, std::memory_order_release);
  }
}

}  // namespace hone::detail
