// One device in one context, and who prepares candidates for it.
#pragma once

#include <memory>

#include "hone/api.h"
#include "hone/opencl/device_facts.h"
#include "hone/opencl/handles.h"

namespace hone::opencl {

namespace detail {
class RuntimeState;
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
  /// What the device told when the runtime was made; valid as long as the runtime.
  const DeviceFacts& facts() const;

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
  /// Throws UsageError if the device is not one of the context's, Error if it does not tell what every device must.
  Runtime(Handles handles, Work work);

  std::unique_ptr<detail::RuntimeState> state_;
};

}  // namespace hone::opencl
