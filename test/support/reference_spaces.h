// The space of CLTune's GEMM, whose size is known exactly. (That of its conv2d is in instrumented_apps/conv2d/space.h.)
#pragma once

#include <cstdint>

#include "hone/declarations.h"

namespace hone::test {

/// A matrix product. Default: MWG=NWG=64, KWG=32, work-groups of 8x8, KWI=2, vectors of 1, no flags.
void declareGemm(Declarations& declarations, std::int64_t maxWorkGroup = 1024);

}  // namespace hone::test
