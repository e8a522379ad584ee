#include "nbody/space.h"

#include "legal_block.h"

namespace hone::apps::nbody {

void declareSpace(opencl::TunedKernel& kernel, const opencl::DeviceFacts& facts, bool isWide) {
  const auto [n] = kernel.problem("n");
  const auto addIfWide = [&](const char* name, const Range& range, std::int64_t value) -> Expression {
    if (isWide) return kernel.addParameter(name, range, value);
    kernel.define(name, value);
    return value;
  };
  const Range blocks = powersOfTwo(32, 1024);
  const Parameter block = kernel.addParameter("BLOCK", blocks, legalBlock(blocks, facts, 256));
  kernel.addParameter("UNROLL", powersOfTwo(1, 32), 1);
  const Expression tile = addIfWide("TILE", {0, 1, 2, 4}, 1);
  const Expression vector = addIfWide("VECTOR", powersOfTwo(1, 16), 1);
  const Expression bodies = addIfWide("BODIES", powersOfTwo(1, 4), 1);
  if (isWide) kernel.require(vector * bodies <= 16);  // each takes six registers

  kernel.buildOptions("-cl-fast-relaxed-math");  // what astronomers' kernels are compiled with
  kernel.localMemory(16 * tile * block);
  kernel.global(ceilDiv(n, block * bodies * vector) * block).local(block);
}

}  // namespace hone::apps::nbody
