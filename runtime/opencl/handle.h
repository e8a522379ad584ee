// Owners of OpenCL objects. C handles, since the settings of the cl:: classes belong to the program that embeds us.
#pragma once

#include <memory>
#include <type_traits>

#include "hone/opencl.h"

namespace hone::opencl::detail {

template <auto ReleaseFunction>
struct Releaser {
  template <class Handle>
  void operator()(Handle handle) const {
    ReleaseFunction(handle);
  }
};

template <class Handle, auto ReleaseFunction>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<ReleaseFunction>>;

using OwnedContext = Owned<cl_context, clReleaseContext>;
using OwnedQueue = Owned<cl_command_queue, clReleaseCommandQueue>;
using OwnedMemory = Owned<cl_mem, clReleaseMemObject>;
using OwnedProgram = Owned<cl_program, clReleaseProgram>;
using OwnedKernel = Owned<cl_kernel, clReleaseKernel>;

}  // namespace hone::opencl::detail
