#include "opencl/detour.h"

#include "opencl/error.h"

namespace hone::opencl::detail {

namespace {

/// Ends once all that the queue has to run before the launch has ended.
Event eventBefore(ProfilingQueues& queues, cl_command_queue queue, bool isOutOfOrder) {
  cl_event event = nullptr;
  if (!isOutOfOrder) {
    check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event), "clEnqueueMarkerWithWaitList");
  } else {
    // A command like any other, which waits for barriers alone. A marker with a list should do so, too, but PoCL (3.1)
    // has it wait for all commands before it, and the application may let one of those wait for this launch.
    constexpr cl_uchar nothing = 0;
    check(
        clEnqueueFillBuffer(queue, queues.scratch(), &nothing, sizeof(nothing), 0, sizeof(nothing), 0, nullptr, &event),
        "clEnqueueFillBuffer");
  }
  return Event(event);
}

}  // namespace

Detour::Detour(ProfilingQueues& queues, ProfilingQueues::StandIn standIn, const Launch& launch)
    : standIn_(std::move(standIn)),
      applications_(launch.queue()),
      before_(eventBefore(queues, applications_, standIn_.isOutOfOrder)),
      waitFor_(launch.waitFor().begin(), launch.waitFor().end()) {
  waitFor_.push_back(before_());
  // What waits for another queue's event may wait for ever unless that queue is flushed. Events of the wait list that
  // are of this queue are flushed with it; for those of others the application has to care, as without us.
  check(clFlush(applications_), "clFlush");
}

void Detour::end(const Event& launch) noexcept {
  const cl_event event = launch();
  const auto enqueueAfter = standIn_.isOutOfOrder ? clEnqueueMarkerWithWaitList : clEnqueueBarrierWithWaitList;
  // Nobody else flushes the stand-in: the application does not know of it.
  const bool isInOrder =
      clFlush(queue()) == CL_SUCCESS && enqueueAfter(applications_, 1, &event, nullptr) == CL_SUCCESS;
  if (!isInOrder) clWaitForEvents(1, &event);  // where that fails as well, the device is lost
}

}  // namespace hone::opencl::detail
