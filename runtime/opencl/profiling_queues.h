// Queues of the runtime's own that give times, for launches whose own queue gives none.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "opencl/handle.h"

namespace hone::opencl::detail {

using SharedQueue = std::shared_ptr<std::remove_pointer_t<cl_command_queue>>;

/// Gives each of the application's queues a stand-in of its own, in order or out of order as that is. With one in-order
/// queue for all of them, a launch of one that waits for something would hold up launches of the others, which would
/// not have waited; and not every driver has queues that run out of order.
///
/// Thread safety: internally synchronised; the lock is held while a stand-in is made, which happens once a queue.
class ProfilingQueues {
 public:
  ProfilingQueues(cl_context context, cl_device_id device) : context_(context), device_(device) {}

  struct StandIn {
    SharedQueue queue;
    bool isOutOfOrder;
  };
  /// Empty where the queue has profiling itself. Throws Error if the driver cannot make a queue.
  std::optional<StandIn> standInFor(cl_command_queue queue);

  /// A few bytes that mean nothing, for a command that has to do something. Throws Error if there is no memory.
  cl_mem scratch();

  /// Whether this is the first time that it is asked: what goes wrong with each launch is told once.
  bool isToBeTold() { return !wasTold_.exchange(true); }

 private:
  /// Most recently used first. The application's queue is a key and no more: it may be gone, and its handle another
  /// queue's. A stand-in is idle then, for its launches are waited for by commands of the queue that it stands in for.
  struct Entry {
    cl_command_queue key;
    StandIn standIn;
  };

  const cl_context context_;
  const cl_device_id device_;
  std::atomic<bool> wasTold_{false};
  std::mutex mutex_;  // for what follows
  std::vector<Entry> entries_;
  OwnedMemory scratch_;
};

}  // namespace hone::opencl::detail
