// What a virtual device says of itself, and what its driver costs the host. The defaults are a small GPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace hone::test {

/// How fast each of n launches proceeds that a device runs at once, relative to one that runs alone.
using OverlapLaw = std::function<double(std::size_t running)>;

/// n launches take turns: each runs at 1/n.
inline double takingTurns(std::size_t running) { return 1.0 / static_cast<double>(running); }

enum class VirtualDeviceType {
  cpu,
  gpu,
  accelerator
};

struct DeviceDescription {
  std::string name = "Virtual GPU";
  VirtualDeviceType type = VirtualDeviceType::gpu;
  /// Two devices of one name differ in it. All zeros: the driver makes one from the device's number.
  std::array<unsigned char, 16> uuid{};
  std::string driverVersion = "1.0";
  std::uint32_t computeUnits = 16;
  std::size_t maxWorkGroupSize = 1024;
  std::array<std::size_t, 3> maxWorkItemSizes{1024, 1024, 64};
  std::size_t preferredWorkGroupMultiple = 32;
  bool hasNonUniformWorkGroups = false;
  bool hasFp64 = true;
  std::uint64_t localMemoryBytes = 48 * 1024;
  std::uint64_t globalMemoryBytes = std::uint64_t{1} << 30;
  std::uint64_t maxAllocationBytes = std::uint64_t{1} << 28;
  std::int64_t timerResolutionNs = 1;  // event times are multiples of it
  double copyBytesPerNs = 10;
  /// Launches that run at once; further ones wait in the order in which they became ready.
  std::size_t maxRunning = 32;
  OverlapLaw overlap = takingTurns;
  /// No command begins before its queue was flushed: by clFlush, clFinish, or a call that waits for one of its events.
  bool waitsForFlush = false;
};

/// Virtual time that an API call takes; a wait takes what it waits for on top. There is one clock, so that the calls of
/// several threads take place one after the other. What a platform or a device is asked takes no time.
struct HostTimes {
  std::int64_t everyCallNs = 200;
  std::map<std::string, std::int64_t, std::less<>> byName{{"clEnqueueNDRangeKernel", 2000}};
};

}  // namespace hone::test
