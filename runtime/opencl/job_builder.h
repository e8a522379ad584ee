// One job for one device: from source to a binary that is warm.
#pragma once

#include <functional>

#include "compile/compile_service.h"
#include "hone/opencl/device_facts.h"

namespace hone::opencl::detail {

/// Builds the program, makes its kernels and, where the job says how, launches them with unreal data. A failure is a
/// result. `beforeWarming` is called before the first launch. The job's folder is the caller's affair.
/// REQUIRES: the context has no other device, since a program has a binary for each
hone::detail::CompileResult buildJob(cl_context context, cl_device_id device, std::uint64_t localMemoryBytes,
                                     const hone::detail::CompileJob& job,
                                     const std::function<void()>& beforeWarming = {});

}  // namespace hone::opencl::detail
