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

}  // namespace hone::test
