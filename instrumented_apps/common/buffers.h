// The numbers that a program's kernel works on, in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device.h"

namespace hone::apps {

// These throw InputError where the device has no memory left for a buffer, which says how much it needs.

/// A buffer that kernels only read. Returns when it is filled.
cl::Buffer upload(const OpenedDevice& on, const std::vector<float>& numbers);
cl::Buffer upload(const OpenedDevice& on, const std::vector<double>& numbers);
cl::Buffer upload(const OpenedDevice& on, const std::vector<std::uint32_t>& numbers);

/// Behind each output lie this many elements that no launch may touch.
inline constexpr std::size_t kGuard = 1024;

/// What an output of `count` elements takes with its guard.
constexpr std::size_t outputBytes(std::size_t count, std::size_t elementBytes = sizeof(float)) {
  return (count + kGuard) * elementBytes;
}

cl::Buffer makeOutput(const OpenedDevice& on, std::size_t count, std::size_t elementBytes = sizeof(float));

}  // namespace hone::apps
