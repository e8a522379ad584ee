// What an OpenCL device is and can do: asked once for each Runtime, printed for people, and where limits come from.
//
//   std::cout << toString(runtime.facts());
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hone/api.h"
#include "hone/opencl/handles.h"

namespace hone::opencl {

enum class DeviceType {
  cpu,
  gpu,
  accelerator,
  other
};

enum class LocalMemory {
  none,
  dedicated,
  global  // a part of the global memory
};

/// A device's own statements. What it need not tell and does not is empty.
struct DeviceFacts {
  std::string name;
  std::string vendor;
  std::uint32_t vendorId = 0;
  DeviceType type = DeviceType::other;
  std::string platform;
  std::string platformVersion;  // "OpenCL 3.0 ..."
  std::string deviceVersion;
  std::string languageVersion;  // what a program without -cl-std is compiled as: "OpenCL C 1.2 ..."
  std::string driverVersion;

  /// The same in every process, whatever the driver's version, and different for two devices of one name. Begins with
  /// - "uuid:", the device's UUID, or else
  /// - "pci:", its place on the bus, and its name, or else
  /// - "name:", platform and name.
  /// Of several devices of one platform that have this in common, all but the first have "#1", "#2", ... at the end, in
  /// the platform's order, which the environment may change. A sub-device has its root device's identity, followed by
  /// its number of compute units: equal parts of one device do not differ.
  std::string identity;

  std::uint32_t computeUnits = 1;
  std::size_t maxWorkGroupSize = 1;           // work-items
  std::vector<std::size_t> maxWorkItemSizes;  // of a work-group, in each dimension
  /// For all kernels; a kernel may have another multiple.
  std::optional<std::size_t> preferredWorkGroupMultiple;
  std::vector<std::size_t> subGroupSizes;  // ascending; empty: unknown
  bool hasNonUniformWorkGroups = false;    // of programs for OpenCL C 2.0 and later

  LocalMemory localMemory = LocalMemory::none;
  std::uint64_t localMemoryBytes = 0;  // for a work-group
  bool hasFp64 = false;
  bool hasFp16 = false;
  std::optional<std::chrono::nanoseconds> timerResolution;  // of event times
};

namespace detail {
HONE_API DeviceFacts factsOf(cl_device_id device);
}

/// Asks the device; cl_device_id or cl::Device. Throws Error if it does not tell what every device must.
template <class Device, std::enable_if_t<detail::wraps<Device, cl_device_id>, int> = 0>
DeviceFacts deviceFacts(const Device& device) {
  return detail::factsOf(detail::unwrap(device));
}

/// A line with the name, then one for each fact.
HONE_API std::string toString(const DeviceFacts& facts);

}  // namespace hone::opencl
