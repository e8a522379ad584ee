// Every OpenCL return code goes through here, so that each error names its call.
#pragma once

#include <string>

#include "hone/opencl.h"

namespace hone::opencl::detail {

/// "CL_OUT_OF_RESOURCES", or "OpenCL error -9999" for a code that the standard does not know.
std::string errorName(cl_int code);

/// "clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES (-5)"
std::string describeError(const std::string& call, cl_int code);

/// Throws Error unless the code is CL_SUCCESS.
void check(cl_int code, const char* call);

}  // namespace hone::opencl::detail
