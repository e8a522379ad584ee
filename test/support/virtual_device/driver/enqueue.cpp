#include "support/virtual_device/driver/enqueue.h"

namespace hone::test::driver {

Enqueue::Enqueue(Call& call, cl_command_queue queue, cl_uint waitCount, const cl_event* waitList, cl_event* event)
    : call_(call), event_(event) {
  if (call.fault() != CL_SUCCESS) {
    status_ = call.fault();
    return;
  }
  queue_ = call->find<Queue>(queue);
  if (!queue_) {
    status_ = CL_INVALID_COMMAND_QUEUE;
    return;
  }
  if ((waitCount > 0) != (waitList != nullptr)) status_ = CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < waitCount && status_ == CL_SUCCESS; ++i) {
    Event* on = call->find<Event>(waitList[i]);
    if (!on) {
      status_ = CL_INVALID_EVENT_WAIT_LIST;
    } else if (on->context.get() != queue_->context.get()) {
      status_ = CL_INVALID_CONTEXT;
    } else {
      waitList_.push_back(on);
    }
  }
  if (status_ == CL_SUCCESS && queue_->device.isLost) status_ = CL_OUT_OF_RESOURCES;
}

Event* Enqueue::makeCommand(cl_command_type type) const { return call_->make<Event>(*queue_->context, queue_, type); }

cl_int Enqueue::submit(Event* command, bool isBlocking, Order order) {
  if (event_) *event_ = handleOf<cl_event>(command);
  const Hold<Event> held(command);
  call_->enqueue(command, waitList_, order);
  if (isBlocking) {
    call_->flush(*queue_);
    call_->waitFor(command, call_.lock());
  }
  const cl_int status = command->status;
  if (!event_) call_->release(command);
  return isBlocking && status < 0 ? status : CL_SUCCESS;
}

}  // namespace hone::test::driver
