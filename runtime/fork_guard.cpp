#include "fork_guard.h"

#include <pthread.h>

#include <atomic>

namespace hone::detail {

namespace {

/// The one thing in the library that a process has once: how many forks lie between this process and the one that
/// loaded the library. A comparison of process ids would be a system call in every launch.
std::atomic<std::uint64_t> forks{0};

}  // namespace

ForkGuard::ForkGuard() {
  static const int isRegistered [[maybe_unused]] =
      pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  forks_ = forks.load(std::memory_order_relaxed);
}

bool ForkGuard::isForkedChild() const { return forks.load(std::memory_order_relaxed) != forks_; }

}  // namespace hone::detail
