// What a compiled kernel allows of the launches that are meant for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hone/opencl/handles.h"

namespace hone::opencl::detail {

/// What the compiler found. What the driver does not tell is no limit.
struct KernelLimits {
  /// Work-items: registers may allow fewer than the device's limit. Empty where a size is required, which decides
  /// alone.
  std::optional<std::size_t> maxWorkGroupSize;
  std::array<std::size_t, 3> requiredWorkGroupSize{};  // reqd_work_group_size; zeros where there is none
  std::uint64_t localBytes = 0;                        // for a work-group, arguments aside
  std::uint64_t privateBytes = 0;                      // for a work-item
};

/// REQUIRES: none of the kernel's arguments was set, since those of local memory would count
KernelLimits limitsOf(cl_kernel kernel, cl_device_id device);

/// Why no work-group of this size can be launched; empty if nothing is known against it. `local` has 1 to 3 dimensions.
std::optional<std::string> objectionTo(const std::array<std::size_t, 3>& local, cl_uint dimensions,
                                       const KernelLimits& limits);

/// The same for the local memory of a work-group with so many bytes among its arguments.
std::optional<std::string> objectionToLocalMemory(std::uint64_t argumentBytes, const KernelLimits& limits,
                                                  std::uint64_t deviceBytes);

}  // namespace hone::opencl::detail
