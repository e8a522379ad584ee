// Spaces whose sizes are known exactly. (That of CLTune's conv2d is in instrumented_apps/conv2d/space.h.)
#pragma once

#include <cstdint>

#include "hone/declarations.h"

namespace hone::test {

/// The matrix product of CLTune. Default: MWG=NWG=64, KWG=32, work-groups of 8x8, KWI=2, vectors of 1, no flags.
void declareGemm(Declarations& declarations, std::int64_t maxWorkGroup = 1024);

/// The same product with more values for each parameter: 22,830,400 configurations where nothing limits it, 20,223,392
/// where work-groups are limited to 1024 and local memory to 48 KiB.
void declareLargeGemm(Declarations& declarations);
void declareLargeGemm(Declarations& declarations, std::int64_t maxWorkGroup, std::int64_t localBytes);

/// A tiled matrix product on 4096 x 4096 x 1: sizes of work-groups and of the tile, limited by the device.
struct TiledProductLimits {
  std::int64_t workGroup;  // also of wx and wy
  std::int64_t depth;      // of wz
  std::int64_t localBytes;
  std::int64_t computeUnits;
};
constexpr TiledProductLimits kTiledOnGpu{1024, 64, 48 * 1024, 2};    // 421 configurations of 2^34
constexpr TiledProductLimits kTiledOnCpu{8192, 8192, 32 * 1024, 8};  // 367 of 2^47
void declareTiledProduct(Declarations& declarations, const TiledProductLimits& limits);

}  // namespace hone::test
