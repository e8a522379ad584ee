// hone/opencl.h for programs that use the cl:: classes: results convert to cl::Event, and cl::Local is an argument.
// Inline code only, so that the program's own CL_HPP_* settings apply and the library has none.
#pragma once

#ifndef CL_HPP_TARGET_OPENCL_VERSION
#define CL_HPP_TARGET_OPENCL_VERSION 300
#endif
#include <CL/opencl.hpp>

#include "hone/opencl.h"

namespace hone::opencl {

template <>
struct Event::Conversion<cl::Event> {
  static cl::Event from(Event&& event) { return cl::Event(event.release()); }
};

template <>
template <>
struct Kernel::Conversion<cl::Kernel> {
  static cl::Kernel from(cl_kernel kernel) { return cl::Kernel(kernel, true); }  // retained
};

template <>
template <>
struct Queue::Conversion<cl::CommandQueue> {
  static cl::CommandQueue from(cl_command_queue queue) { return cl::CommandQueue(queue, true); }  // retained
};

template <>
inline Argument Argument::of(const cl::LocalSpaceArg& local) {
  return {Kind::local, local.size_, nullptr, nullptr};
}

}  // namespace hone::opencl
