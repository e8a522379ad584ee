// Events: waiting, asking, user events; and the commands that are nothing but events, markers and barriers.

#include <algorithm>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/enqueue.h"

namespace hone::test::driver {

namespace {

cl_int CL_API_CALL waitForEvents(cl_uint count, const cl_event* handles) {
  Call call("clWaitForEvents");
  call.countBlocking();
  if (call.fault() != CL_SUCCESS) return call.fault();
  if (count == 0 || !handles) return CL_INVALID_VALUE;
  std::vector<Hold<Event>> events;
  for (cl_uint i = 0; i < count; ++i) {
    Event* event = call->find<Event>(handles[i]);
    if (!event) return CL_INVALID_EVENT;
    if (event->context.get() != (events.empty() ? event : events[0].get())->context.get()) return CL_INVALID_CONTEXT;
    events.emplace_back(event);
  }
  bool isFailed = false;
  for (const Hold<Event>& event : events) {
    if (event->queue) call->flush(*event->queue);
  }
  for (const Hold<Event>& event : events) {
    call->waitFor(event.get(), call.lock());
    isFailed |= event->status < 0;
  }
  return isFailed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

cl_int CL_API_CALL getEventInfo(cl_event handle, cl_event_info what, std::size_t size, void* value,
                                std::size_t* sizeNeeded) {
  Call call("clGetEventInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Event* event = call->find<Event>(handle);
  if (!event) return CL_INVALID_EVENT;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_EVENT_COMMAND_QUEUE: return answer.of(handleOf<cl_command_queue>(event->queue.get()));
    case CL_EVENT_CONTEXT: return answer.of(handleOf<cl_context>(event->context.get()));
    case CL_EVENT_COMMAND_TYPE: return answer.of(event->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: return answer.of(event->status);
    case CL_EVENT_REFERENCE_COUNT: return answer.of(cl_uint{event->references});
    default: return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL retainEvent(cl_event handle) {
  Call call("clRetainEvent");
  Event* event = call->find<Event>(handle);
  if (!event) return CL_INVALID_EVENT;
  call->retain(event);
  return CL_SUCCESS;
}

cl_int CL_API_CALL releaseEvent(cl_event handle) {
  Call call("clReleaseEvent");
  Event* event = call->find<Event>(handle);
  if (!event) return CL_INVALID_EVENT;
  if (event->references == 1 && event->type == CL_COMMAND_USER && !event->dependents.empty())
    call->reportViolation("a user event is released that commands still wait for");
  call->release(event);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getProfilingInfo(cl_event handle, cl_profiling_info what, std::size_t size, void* value,
                                    std::size_t* sizeNeeded) {
  Call call("clGetEventProfilingInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Event* event = call->find<Event>(handle);
  if (!event) return CL_INVALID_EVENT;
  if (!event->queue || !event->queue->isProfiling() || event->status != CL_COMPLETE)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  std::int64_t ns = 0;
  switch (what) {
    case CL_PROFILING_COMMAND_QUEUED: ns = event->queuedNs; break;
    case CL_PROFILING_COMMAND_SUBMIT: ns = event->submitNs; break;
    case CL_PROFILING_COMMAND_START: ns = event->startNs; break;
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE: ns = event->endNs; break;
    default: return CL_INVALID_VALUE;
  }
  const bool isEnd = what == CL_PROFILING_COMMAND_END || what == CL_PROFILING_COMMAND_COMPLETE;
  if (event->brokenTimestamps) {
    switch (*event->brokenTimestamps) {
      case Timestamps::zero: ns = 0; break;
      case Timestamps::startZero: ns = what == CL_PROFILING_COMMAND_START ? 0 : ns; break;
      case Timestamps::reversed: ns = isEnd ? event->startNs - 1 : ns; break;
      case Timestamps::untouched: return CL_SUCCESS;
      case Timestamps::unavailable: return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
  }
  const std::int64_t resolution = event->queue->device.description.timerResolutionNs;
  return Answer{size, value, sizeNeeded}.of(static_cast<cl_ulong>(ns / resolution * resolution));
}

cl_event CL_API_CALL createUserEvent(cl_context handle, cl_int* code) {
  Call call("clCreateUserEvent");
  if (call.fault() != CL_SUCCESS) return give<cl_event>(code, call.fault());
  Context* context = call->find<Context>(handle);
  if (!context) return give<cl_event>(code, CL_INVALID_CONTEXT);
  Event* event = call->make<Event>(*context, nullptr, CL_COMMAND_USER);
  event->status = CL_SUBMITTED;
  return give(code, CL_SUCCESS, handleOf<cl_event>(event));
}

cl_int CL_API_CALL setUserEventStatus(cl_event handle, cl_int status) {
  Call call("clSetUserEventStatus");
  Event* event = call->find<Event>(handle);
  if (!event || event->type != CL_COMMAND_USER) return CL_INVALID_EVENT;
  if (status > CL_COMPLETE) return CL_INVALID_VALUE;
  if (event->hasEnded()) return CL_INVALID_OPERATION;
  call->end(event, status);
  call->settle();
  return CL_SUCCESS;
}

cl_int CL_API_CALL setEventCallback(cl_event handle, cl_int at, void(CL_CALLBACK* function)(cl_event, cl_int, void*),
                                    void* data) {
  Call call("clSetEventCallback");
  Event* event = call->find<Event>(handle);
  if (!event) return CL_INVALID_EVENT;
  if (!function || at < CL_COMPLETE || at > CL_SUBMITTED) return CL_INVALID_VALUE;
  if (event->status <= at) {
    call->addDueCallback({function, data, at}, event, event->status < 0 ? event->status : at);
  } else {
    event->callbacks.push_back({function, data, at});
  }
  return CL_SUCCESS;
}

cl_int enqueueEvent(const char* name, cl_command_type type, Order order, cl_command_queue queue, cl_uint waitCount,
                    const cl_event* waitList, cl_event* event) {
  Call call(name);
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  return enqueue.submit(enqueue.makeCommand(type), false, order);
}

cl_int CL_API_CALL markerWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
  return enqueueEvent("clEnqueueMarkerWithWaitList", CL_COMMAND_MARKER, Order::marker, queue, count, list, event);
}
cl_int CL_API_CALL barrierWithWaitList(cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
  return enqueueEvent("clEnqueueBarrierWithWaitList", CL_COMMAND_BARRIER, Order::barrier, queue, count, list, event);
}
cl_int CL_API_CALL marker(cl_command_queue queue, cl_event* event) {
  if (!event) return CL_INVALID_VALUE;
  return enqueueEvent("clEnqueueMarker", CL_COMMAND_MARKER, Order::marker, queue, 0, nullptr, event);
}
cl_int CL_API_CALL barrier(cl_command_queue queue) {
  return enqueueEvent("clEnqueueBarrier", CL_COMMAND_BARRIER, Order::barrier, queue, 0, nullptr, nullptr);
}
cl_int CL_API_CALL waitForEventsOnDevice(cl_command_queue queue, cl_uint count, const cl_event* list) {
  if (count == 0) return CL_INVALID_VALUE;
  return enqueueEvent("clEnqueueWaitForEvents", CL_COMMAND_BARRIER, Order::barrier, queue, count, list, nullptr);
}

}  // namespace

void addEventCalls(cl_icd_dispatch& table) {
  table.clWaitForEvents = waitForEvents;
  table.clGetEventInfo = getEventInfo;
  table.clRetainEvent = retainEvent;
  table.clReleaseEvent = releaseEvent;
  table.clGetEventProfilingInfo = getProfilingInfo;
  table.clCreateUserEvent = createUserEvent;
  table.clSetUserEventStatus = setUserEventStatus;
  table.clSetEventCallback = setEventCallback;
  table.clEnqueueMarkerWithWaitList = markerWithWaitList;
  table.clEnqueueBarrierWithWaitList = barrierWithWaitList;
  table.clEnqueueMarker = marker;
  table.clEnqueueBarrier = barrier;
  table.clEnqueueWaitForEvents = waitForEventsOnDevice;
}

}  // namespace hone::test::driver
