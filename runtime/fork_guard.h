// Whether this process is a child that the application forked.
#pragma once

#include <cstdint>

namespace hone::detail {

/// A forked child has copies of the library's objects, but none of its threads, and shares sockets with its parent:
/// what was made before the fork must do nothing there. Telling costs a load: launches ask.
/// Thread safety: immutable.
class ForkGuard {
 public:
  ForkGuard();
  /// Whether the process was forked since the guard was made.
  bool isForkedChild() const;

 private:
  std::uint64_t forks_;
};

}  // namespace hone::detail
