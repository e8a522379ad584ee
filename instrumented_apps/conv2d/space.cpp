#include "conv2d/space.h"

namespace hone::apps::conv2d {

Space declareSpace(Declarations& declarations, std::int64_t halfSize, const Configuration& defaults) {
  const std::int64_t halo = 2 * halfSize;
  const Parameter TBX = declarations.addParameter("TBX", powersOfTwo(8, 64), defaults.tbx);
  const Parameter TBY = declarations.addParameter("TBY", powersOfTwo(8, 64), defaults.tby);
  const Parameter LOCAL = declarations.addParameter("LOCAL", {0, 1, 2}, defaults.local);
  const Parameter WPTX = declarations.addParameter("WPTX", powersOfTwo(1, 8), defaults.wptx);
  const Parameter WPTY = declarations.addParameter("WPTY", powersOfTwo(1, 8), defaults.wpty);
  const Parameter VECTOR = declarations.addParameter("VECTOR", powersOfTwo(1, 4), defaults.vector);
  declarations.addParameter("UNROLL_FACTOR", {std::int64_t{1}, halo + 1}, defaults.unrollFactor);
  const Parameter PADDING = declarations.addParameter("PADDING", booleans(), defaults.padding);

  declarations.require(WPTX % VECTOR == 0);
  declarations.require(implies(LOCAL == 2, halo % VECTOR == 0));
  declarations.require(implies(PADDING == 1, LOCAL != 0));

  const Expression outputsX = TBX * WPTX, outputsY = TBY * WPTY;
  return {outputsX, outputsY, select(LOCAL == 2, TBX + ceilDiv(halo, WPTX), TBX),
          select(LOCAL == 2, TBY + ceilDiv(halo, WPTY), TBY),
          select(LOCAL == 0, 0, 4 * (outputsY + halo) * (outputsX + halo + PADDING))};
}

}  // namespace hone::apps::conv2d
