// What one launch of a program has enqueued: a kernel, or a section of several.
#pragma once

#include <optional>
#include <utility>

#include "hone/opencl.hpp"

namespace hone::apps {

/// The first and the last command of an in-order queue; for a single kernel the two are the same.
struct Launched {
  Launched(cl::Event only) : first(only), last(std::move(only)) {}
  Launched(cl::Event firstCommand, cl::Event lastCommand)
      : first(std::move(firstCommand)), last(std::move(lastCommand)) {}

  /// For stopMeasurement. Refers to this object.
  Elapsed elapsed() const { return opencl::elapsed(first, last); }
  void wait() const { last.wait(); }
  /// From the first command's start to the last one's end. Empty where the driver's timestamps are no times. REQUIRES:
  /// a profiling queue, and that both have completed
  std::optional<double> deviceMs() const {
    cl_int startError = CL_SUCCESS, endError = CL_SUCCESS;
    const cl_ulong start = first.getProfilingInfo<CL_PROFILING_COMMAND_START>(&startError);
    const cl_ulong end = last.getProfilingInfo<CL_PROFILING_COMMAND_END>(&endError);
    if (startError != CL_SUCCESS || endError != CL_SUCCESS || start == 0 || end <= start) return std::nullopt;
    return static_cast<double>(end - start) / 1e6;
  }

  cl::Event first, last;
};

}  // namespace hone::apps
