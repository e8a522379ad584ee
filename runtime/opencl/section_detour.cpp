#include "opencl/section_detour.h"

#include "opencl/error.h"

namespace hone::opencl::detail {

SectionDetour::SectionDetour(ProfilingQueues& queues, ProfilingQueues::StandIn standIn, cl_command_queue applications)
    : detour_(queues, std::move(standIn), Launch(applications)) {
  check(clEnqueueBarrierWithWaitList(queue(), static_cast<cl_uint>(detour_.waitCount()), detour_.waitFor(), nullptr),
        "clEnqueueBarrierWithWaitList");
}

SectionDetour::~SectionDetour() {
  cl_event event = nullptr;
  if (clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &event) == CL_SUCCESS) {
    detour_.end(Event(event));
  } else {
    clFinish(queue());  // that is in order, too
  }
}

}  // namespace hone::opencl::detail
