// What all clEnqueue... calls have in common: the wait list, the event, and waiting for it.
#pragma once

#include "support/virtual_device/driver/driver.h"

namespace hone::test::driver {

/// A clEnqueue... call that is about to make a command.
class Enqueue {
 public:
  Enqueue(Call& call, cl_command_queue queue, cl_uint waitCount, const cl_event* waitList, cl_event* event);

  /// CL_SUCCESS, or what is wrong with the call so far. Queue first, then the wait list.
  cl_int status() const { return status_; }
  /// REQUIRES: status() is CL_SUCCESS, as do the others
  Queue& queue() const { return *queue_; }
  Device& device() const { return queue_->device; }

  Event* makeCommand(cl_command_type type) const;
  /// Hands the command over to the queue, and the event to the application. Returns what the call returns.
  cl_int submit(Event* command, bool isBlocking = false, Order order = Order::plain);

 private:
  Call& call_;
  Queue* queue_ = nullptr;
  std::vector<Event*> waitList_;
  cl_event* const event_;
  cl_int status_ = CL_SUCCESS;
};

}  // namespace hone::test::driver
