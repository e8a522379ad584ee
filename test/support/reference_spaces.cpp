#include "support/reference_spaces.h"

namespace hone::test {

namespace {

struct GemmRanges {
  Range tiles, depths, unrolls, threads, vectors;
};

struct Gemm {
  Parameter MWG, NWG, KWG, MDIMC, NDIMC, SA, SB;
};

Gemm declareGemmOf(Declarations& declarations, const GemmRanges& ranges) {
  const Parameter MWG = declarations.addParameter("MWG", ranges.tiles, 64);
  const Parameter NWG = declarations.addParameter("NWG", ranges.tiles, 64);
  const Parameter KWG = declarations.addParameter("KWG", ranges.depths, 32);
  const Parameter MDIMC = declarations.addParameter("MDIMC", ranges.threads, 8);
  const Parameter NDIMC = declarations.addParameter("NDIMC", ranges.threads, 8);
  const Parameter MDIMA = declarations.addParameter("MDIMA", ranges.threads, 8);
  const Parameter NDIMB = declarations.addParameter("NDIMB", ranges.threads, 8);
  const Parameter KWI = declarations.addParameter("KWI", ranges.unrolls, 2);
  const Parameter VWM = declarations.addParameter("VWM", ranges.vectors, 1);
  const Parameter VWN = declarations.addParameter("VWN", ranges.vectors, 1);
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

Gemm declareLarge(Declarations& declarations) {
  return declareGemmOf(declarations, {{8, 16, 24, 32, 48, 64, 96, 128, 192, 256},
                                      powersOfTwo(8, 64),
                                      powersOfTwo(1, 8),
                                      powersOfTwo(4, 64),
                                      powersOfTwo(1, 16)});
}

}  // namespace

void declareGemm(Declarations& declarations, std::int64_t maxWorkGroup) {
  const Gemm gemm =
      declareGemmOf(declarations, {powersOfTwo(16, 128), {16, 32}, {2, 8}, powersOfTwo(8, 32), powersOfTwo(1, 8)});
  declarations.require(gemm.MDIMC * gemm.NDIMC <= maxWorkGroup);
}

void declareLargeGemm(Declarations& declarations) { declareLarge(declarations); }

void declareLargeGemm(Declarations& declarations, std::int64_t maxWorkGroup, std::int64_t localBytes) {
  const Gemm p = declareLarge(declarations);
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
