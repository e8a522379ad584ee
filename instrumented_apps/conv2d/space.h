// The search space of CLTune's conv2d: 3424 configurations for a 7 x 7 filter on a device that allows work-groups of
// 1024 and 48 KiB of local memory. What the parameters mean stands in conv2d.cl.
#pragma once

#include <cstdint>
#include <vector>

#include "hone/declarations.h"

namespace hone::apps::conv2d {

/// The filter is 2 * halfSize + 1 elements wide and high.
inline constexpr std::int64_t kMinimumHalfSize = 1, kMaximumHalfSize = 5;

/// One value per parameter, in the order of their declaration; as it stands, the program's default.
struct Configuration {
  std::int64_t tbx = 16, tby = 16;
  std::int64_t local = 0;
  std::int64_t wptx = 1, wpty = 1;
  std::int64_t vector = 1;
  std::int64_t unrollFactor = 1;
  std::int64_t padding = 0;
};

/// What a launch needs, in terms of the parameters.
struct Space {
  Expression outputsX, outputsY;  // outputs that a work-group computes: TBX * WPTX, TBY * WPTY
  Expression threadsX, threadsY;  // size of a work-group: TBX_XL, TBY_XL
  Expression localBytes;          // of local memory that a work-group uses
};

/// Declares parameters and constraints, but none of a device's limits.
/// REQUIRES: kMinimumHalfSize <= halfSize <= kMaximumHalfSize
Space declareSpace(Declarations& declarations, std::int64_t halfSize, const Configuration& defaults = {});
/// For filters of several sizes: the problem size `filterSize` is one of them.
Space declareSpace(Declarations& declarations, const Expression& filterSize, const std::vector<std::int64_t>& sizes);

}  // namespace hone::apps::conv2d
