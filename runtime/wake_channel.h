// Wakes a thread that waits for descriptors.
#pragma once

#include "descriptor.h"

namespace hone::detail {

/// A pair of sockets rather than an eventfd: an application that closes both also wakes the thread, since the poll()
/// under way still holds the waiting end, and sees that the other one is gone.
/// Thread safety: externally synchronised; signal() may be called while the descriptor is waited for.
class WakeChannel {
 public:
  WakeChannel();
  /// Readable after signal(); -1 where the process has no descriptor left.
  int descriptor() const { return waiting_.number(); }
  void signal();

 private:
  Descriptor waiting_;
  Descriptor signalling_;
};

}  // namespace hone::detail
