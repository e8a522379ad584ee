// The device's limits as constraints.
#pragma once

#include <vector>

#include "hone/declarations.h"
#include "hone/opencl/device_facts.h"

namespace hone::opencl::detail {

/// Requires a work-group of these sizes, 1 to 3 of them, to be within the device's limits.
void requireWorkGroup(const DeviceFacts& facts, const std::vector<Expression>& sizes, Declarations& declarations);

/// The same for a work-group's bytes of local memory.
void requireLocalMemory(const DeviceFacts& facts, const Expression& bytes, Declarations& declarations);

}  // namespace hone::opencl::detail
