// Bodies of the kernels of instrumented programs, for devices that a script starts.
#pragma once

#include <map>
#include <string>

#include "support/virtual_device/kernel_call.h"

namespace hone::test::driver {

std::map<std::string, KernelBody> builtInKernels();

}  // namespace hone::test::driver
