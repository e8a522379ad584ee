#include "opencl/device_limits.h"

namespace hone::opencl::detail {

void requireWorkGroup(const DeviceFacts& facts, const std::vector<Expression>& sizes, Declarations& declarations) {
  Expression workGroup = sizes[0];
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) workGroup = workGroup * sizes[i];
    declarations.require(sizes[i] >= 1 && sizes[i] <= facts.maxWorkItemSizes.at(i));
  }
  declarations.require(workGroup <= facts.maxWorkGroupSize);
}

void requireLocalMemory(const DeviceFacts& facts, const Expression& bytes, Declarations& declarations) {
  declarations.require(bytes <= facts.localMemoryBytes);
}

}  // namespace hone::opencl::detail
