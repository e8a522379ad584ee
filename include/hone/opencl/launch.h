// What a launch takes besides the kernel: queue, wait list, offset, problem sizes and arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hone/error.h"
#include "hone/expression.h"
#include "hone/integer.h"
#include "hone/opencl/handles.h"

namespace hone::opencl {

/// A problem size in the order of declaration; made from any integer.
struct Size {
  template <class T, IfInteger<T> = 0>
  Size(T size) : value(toInt64(size)) {}
  std::int64_t value;
};

/// Where and when to launch: what an enqueue call takes besides the kernel.
class Launch {
 public:
  template <class Queue, std::enable_if_t<detail::wraps<Queue, cl_command_queue>, int> = 0>
  Launch(const Queue& queue) : queue_(detail::unwrap(queue)) {}
  /// Starts after all events of a list: cl_event, cl::Event or Event.
  template <class Queue, class Events, std::enable_if_t<detail::wraps<Queue, cl_command_queue>, int> = 0>
  Launch(const Queue& queue, const Events& waitFor) : Launch(queue) {
    for (const auto& event : waitFor) waitFor_.push_back(detail::unwrap(event));
  }
  /// `offset` is the global work offset, one number per dimension of the kernel's global size.
  template <class Queue, class Events = std::vector<cl_event>,
            std::enable_if_t<detail::wraps<Queue, cl_command_queue>, int> = 0>
  Launch(const Queue& queue, const Events& waitFor, std::initializer_list<Size> offset) : Launch(queue, waitFor) {
    for (Size size : offset) {
      if (size.value < 0) throw UsageError("the global offset " + std::to_string(size.value) + " is negative");
      offset_.push_back(static_cast<std::size_t>(size.value));
    }
  }

  /// The same with a cl::NDRange, or whatever else has get() and dimensions() as it has.
  template <class Queue, class Events, class Range, std::enable_if_t<detail::wraps<Queue, cl_command_queue>, int> = 0,
            class = decltype(std::declval<const Range&>().get()[std::declval<const Range&>().dimensions()])>
  Launch(const Queue& queue, const Events& waitFor, const Range& offset) : Launch(queue, waitFor) {
    offset_.assign(offset.get(), offset.get() + offset.dimensions());
  }

  cl_command_queue queue() const { return queue_; }
  const std::vector<cl_event>& waitFor() const { return waitFor_; }
  const std::vector<std::size_t>& offset() const { return offset_; }

 private:
  cl_command_queue queue_;
  std::vector<cl_event> waitFor_;
  std::vector<std::size_t> offset_;
};

/// A `__local` argument of as many bytes as the expression gives for the configuration that is launched.
struct LocalBytes {
  Expression bytes;
};
inline LocalBytes localBytes(Expression bytes) { return {std::move(bytes)}; }

/// One kernel argument; refers to the object it was made from.
class Argument {
 public:
  enum class Kind {
    scalar,
    memory,
    sampler,
    local,
    null
  };

  /// A buffer, sub-buffer, image or pipe; a sampler; a LocalBytes; nullptr for a buffer that is not there; or any
  /// trivially copyable value (numbers, cl_float4, structs), passed as its bytes.
  template <class T>
  static Argument of(const T& value) {
    if constexpr (detail::wraps<T, cl_mem>) {
      return {Kind::memory, sizeof(cl_mem), nullptr, detail::unwrap(value)};
    } else if constexpr (detail::wraps<T, cl_sampler>) {
      return {Kind::sampler, sizeof(cl_sampler), nullptr, detail::unwrap(value)};
    } else if constexpr (std::is_same_v<T, LocalBytes>) {
      return {Kind::local, 0, &value.bytes, nullptr};
    } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
      return {Kind::null, sizeof(cl_mem), nullptr, nullptr};
    } else {
      static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_same_v<T, bool>,
                    "not a kernel argument: pass buffers, samplers, localBytes or trivially copyable values");
      return {Kind::scalar, sizeof(T), &value, nullptr};
    }
  }

  Kind kind() const { return kind_; }
  std::size_t size() const { return size_; }       // bytes of a scalar or of a handle
  const void* data() const { return data_; }       // the scalar's bytes
  void* const& handle() const { return handle_; }  // the cl_mem or cl_sampler
  const Expression& localBytes() const { return *static_cast<const Expression*>(data_); }

 private:
  Argument(Kind kind, std::size_t size, const void* data, void* handle)
      : kind_(kind), size_(size), data_(data), handle_(handle) {}

  Kind kind_;
  std::size_t size_;
  const void* data_;
  void* handle_;
};

}  // namespace hone::opencl
