// The spaces of CLTune's two case studies, whose sizes are known exactly.
#pragma once

#include <cstdint>

#include "hone/declarations.h"

namespace hone::test {

constexpr std::int64_t kNoLimit = std::int64_t{1} << 40;

/// A 2D convolution with a filter of 2 * halfSize + 1 in each direction. Default: TBX=TBY=16, LOCAL=0, all factors 1.
void declareConvolution(Declarations& declarations, std::int64_t halfSize = 3, std::int64_t maxWorkGroup = 1024,
                        std::int64_t localBytes = 48 * 1024);

/// A matrix product. Default: MWG=NWG=64, KWG=32, work-groups of 8x8, KWI=2, vectors of 1, no flags.
void declareGemm(Declarations& declarations, std::int64_t maxWorkGroup = 1024);

}  // namespace hone::test
