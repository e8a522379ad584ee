// The search space of the n-body simulation: what can be chosen of nbody.cl, where the meaning of each parameter
// stands.
#pragma once

#include <cstdint>

#include "hone/opencl.hpp"

namespace hone::apps::nbody {

/// The problem size n, the parameters BLOCK and UNROLL, and where `isWide` TILE, VECTOR and BODIES; constraints,
/// macros, geometry and local memory. Defaults: 256, or the largest that the device allows, and no unrolling; a tile of
/// one block, one body a work-item.
void declareSpace(opencl::TunedKernel& kernel, const opencl::DeviceFacts& facts, bool isWide);

}  // namespace hone::apps::nbody
