// Events: a launch's own, and the device times between them for the three calls.
#pragma once

#include <type_traits>
#include <utility>

#include "hone/api.h"
#include "hone/measurement.h"
#include "hone/opencl/handles.h"

namespace hone::opencl {

/// Owns one reference to a cl_event.
class HONE_API Event {
 public:
  Event() = default;
  /// Takes over the caller's reference.
  explicit Event(cl_event owned) : event_(owned) {}
  Event(const Event& other) : event_(other.event_) {
    if (event_) clRetainEvent(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~Event() {
    if (event_) clReleaseEvent(event_);
  }

  /// The handle; null if empty. Still owned by this object.
  cl_event operator()() const { return event_; }
  /// Gives the reference to the caller.
  cl_event release() { return std::exchange(event_, nullptr); }
  /// Waits for the event. Throws Error if the command failed.
  void wait() const;

  /// Specialised by hone/opencl.hpp for cl::Event.
  template <class T>
  struct Conversion;
  template <class T, class = decltype(Conversion<T>::from(std::declval<Event&&>()))>
  operator T() && {
    return Conversion<T>::from(std::move(*this));
  }

 private:
  cl_event event_ = nullptr;
};

namespace detail {
HONE_API Elapsed elapsedBetween(cl_event first, cl_event last);
}

/// For Tuner::stopMeasurement: the device time of one command.
template <class EventType, std::enable_if_t<detail::wraps<EventType, cl_event>, int> = 0>
Elapsed elapsed(const EventType& event) {
  return detail::elapsedBetween(detail::unwrap(event), detail::unwrap(event));
}
/// From the start of the first command to the end of the last one. stopMeasurement throws UsageError if they ran on
/// different devices; it asks where it keeps the time, as it does in the first launches of each problem.
template <class EventType, std::enable_if_t<detail::wraps<EventType, cl_event>, int> = 0>
Elapsed elapsed(const EventType& first, const EventType& last) {
  return detail::elapsedBetween(detail::unwrap(first), detail::unwrap(last));
}

}  // namespace hone::opencl
