// OpenCL handles that a measurement lends to its section.
#pragma once

#include <utility>

#include "hone/opencl/handles.h"

namespace hone::opencl {

/// A handle that stays the library's or the application's own; Handle is cl_kernel or cl_command_queue.
template <class Handle>
class BorrowedHandle {
 public:
  explicit BorrowedHandle(Handle handle) : handle_(handle) {}

  Handle operator()() const { return handle_; }

  /// Specialised by hone/opencl.hpp for cl::Kernel and cl::CommandQueue.
  template <class T>
  struct Conversion;
  template <class T, class = decltype(Conversion<T>::from(std::declval<Handle>()))>
  operator T() const {
    return Conversion<T>::from(handle_);
  }

 private:
  Handle handle_;
};

}  // namespace hone::opencl
