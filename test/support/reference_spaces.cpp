#include "support/reference_spaces.h"

namespace hone::test {

void declareConvolution(Declarations& declarations, std::int64_t halfSize, std::int64_t maxWorkGroup,
                        std::int64_t localBytes) {
  const std::int64_t halo = 2 * halfSize;
  const Parameter TBX = declarations.addParameter("TBX", powersOfTwo(8, 64), 16);
  const Parameter TBY = declarations.addParameter("TBY", powersOfTwo(8, 64), 16);
  const Parameter LOCAL = declarations.addParameter("LOCAL", {0, 1, 2}, 0);
  const Parameter WPTX = declarations.addParameter("WPTX", powersOfTwo(1, 8), 1);
  const Parameter WPTY = declarations.addParameter("WPTY", powersOfTwo(1, 8), 1);
  const Parameter VECTOR = declarations.addParameter("VECTOR", powersOfTwo(1, 4), 1);
  declarations.addParameter("UNROLL_FACTOR", {std::int64_t{1}, halo + 1}, 1);
  const Parameter PADDING = declarations.addParameter("PADDING", booleans(), 0);

  const Expression threadsX = select(LOCAL == 2, TBX + ceilDiv(halo, WPTX), TBX);
  const Expression threadsY = select(LOCAL == 2, TBY + ceilDiv(halo, WPTY), TBY);
  declarations.require(WPTX % VECTOR == 0);
  declarations.require(implies(LOCAL == 2, halo % VECTOR == 0));
  declarations.require(implies(PADDING == 1, LOCAL != 0));
  declarations.require(implies(LOCAL != 0, 4 * (TBY * WPTY + halo) * (TBX * WPTX + halo + PADDING) <= localBytes));
  declarations.require(threadsX * threadsY <= maxWorkGroup);
}

void declareGemm(Declarations& declarations, std::int64_t maxWorkGroup) {
  const Parameter MWG = declarations.addParameter("MWG", powersOfTwo(16, 128), 64);
  const Parameter NWG = declarations.addParameter("NWG", powersOfTwo(16, 128), 64);
  const Parameter KWG = declarations.addParameter("KWG", {16, 32}, 32);
  const Parameter MDIMC = declarations.addParameter("MDIMC", powersOfTwo(8, 32), 8);
  const Parameter NDIMC = declarations.addParameter("NDIMC", powersOfTwo(8, 32), 8);
  const Parameter MDIMA = declarations.addParameter("MDIMA", powersOfTwo(8, 32), 8);
  const Parameter NDIMB = declarations.addParameter("NDIMB", powersOfTwo(8, 32), 8);
  const Parameter KWI = declarations.addParameter("KWI", {2, 8}, 2);
  const Parameter VWM = declarations.addParameter("VWM", powersOfTwo(1, 8), 1);
  const Parameter VWN = declarations.addParameter("VWN", powersOfTwo(1, 8), 1);
  for (const char* flag : {"STRM", "STRN", "SA", "SB"}) declarations.addParameter(flag, booleans(), 0);

  declarations.require(KWG % KWI == 0);
  declarations.require(MWG % (MDIMC * VWM) == 0);
  declarations.require(NWG % (NDIMC * VWN) == 0);
  declarations.require(MWG % (MDIMA * VWM) == 0);
  declarations.require(NWG % (NDIMB * VWN) == 0);
  declarations.require(KWG % (MDIMC * NDIMC / MDIMA) == 0);
  declarations.require(KWG % (MDIMC * NDIMC / NDIMB) == 0);
  declarations.require(MDIMC * NDIMC <= maxWorkGroup);
}

}  // namespace hone::test
