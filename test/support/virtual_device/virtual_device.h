// An OpenCL device whose time is virtual, whose faults are scripted and whose calls are counted. It is reached through
// the system's OpenCL loader like any other; this is what tests hold in their hands besides.
//
//   VirtualDevice device(lasting(1ms));  // a model of models/
//   device.kernel("scale", [](const KernelCall& call) { ... });
//   ... OpenCL, or the library, with device.id() ...
//   device.runUntil(launches(1000), [&] { kernel(queue, {n}, n, buffer); });
//   EXPECT_EQ(device.counts().blocking(), 0);
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "support/virtual_device/api.h"
#include "support/virtual_device/counts.h"
#include "support/virtual_device/device_description.h"
#include "support/virtual_device/device_model.h"
#include "support/virtual_device/faults.h"
#include "support/virtual_device/kernel_call.h"

struct _cl_device_id;
struct _cl_platform_id;

namespace hone::test {

/// How clBuildProgram passes its time.
struct BuildTime {
  enum class Clock {
    virtualTime,  // the virtual clock moves on by it, as if the calling thread had the machine to itself
    besides,      // waits until other threads' calls have moved the virtual clock on by it
    realTime      // sleeps
  };
  std::chrono::nanoseconds duration{0};
  Clock clock = Clock::virtualTime;
  bool locksDriver = false;  // realTime only: other threads' calls wait meanwhile, as with many real drivers
};
using BuildTimeOf = std::function<BuildTime(const Macros&)>;

/// What a build of this source with these options gives as a binary, for whoever builds without the device.
HONE_VIRTUAL_API std::vector<unsigned char> virtualBinary(const std::string& source, const std::string& options);
/// The integer macros of build options.
HONE_VIRTUAL_API Macros virtualMacros(const std::string& options);

/// When runUntil ends.
struct Goal {
  std::uint64_t launches = 0;  // so many more were accepted
  std::chrono::nanoseconds elapsed{0};
};
inline Goal launches(std::uint64_t count) { return {count, {}}; }
inline Goal elapsed(std::chrono::nanoseconds time) { return {0, time}; }

/// One device of the platform "Hone Virtual Device", for as long as the object lives. OpenCL objects made on it must be
/// released before. The clock, the counts and the violations are the platform's: they begin anew with the first of the
/// objects that exist at a time. Models, bodies, traits and build times are asked with the driver locked: they must not
/// call OpenCL or the device.
/// Thread safety: internally synchronised, but for construction and destruction.
class HONE_VIRTUAL_API VirtualDevice {
 public:
  explicit VirtualDevice(std::shared_ptr<LaunchModel> model, DeviceDescription description = {});
  ~VirtualDevice();
  VirtualDevice(const VirtualDevice&) = delete;
  VirtualDevice& operator=(const VirtualDevice&) = delete;

  _cl_device_id* id() const;
  _cl_platform_id* platform() const;

  /// The body of all kernels of this name. Without one, launches take their time and change nothing.
  void kernel(const std::string& name, KernelBody body);
  void kernelTraits(const std::string& name, TraitsOf traits);
  void buildTime(BuildTimeOf time);
  void hostTimes(HostTimes times);  // of all devices' calls
  Faults& faults() { return faults_; }

  /// Virtual time since the first of the devices was made.
  std::chrono::nanoseconds now() const;
  /// Passes virtual time, as if the calling thread had computed something.
  void advance(std::chrono::nanoseconds time);
  /// Passes virtual time until no command is left that can end.
  void drain();
  /// Calls `step` until the goal is reached. Throws std::runtime_error where 100,000 steps in a row bring it no nearer.
  template <class Step>
  void runUntil(Goal goal, Step step);

  Counts counts() const;
  /// Misuse of OpenCL since the last call, a line each: use of what was released, arguments unset or of a wrong size,
  /// ...
  std::vector<std::string> takeViolations();

 private:
  struct Progress {
    std::uint64_t launches;
    std::chrono::nanoseconds now;
  };
  Progress progress() const;
  [[noreturn]] static void failWithoutProgress();

  void* const device_;
  Faults faults_;
};

template <class Step>
void VirtualDevice::runUntil(Goal goal, Step step) {
  const Progress start = progress();
  Progress last = start;
  int idleSteps = 0;
  const auto isReached = [&] {
    return last.launches - start.launches >= goal.launches && last.now - start.now >= goal.elapsed;
  };
  while (!isReached()) {
    step();
    const Progress next = progress();
    const bool isNearer = next.launches > last.launches || (goal.launches == 0 && next.now > last.now);
    idleSteps = isNearer ? 0 : idleSteps + 1;
    if (idleSteps == 100'000) failWithoutProgress();
    last = next;
  }
}

}  // namespace hone::test
