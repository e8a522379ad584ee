#include "support/reference_spaces.h"

namespace hone::test {

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

namespace {

struct LargeGemm {
  Parameter MWG, NWG, KWG, MDIMC, NDIMC, SA, SB;
};

LargeGemm declareLarge(Declarations& declarations) {
  const Range tiles = {8, 16, 24, 32, 48, 64, 96, 128, 192, 256};
  const Parameter MWG = declarations.addParameter("MWG", tiles, 64);
  const Parameter NWG = declarations.addParameter("NWG", tiles, 64);
  const Parameter KWG = declarations.addParameter("KWG", powersOfTwo(8, 64), 32);
  const Parameter KWI = declarations.addParameter("KWI", powersOfTwo(1, 8), 2);
  const Parameter MDIMC = declarations.addParameter("MDIMC", powersOfTwo(4, 64), 8);
  const Parameter NDIMC = declarations.addParameter("NDIMC", powersOfTwo(4, 64), 8);
  const Parameter MDIMA = declarations.addParameter("MDIMA", powersOfTwo(4, 64), 8);
  const Parameter NDIMB = declarations.addParameter("NDIMB", powersOfTwo(4, 64), 8);
  const Parameter VWM = declarations.addParameter("VWM", powersOfTwo(1, 16), 1);
  const Parameter VWN = declarations.addParameter("VWN", powersOfTwo(1, 16), 1);
  declarations.addParameter("STRM", booleans(), 0);
  declarations.addParameter("STRN", booleans(), 0);
  const Parameter SA = declarations.addParameter("SA", booleans(), 0);
  const Parameter SB = declarations.addParameter("SB", booleans(), 0);

  declarations.require(KWG % KWI == 0);
  declarations.require(MWG % (MDIMC * VWM) == 0);
  declarations.require(NWG % (NDIMC * VWN) == 0);
  declarations.require(MWG % (MDIMA * VWM) == 0);
  declarations.require(NWG % (NDIMB * VWN) == 0);
  declarations.require(KWG % (MDIMC * NDIMC / MDIMA) == 0);
  declarations.require(KWG % (MDIMC * NDIMC / NDIMB) == 0);
  return {MWG, NWG, KWG, MDIMC, NDIMC, SA, SB};
}

}  // namespace

void declareLargeGemm(Declarations& declarations) { declareLarge(declarations); }

void declareLargeGemm(Declarations& declarations, std::int64_t maxWorkGroup, std::int64_t localBytes) {
  const LargeGemm p = declareLarge(declarations);
  declarations.require(p.MDIMC * p.NDIMC <= maxWorkGroup);
  declarations.require(4 * p.KWG * (p.SA * p.MWG + p.SB * p.NWG) <= localBytes);
}

void declareTiledProduct(Declarations& declarations, const TiledProductLimits& limits) {
  const Parameter wx = declarations.addParameter("wx", range(1, limits.workGroup), 1);
  const Parameter wy = declarations.addParameter("wy", range(1, limits.workGroup), 1);
  const Parameter wz = declarations.addParameter("wz", range(1, limits.depth), 1);
  const Parameter tile = declarations.addParameter("tile", range(1, 256), 1);
  declarations.require(4096 % wx == 0);
  declarations.require(4096 % wy == 0);
  declarations.require(1 % wz == 0);
  declarations.require(wx * wy * wz <= limits.workGroup);
  declarations.require(2 * 4 * tile * tile <= limits.localBytes);
  declarations.require(tile % wx == 0);
  declarations.require(tile % wy == 0);
  declarations.require(4096 / wx * (4096 / wy) * (1 / wz) >= limits.computeUnits);
}

}  // namespace hone::test
