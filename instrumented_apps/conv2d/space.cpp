#include "conv2d/space.h"

#include <algorithm>

namespace hone::apps::conv2d {

namespace {

/// Loops over the filter are unrolled as a whole or not at all.
Space declareWith(Declarations& declarations, const Expression& filterSize, const std::vector<std::int64_t>& unrolled,
                  const Configuration& defaults) {
  const Expression halo = filterSize - 1;
  const Parameter TBX = declarations.addParameter("TBX", powersOfTwo(8, 64), defaults.tbx);
  const Parameter TBY = declarations.addParameter("TBY", powersOfTwo(8, 64), defaults.tby);
  const Parameter LOCAL = declarations.addParameter("LOCAL", {0, 1, 2}, defaults.local);
  const Parameter WPTX = declarations.addParameter("WPTX", powersOfTwo(1, 8), defaults.wptx);
  const Parameter WPTY = declarations.addParameter("WPTY", powersOfTwo(1, 8), defaults.wpty);
  const Parameter VECTOR = declarations.addParameter("VECTOR", powersOfTwo(1, 4), defaults.vector);
  const Parameter UNROLL = declarations.addParameter("UNROLL_FACTOR", Range(unrolled), defaults.unrollFactor);
  const Parameter PADDING = declarations.addParameter("PADDING", booleans(), defaults.padding);

  declarations.require(WPTX % VECTOR == 0);
  declarations.require(implies(LOCAL == 2, halo % VECTOR == 0));
  declarations.require(implies(PADDING == 1, LOCAL != 0));
  if (unrolled.size() > 2) declarations.require(UNROLL == 1 || UNROLL == filterSize);

  const Expression outputsX = TBX * WPTX, outputsY = TBY * WPTY;
  return {outputsX, outputsY, select(LOCAL == 2, TBX + ceilDiv(halo, WPTX), TBX),
          select(LOCAL == 2, TBY + ceilDiv(halo, WPTY), TBY),
          select(LOCAL == 0, 0, 4 * (outputsY + halo) * (outputsX + halo + PADDING))};
}

}  // namespace

Space declareSpace(Declarations& declarations, std::int64_t halfSize, const Configuration& defaults) {
  const std::int64_t filterSize = 2 * halfSize + 1;
  return declareWith(declarations, filterSize, {1, filterSize}, defaults);
}

Space declareSpace(Declarations& declarations, const Expression& filterSize, const std::vector<std::int64_t>& sizes) {
  std::vector<std::int64_t> unrolled = sizes;
  unrolled.push_back(1);
  std::sort(unrolled.begin(), unrolled.end());
  return declareWith(declarations, filterSize, unrolled, {});
}

}  // namespace hone::apps::conv2d
