// The device's limits as constraints.
#pragma once

#include <vector>

#include "hone/declarations.h"
#include "hone/opencl/handles.h"

namespace hone::opencl::detail {

/// Requires a work-group of these sizes, 1 to 3 of them, to be within the device's limits. Throws Error if the device
/// cannot be asked.
void requireWorkGroup(cl_device_id device, const std::vector<Expression>& sizes, Declarations& declarations);

/// The same for a work-group's bytes of local memory.
void requireLocalMemory(cl_device_id device, const Expression& bytes, Declarations& declarations);

}  // namespace hone::opencl::detail
