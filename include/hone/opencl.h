// Hone for OpenCL: an object in place of the kernel, and event times for the three calls.
//
//   hone::opencl::Runtime runtime(context, device);
//   hone::opencl::TunedKernel gemm(runtime, source, "gemm");
//   auto [M, N, K] = gemm.problem("M", "N", "K");
//   auto MWG = gemm.addParameter("MWG", {16, 32, 64, 128}, 64);
//   ...
//   gemm.build();
//   hone::opencl::Event done = gemm(queue, {m, n, k}, m, n, k, a, b, c);
//
// Works with the C handles and with any wrapper whose operator() gives the handle, as the cl:: classes do. Include
// hone/opencl.hpp instead to get cl::Event results as well.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hone/api.h"
#include "hone/hone.h"

namespace hone::opencl {

/// An OpenCL call failed that was not a candidate's: the default did not build or run, or an argument is wrong.
class HONE_API Error : public std::runtime_error {
 public:
  Error(const std::string& message, cl_int code) : std::runtime_error(message), code_(code) {}
  cl_int code() const { return code_; }

 private:
  cl_int code_;
};

namespace detail {

template <class T>
inline constexpr bool isHandle =
    std::is_same_v<T, cl_context> || std::is_same_v<T, cl_device_id> || std::is_same_v<T, cl_command_queue> ||
    std::is_same_v<T, cl_mem> || std::is_same_v<T, cl_sampler> || std::is_same_v<T, cl_event>;

template <class T, class = void>
struct HandleOf {
  using type = std::conditional_t<isHandle<T>, T, void>;
};
template <class T>
struct HandleOf<T, std::void_t<decltype(std::declval<const T&>()())>> {
  using returned = std::decay_t<decltype(std::declval<const T&>()())>;
  using type = std::conditional_t<isHandle<returned>, returned, void>;
};

/// T is the handle itself or a wrapper whose operator() gives it.
template <class T, class Handle>
inline constexpr bool wraps = std::is_same_v<typename HandleOf<T>::type, Handle>;

template <class T>
typename HandleOf<T>::type unwrap(const T& object) {
  if constexpr (isHandle<T>) {
    return object;
  } else {
    return object();
  }
}

class KernelLauncher;
class RuntimeState;

}  // namespace detail

/// Owns one reference to a cl_event.
class HONE_API Event {
 public:
  Event() = default;
  /// Takes over the caller's reference.
  explicit Event(cl_event owned) : event_(owned) {}
  Event(const Event& other) : event_(other.event_) {
    if (event_) clRetainEvent(event_);
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~Event() {
    if (event_) clReleaseEvent(event_);
  }

  /// The handle; null if empty. Still owned by this object.
  cl_event operator()() const { return event_; }
  /// Gives the reference to the caller.
  cl_event release() { return std::exchange(event_, nullptr); }
  /// Waits for the event. Throws Error if the command failed.
  void wait() const;

  /// Specialised by hone/opencl.hpp for cl::Event.
  template <class T>
  struct Conversion;
  template <class T, class = decltype(Conversion<T>::from(std::declval<Event&&>()))>
  operator T() && {
    return Conversion<T>::from(std::move(*this));
  }

 private:
  cl_event event_ = nullptr;
};

namespace detail {
HONE_API Elapsed elapsedBetween(cl_event first, cl_event last);
}

/// For Tuner::stopMeasurement: the device time of one command.
template <class EventType, std::enable_if_t<detail::wraps<EventType, cl_event>, int> = 0>
Elapsed elapsed(const EventType& event) {
  return detail::elapsedBetween(detail::unwrap(event), detail::unwrap(event));
}
/// From the start of the first command to the end of the last one. stopMeasurement throws UsageError if they ran on
/// different devices; it asks where it keeps the time, as it does in the first launches of each problem.
template <class EventType, std::enable_if_t<detail::wraps<EventType, cl_event>, int> = 0>
Elapsed elapsed(const EventType& first, const EventType& last) {
  return detail::elapsedBetween(detail::unwrap(first), detail::unwrap(last));
}

/// Who prepares candidates.
enum class Work {
  byThread,  // a thread of the runtime's, started with the first kernel that tunes
  bySteps    // the program, by calling Runtime::step()
};

/// One device in one context: its compiler and the thread that prepares candidates. Keeps the context alive.
/// Must outlive the kernels made from it.
/// Thread safety: internally synchronised.
class HONE_API Runtime {
 public:
  template <class Context, class Device,
            std::enable_if_t<detail::wraps<Context, cl_context> && detail::wraps<Device, cl_device_id>, int> = 0>
  Runtime(const Context& context, const Device& device, Work work = Work::byThread)
      : Runtime(Handles{detail::unwrap(context), detail::unwrap(device)}, work) {}
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  cl_context context() const;
  cl_device_id device() const;

  /// Waits until the runtime's thread has nothing to do, for sections that want the host for themselves. While a kernel
  /// is exploring that can take as long as its search: settle() it first.
  void waitUntilIdle();

  /// Does what the runtime's thread would do next; returns whether there was anything to do. For programs that asked
  /// for Work::bySteps.
  bool step();

  detail::RuntimeState& state() { return *state_; }

 private:
  struct Handles {
    cl_context context;
    cl_device_id device;
  };
  /// Throws UsageError if the device is not one of the context's.
  Runtime(Handles handles, Work work);

  std::unique_ptr<detail::RuntimeState> state_;
};

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

/// A kernel that tunes itself: an object in place of the cl_kernel.
///
/// Parameters become -D macros. Each launch runs a configuration that is compiled already: the best one known, or a
/// candidate. A candidate that fails to build or to launch costs the caller nothing: another variant does the launch,
/// in the same call. Costs are device times, so the queues need CL_QUEUE_PROFILING_ENABLE; on others the default runs.
/// Thread safety: launches and report() are internally synchronised; declarations are externally synchronised.
class HONE_API TunedKernel : public Declarations {
 public:
  /// `source` is OpenCL C, `kernelName` the kernel in it. Throws UsageError for an unknown strategy.
  TunedKernel(Runtime& runtime, std::string source, std::string kernelName, Options options = {});
  ~TunedKernel();

  /// Compiler options for every variant, in addition to the macros: "-cl-mad-enable -I include".
  TunedKernel& buildOptions(std::string options);
  /// A macro derived from parameters and problem sizes. A problem size in a macro makes problems for which it differs
  /// have variants of their own. Throws UsageError if the name is empty or taken.
  TunedKernel& define(const std::string& name, const Expression& value);
  /// The global and the local work size, in 1 to 3 dimensions. Without local(), the OpenCL implementation chooses.
  template <class... Expressions>
  TunedKernel& global(const Expressions&... sizes) {
    static_assert(sizeof...(sizes) >= 1 && sizeof...(sizes) <= 3, "1 to 3 dimensions");
    return setGlobal({Expression(sizes)...});
  }
  template <class... Expressions>
  TunedKernel& local(const Expressions&... sizes) {
    static_assert(sizeof...(sizes) >= 1 && sizeof...(sizes) <= 3, "1 to 3 dimensions");
    return setLocal({Expression(sizes)...});
  }
  /// The bytes of local memory that a work-group uses; configurations beyond the device's limit are left out.
  TunedKernel& localMemory(const Expression& bytes);

  /// Ends the declarations and compiles the default, unless a macro of it needs a problem size. The first launch does
  /// it otherwise. Throws UsageError if the declarations contradict each other, Error with the build log if the default
  /// does not compile.
  void build();

  /// Launches the kernel; the event is the launch's. `problem` gives the declared problem sizes in order.
  /// Throws UsageError for a queue of another context or device, or for a wrong number of problem sizes or arguments;
  /// Error if the default itself cannot be launched with these arguments.
  template <class... Arguments>
  Event operator()(const Launch& launch, std::initializer_list<Size> problem, const Arguments&... arguments) {
    const std::array<Argument, sizeof...(Arguments)> list{Argument::of(arguments)...};
    return run(launch, problem, list.data(), list.size());
  }

  /// Ends exploring for the problems launched so far: no candidate runs any more. 15 launches of the default beside as
  /// many of the incumbent decide which of the two runs from then on. Where a problem has settled already, they are
  /// compared anew.
  void settle();

  /// Throws UsageError if the problem was never launched.
  Report report(std::initializer_list<Size> problem) const;

 private:
  TunedKernel& setGlobal(std::vector<Expression> sizes);
  TunedKernel& setLocal(std::vector<Expression> sizes);
  Event run(const Launch& launch, std::initializer_list<Size> problem, const Argument* arguments, std::size_t count);

  std::unique_ptr<detail::KernelLauncher> launcher_;
};

}  // namespace hone::opencl
