// What a launch does to its buffers: the body of the kernel, and the wrong results of a script.
#pragma once

#include <optional>
#include <string>

#include "support/virtual_device/driver/objects.h"

namespace hone::test::driver {

/// Returns what is wrong with the body, or with the kernel's use of its buffers.
std::optional<std::string> runKernel(const Device& device, const LaunchData& launch);

}  // namespace hone::test::driver
