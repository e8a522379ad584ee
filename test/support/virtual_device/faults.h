// What goes wrong, on script.
//
//   device.faults().failEnqueue(nth(3));
//   device.faults().failBuild(macro("WG", 64));
//   device.faults().giveWrongResults(WrongResult::notANumber, macro("WG", 128));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "support/virtual_device/api.h"
#include "support/virtual_device/kernel_call.h"

namespace hone::test {

/// Whether a fault happens: asked once for each call, build or launch to which the fault could happen. The macros are
/// those of the program; a call that has none gives an empty map. `time` counts the askings, from 1. Must not call
/// OpenCL or the device.
using Condition = std::function<bool(const Macros& macros, std::uint64_t time)>;

inline Condition always() {
  return [](const Macros&, std::uint64_t) { return true; };
}
inline Condition nth(std::uint64_t number) {
  return [number](const Macros&, std::uint64_t time) { return time == number; };
}
inline Condition fromNth(std::uint64_t number) {
  return [number](const Macros&, std::uint64_t time) { return time >= number; };
}
/// Of programs that were built with this value.
inline Condition macro(std::string name, std::int64_t value) {
  return [name = std::move(name), value](const Macros& macros, std::uint64_t) {
    const auto found = macros.find(name);
    return found != macros.end() && found->second == value;
  };
}

/// What clGetEventProfilingInfo answers for a launch.
enum class Timestamps {
  zero,        // all are 0
  startZero,   // the start is 0, the others are times
  reversed,    // the end lies before the start
  untouched,   // success, but nothing is written
  unavailable  // CL_PROFILING_INFO_NOT_AVAILABLE
};

/// What a launch does to the buffers that it has written.
enum class WrongResult {
  offByLittle,     // the middle one of the elements written: times 1.001, or plus 1 where it is an integer
  notANumber,      // the same element is NaN; the largest value where it is an integer
  secondHalfLost,  // the second half of the elements written is as before
  oneTooMany       // the element behind the last one written changes
};

/// The script of all devices' faults, but for the loss of a device.
/// Thread safety: internally synchronised.
class HONE_VIRTUAL_API Faults {
 public:
  /// A call by its name gives this code and does nothing else. Those that retain or release cannot fail, nor those that
  /// set events.
  void failCall(std::string name, std::int32_t code, Condition when = always());
  /// clEnqueueNDRangeKernel gives this code (default: CL_OUT_OF_RESOURCES).
  void failEnqueue(Condition when = always(), std::int32_t code = -5);
  /// The launch is accepted, and its event ends with this code (default: CL_OUT_OF_RESOURCES) instead of CL_COMPLETE.
  void failEvent(Condition when = always(), std::int32_t code = -5);
  void breakTimestamps(Timestamps how, Condition when = always());
  void giveWrongResults(WrongResult how, Condition when = always());

  // Builds from source, with the macros of their options.
  void failBuild(Condition when = always());
  /// Builds do not return before releaseBuilds(); meanwhile the driver is not locked.
  void hangBuild(Condition when = always());
  /// Also ends the waiting of builds that take real time, or time that other threads pass.
  void releaseBuilds();
  /// The number of builds that hang at this moment.
  int hangingBuilds() const;
  void crashBuild(Condition when = always(), int signal = 11);  // SIGSEGV

  /// clCreateProgramWithBinary gives CL_INVALID_BINARY.
  void rejectBinary(Condition when = always());

  /// From now on nothing works on the device: what was enqueued ends with CL_OUT_OF_RESOURCES, and whatever is enqueued
  /// is refused with it.
  void loseDevice();
  /// Happens when the device begins its n-th launch, from 1.
  void loseDeviceAtLaunch(std::uint64_t number);

  /// Nothing goes wrong any more; hanging builds go on, a lost device stays lost.
  void clear();

 private:
  friend class VirtualDevice;
  explicit Faults(void* device) : device_(device) {}
  void* device_;
};

}  // namespace hone::test
