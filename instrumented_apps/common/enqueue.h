// A kernel of a section: its arguments and its launch in one line.
//
//   cl::Event done = enqueueGroups(queue, program.kernel("mergeTiles"), groups, block, keys, out, n);
#pragma once

#include <cstddef>

#include "hone/opencl.hpp"

namespace hone::apps {

/// Sets all arguments and enqueues `groups` work-groups of `block` work-items each, in one dimension.
template <class... Arguments>
cl::Event enqueueGroups(const cl::CommandQueue& queue, cl::Kernel kernel, std::size_t groups, std::size_t block,
                        const Arguments&... arguments) {
  cl_uint index = 0;
  (kernel.setArg(index++, arguments), ...);
  cl::Event event;
  queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * block), cl::NDRange(block), nullptr, &event);
  return event;
}

constexpr std::size_t ceilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

}  // namespace hone::apps
