// Device times of events, for the three calls.

#include "opencl/error.h"

namespace hone::opencl {

namespace {

cl_device_id deviceOf(cl_event event) {
  cl_command_queue queue = nullptr;
  detail::check(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, nullptr), "clGetEventInfo");
  if (!queue) throw UsageError("elapsed: a user event has no device time");
  cl_device_id device = nullptr;
  detail::check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr),
                "clGetCommandQueueInfo");
  return device;
}

class DeviceTimes final : public EventTimes {
 public:
  void check(void* first, void* last) const override {
    if (!first || !last) throw UsageError("elapsed: a null event has no device time");
    const cl_device_id device = deviceOf(static_cast<cl_event>(first));
    if (first != last && deviceOf(static_cast<cl_event>(last)) != device)
      throw UsageError("elapsed: the two events are of different devices, whose clocks cannot be compared");
  }

  void retain(void* event) const override { clRetainEvent(static_cast<cl_event>(event)); }
  void release(void* event) const override { clReleaseEvent(static_cast<cl_event>(event)); }

  TimeReading read(void* first, void* last) const override {
    const auto start = static_cast<cl_event>(first);
    const auto end = static_cast<cl_event>(last);
    for (cl_event event : {end, start}) {
      cl_int status = CL_QUEUED;
      if (clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr) != CL_SUCCESS)
        return without(TimeReading::State::broken, "the event cannot be asked for its status");
      if (status < 0) return without(TimeReading::State::failed, "the launch ended with an error");
      if (status != CL_COMPLETE) return {};
      if (start == end) break;
    }
    cl_ulong startNs = 0;
    cl_ulong endNs = 0;
    const cl_int startCode =
        clGetEventProfilingInfo(start, CL_PROFILING_COMMAND_START, sizeof(startNs), &startNs, nullptr);
    const cl_int endCode = clGetEventProfilingInfo(end, CL_PROFILING_COMMAND_END, sizeof(endNs), &endNs, nullptr);
    if (startCode != CL_SUCCESS || endCode != CL_SUCCESS)
      return without(TimeReading::State::broken, "the event has no times; its queue needs CL_QUEUE_PROFILING_ENABLE");
    if (startNs == 0 || endNs == 0) return without(TimeReading::State::broken, "the event's timestamps are zero");
    if (endNs <= startNs) return without(TimeReading::State::broken, "the event's end is not after its start");
    TimeReading reading;
    reading.state = TimeReading::State::known;
    reading.ns = static_cast<double>(endNs - startNs);
    return reading;
  }

 private:
  static TimeReading without(TimeReading::State state, const char* reason) {
    TimeReading reading;
    reading.state = state;
    reading.reason = reason;
    return reading;
  }
};

}  // namespace

Elapsed detail::elapsedBetween(cl_event first, cl_event last) {
  static const DeviceTimes deviceTimes;
  return {&deviceTimes, first, last};
}

void Event::wait() const { detail::check(clWaitForEvents(1, &event_), "clWaitForEvents"); }

}  // namespace hone::opencl
