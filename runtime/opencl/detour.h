// A launch that is measured although its queue gives no times: it takes a way round by a queue that does.
//
//   the application's queue   ... before, marker             barrier, after ...
//   its stand-in                              \-> launch ->/
//
// In-order queues keep their order that way, and whoever waits for the application's queue waits for the launch. In an
// out-of-order queue events alone make an order, but for barriers: what stands there for the first marker waits for
// earlier barriers and for nothing else, and a second marker in the barrier's place holds nothing up, but later
// barriers and clFinish wait for it.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>

#include "hone/opencl/launch.h"
#include "opencl/profiling_queues.h"

namespace hone::opencl::detail {

/// One such launch: a Detour, the launch, end(). None of it waits for a command.
///
/// Between the two, another thread's command may slip into the application's queue and run beside the launch.
/// Thread safety: externally synchronised.
class Detour {
 public:
  /// Enqueues what comes before the launch. Throws Error if the driver refuses; a launch on the application's queue is
  /// in order then, too. `standIn` is that of the launch's queue.
  Detour(ProfilingQueues& queues, ProfilingQueues::StandIn standIn, const Launch& launch);
  Detour(const Detour&) = delete;
  Detour& operator=(const Detour&) = delete;

  /// Where, and after which events, to launch.
  cl_command_queue queue() const { return standIn_.queue.get(); }
  const cl_event* waitFor() const { return waitFor_.data(); }
  std::size_t waitCount() const { return waitFor_.size(); }

  /// Enqueues what comes after the launch. Where the driver refuses that, it waits for the launch: that is in order,
  /// too, and to launch once more would not be.
  void end(const Event& launch) noexcept;

 private:
  const ProfilingQueues::StandIn standIn_;
  const cl_command_queue applications_;
  const Event before_;
  boost::container::small_vector<cl_event, 8> waitFor_;  // most wait lists are short, and then nothing is allocated
};

}  // namespace hone::opencl::detail
