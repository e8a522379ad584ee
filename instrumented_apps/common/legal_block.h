// The default size of a work-group where the one that is wanted is more than the device allows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hone/opencl.hpp"

namespace hone::apps {

/// `wanted`, or the largest of `blocks` that the device allows where it allows less than that; the smallest one where
/// it allows none. REQUIRES: blocks ascend
inline std::int64_t legalBlock(const Range& blocks, const opencl::DeviceFacts& facts, std::int64_t wanted) {
  const auto limit = static_cast<std::int64_t>(facts.maxWorkGroupSize);
  std::int64_t legal = blocks.values().front();
  for (const std::int64_t block : blocks.values()) {
    if (block <= std::min(limit, wanted)) legal = block;
  }
  return legal;
}

}  // namespace hone::apps
