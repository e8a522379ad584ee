// The numbers that a program's kernel works on, in device memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device.h"

namespace hone::apps {

/// A buffer that kernels only read. Returns when it is filled.
cl::Buffer upload(const OpenedDevice& on, const std::vector<float>& numbers);
cl::Buffer upload(const OpenedDevice& on, const std::vector<std::uint32_t>& numbers);

/// Behind each output lie this many elements that no launch may touch.
inline constexpr std::size_t kGuard = 1024;

/// What an output of `count` elements of 4 bytes takes with its guard.
constexpr std::size_t outputBytes(std::size_t count) { return (count + kGuard) * sizeof(float); }

cl::Buffer makeOutput(const OpenedDevice& on, std::size_t count);

}  // namespace hone::apps
