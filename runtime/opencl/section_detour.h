// A measured section of launches takes a way round by a queue that gives times, as a single launch does (detour.h).
#pragma once

#include "opencl/detour.h"

namespace hone::opencl::detail {

/// Of an in-order queue. What is enqueued on queue() runs after all that the application's queue has by then, and
/// before all that it gets once this object is gone. Nothing here waits for a command. Thread safety: externally
/// synchronised.
class SectionDetour {
 public:
  /// Throws Error if the driver refuses. REQUIRES: the stand-in is in order
  SectionDetour(ProfilingQueues& queues, ProfilingQueues::StandIn standIn, cl_command_queue applications);
  SectionDetour(const SectionDetour&) = delete;
  SectionDetour& operator=(const SectionDetour&) = delete;
  ~SectionDetour();

  cl_command_queue queue() const { return detour_.queue(); }

 private:
  Detour detour_;
};

}  // namespace hone::opencl::detail
