#include "opencl/profiling_queues.h"

#include <algorithm>

#include "opencl/error.h"

namespace hone::opencl::detail {

namespace {

// More than programs have; one that makes a queue for each task does not keep a stand-in for each of them.
constexpr std::size_t kMaximumStandIns = 32;

constexpr std::size_t kScratchBytes = 4;  // what every device can fill

cl_command_queue_properties propertiesOf(cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof(properties), &properties, nullptr),
        "clGetCommandQueueInfo");
  return properties;
}

SharedQueue makeQueue(cl_context context, cl_device_id device, cl_command_queue_properties properties) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_int code = CL_SUCCESS;
  OwnedQueue queue(clCreateCommandQueueWithProperties(context, device, list, &code));
  check(code, "clCreateCommandQueueWithProperties");
  return queue;
}

}  // namespace

std::optional<ProfilingQueues::StandIn> ProfilingQueues::standInFor(cl_command_queue queue) {
  // Asked each time: the queue of the same handle that was asked before may be gone.
  const cl_command_queue_properties properties = propertiesOf(queue);
  if ((properties & CL_QUEUE_PROFILING_ENABLE) != 0) return std::nullopt;
  const cl_command_queue_properties order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  const bool isOutOfOrder = order != 0;

  const std::lock_guard<std::mutex> lock(mutex_);
  auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == queue; });
  if (found == entries_.end() || found->standIn.isOutOfOrder != isOutOfOrder) {
    SharedQueue made = makeQueue(context_, device_, order | CL_QUEUE_PROFILING_ENABLE);
    if (found == entries_.end()) {
      if (entries_.size() == kMaximumStandIns) entries_.pop_back();
      found = entries_.insert(entries_.end(), {queue, {}});
    }
    found->standIn = {std::move(made), isOutOfOrder};
  }
  std::rotate(entries_.begin(), found, found + 1);
  return entries_.front().standIn;
}

cl_mem ProfilingQueues::scratch() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!scratch_) {
    cl_int code = CL_SUCCESS;
    scratch_.reset(clCreateBuffer(context_, CL_MEM_READ_WRITE, kScratchBytes, nullptr, &code));
    check(code, "clCreateBuffer");
  }
  return scratch_.get();
}

}  // namespace hone::opencl::detail
