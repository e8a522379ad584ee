// Commands in virtual time: when they become ready, begin and end, and what they leave behind.

#include <algorithm>
#include <cmath>
#include <exception>

#include "support/virtual_device/driver/driver.h"
#include "support/virtual_device/driver/run_kernel.h"

namespace hone::test::driver {

namespace {

void link(Queue& queue, Event* event) {
  event->previousPending = queue.lastPending;
  (queue.lastPending ? queue.lastPending->nextPending : queue.firstPending) = event;
  queue.lastPending = event;
}

void unlink(Queue& queue, Event* event) {
  (event->previousPending ? event->previousPending->nextPending : queue.firstPending) = event->nextPending;
  (event->nextPending ? event->nextPending->previousPending : queue.lastPending) = event->previousPending;
  event->previousPending = event->nextPending = nullptr;
}

}  // namespace

void Driver::addDependency(Event* on, Event* event, bool inheritsFailure) {
  if (on->hasEnded()) {
    if (on->status < 0 && inheritsFailure) event->failure = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    return;
  }
  on->dependents.push_back({event, inheritsFailure});
  ++event->waitsFor;
}

void Driver::enqueue(Event* event, const std::vector<Event*>& waitList, Order order) {
  Queue& queue = *event->queue;
  event->queuedNs = nowNs_;
  ++event->holds;  // until it has ended
  for (Event* on : waitList) addDependency(on, event, true);
  const bool waitsForAll = queue.isOutOfOrder() && order != Order::plain && waitList.empty();
  if (waitsForAll) {
    for (Event* on = queue.firstPending; on; on = on->nextPending) addDependency(on, event, false);
  } else if (queue.last) {
    addDependency(queue.last, event, false);
  }
  if (!queue.isOutOfOrder() || order == Order::barrier) queue.last = event;
  link(queue, event);
  if (queue.device.description.waitsForFlush) {
    event->isFlushed = false;
    ++event->waitsFor;
    queue.unflushed.push_back(event);
  }
  if (event->launch) {
    ++counts.launches;
    counts.mostInFlight = std::max(counts.mostInFlight, static_cast<std::size_t>(counts.launches - counts.ended));
  }
  if (event->waitsFor == 0) ready_.push_back(event);
  settle();
}

void Driver::flush(Queue& queue) {
  for (Event* event : queue.unflushed) {
    event->isFlushed = true;
    if (--event->waitsFor == 0) ready_.push_back(event);
  }
  queue.unflushed.clear();
  settle();
}

void Driver::settle() {
  while (!ready_.empty()) {
    Event* event = ready_.front();
    ready_.pop_front();
    submit(event);
  }
}

void Driver::setStatus(Event* event, cl_int status) {
  event->status = status;
  noteCallbacks(event, status);
}

void Driver::submit(Event* event) {
  event->submitNs = event->startNs = nowNs_;
  if (event->queue->device.isLost && event->failure == CL_SUCCESS) event->failure = CL_OUT_OF_RESOURCES;
  if (event->failure != CL_SUCCESS) return end(event, event->failure);
  setStatus(event, CL_SUBMITTED);
  if (!event->engine) {
    setStatus(event, CL_RUNNING);
    return end(event, CL_COMPLETE);
  }
  if (event->engine->hasRoom()) {
    begin(event);
  } else {
    event->engine->waiting().push_back(event);
  }
}

double Driver::askModel(Device& device, const VirtualLaunch& launch) {
  std::string wrong;
  try {
    const double ns = device.model->durationNs(launch);
    if (ns > 0 && std::isfinite(ns)) return ns;
    wrong = "says " + std::to_string(ns) + " ns";
  } catch (const std::exception& error) {
    wrong = std::string("throws ") + error.what();
  }
  violations.push_back(launch.kernel + ": the model " + wrong);
  return 1;
}

void Driver::begin(Event* event) {
  Device& device = event->queue->device;
  event->startNs = nowNs_;
  if (event->launch) {
    VirtualLaunch& launch = event->launch->launch;
    launch.number = device.launches++;
    launch.numberInProgram = event->launch->program->launchesBegun[launch.kernel]++;
    launch.startNs = nowNs_ - kBeginNs;
    ++counts.began;
    if (device.lostAtLaunch == launch.number + 1) {
      event->engine->waiting().push_front(event);
      return loseDevice(device);
    }
    event->work = askModel(device, launch);
  }
  setStatus(event, CL_RUNNING);
  event->engine->begin(event, event->work, nowNs_);
}

void Driver::end(Event* event, cl_int status) {
  if (status == CL_COMPLETE && event->failsWith != CL_SUCCESS) status = event->failsWith;  // and has no result
  if (status == CL_COMPLETE) status = perform(event);
  event->endNs = nowNs_;
  setStatus(event, status);
  for (const Event::Dependent& dependent : event->dependents) {
    if (status < 0 && dependent.inheritsFailure)
      dependent.event->failure = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (--dependent.event->waitsFor == 0) ready_.push_back(dependent.event);
  }
  event->dependents = {};
  if (!event->queue) return;  // a user event

  Queue& queue = *event->queue;
  if (queue.last == event) queue.last = nullptr;
  unlink(queue, event);
  if (event->launch) ++counts.ended;
  event->launch.reset();
  event->action = nullptr;
  event->memories.clear();
  --event->holds;
  destroyIfUnused(event);
}

cl_int Driver::perform(Event* event) {
  if (event->action) event->action();
  if (!event->launch) return CL_COMPLETE;
  const auto error = runKernel(event->queue->device, *event->launch);
  if (!error) return CL_COMPLETE;
  violations.push_back(event->launch->launch.kernel + ": " + *error);
  return CL_OUT_OF_RESOURCES;
}

std::optional<std::int64_t> Driver::nextCompletion(Engine** engine) const {
  std::optional<std::int64_t> next;
  for (Device* device : devices) {
    for (Engine* candidate : {&device->compute, &device->copies}) {
      const auto at = candidate->nextCompletion();
      if (!at || (next && *next <= *at)) continue;
      next = at;
      *engine = candidate;
    }
  }
  return next;
}

void Driver::advanceTo(std::int64_t ns) {
  Engine* engine = nullptr;
  for (auto next = nextCompletion(&engine); next && *next <= ns; next = nextCompletion(&engine)) {
    nowNs_ = std::max(nowNs_, *next);
    end(engine->complete(), CL_COMPLETE);
    while (!engine->waiting().empty() && engine->hasRoom()) {
      Event* event = engine->waiting().front();
      engine->waiting().pop_front();
      begin(event);
    }
    settle();
  }
  nowNs_ = std::max(nowNs_, ns);
}

void Driver::drain() {
  Engine* engine = nullptr;
  while (const auto next = nextCompletion(&engine)) advanceTo(*next);
}

void Driver::loseDevice(Device& device) {
  device.isLost = true;
  for (Engine* engine : {&device.compute, &device.copies}) {
    for (Event* event : engine->clear()) end(event, CL_OUT_OF_RESOURCES);
  }
}

void Driver::waitFor(Event* event, std::unique_lock<std::mutex>& lock) {
  const Hold<Event> held(event);
  while (!event->hasEnded()) {
    Engine* engine = nullptr;
    if (const auto next = nextCompletion(&engine)) {
      advanceTo(*next);
      changed.notify_all();
    } else if (callbacks_.empty()) {
      changed.wait(lock);  // for another thread: a user event, a flush
    }
    deliverCallbacks(lock);
  }
}

void Driver::waitFor(Queue& queue, std::unique_lock<std::mutex>& lock) {
  // What is enqueued from now on is not waited for: at the time of the call, the last one may have ended before others.
  std::vector<Hold<Event>> pending;
  for (Event* event = queue.firstPending; event; event = event->nextPending) pending.emplace_back(event);
  for (const Hold<Event>& event : pending) waitFor(event.get(), lock);
}

void Driver::noteCallbacks(Event* event, cl_int status) {
  for (const Event::Callback& callback : event->callbacks) {
    const bool isDue = callback.at == CL_COMPLETE ? status <= CL_COMPLETE : callback.at == status;
    if (isDue) addDueCallback(callback, event, status);
  }
}

void Driver::deliverCallbacks(std::unique_lock<std::mutex>& lock) {
  while (!callbacks_.empty()) {
    const DueCallback due = std::move(callbacks_.front());
    callbacks_.pop_front();
    lock.unlock();
    due.callback.function(handleOf<cl_event>(due.event.get()), due.status, due.callback.data);
    lock.lock();
  }
}

}  // namespace hone::test::driver
