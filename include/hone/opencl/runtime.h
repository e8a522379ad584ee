// One device in one context, and who prepares candidates for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

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

/// How candidates are prepared. The environment's HONE_WORKERS and HONE_WORKER stand above `workers` and `worker`.
struct RuntimeOptions {
  Work work = Work::byThread;
  /// How many processes compile candidates, at most. 0: this process compiles them, for which launches may have to
  /// wait. Empty: a quarter of the cores, at least 1, at most 8, and no more than have room in 5 % of the device's
  /// memory (each holds a context: 527 MiB on an H200). Processes that use the same device share its workers.
  std::optional<std::size_t> workers;
  /// The program hone-worker. Empty: it is looked for beside the library, and in libexec/hone of its prefix.
  std::string worker;
  /// A build that takes longer is stopped, and its configuration set aside. Workers only.
  std::chrono::nanoseconds compileLimit = std::chrono::seconds(30);
};

/// One device in one context: its compiler and the thread that prepares candidates. Keeps the context alive.
/// Must outlive the kernels made from it.
/// Thread safety: internally synchronised.
class HONE_API Runtime {
 public:
  template <class Context, class Device,
            std::enable_if_t<detail::wraps<Context, cl_context> && detail::wraps<Device, cl_device_id>, int> = 0>
  Runtime(const Context& context, const Device& device, Work work = Work::byThread)
      : Runtime(context, device, optionsWith(work)) {}
  /// Throws UsageError if the limit is not positive, or for something in the environment that cannot be understood.
  template <class Context, class Device,
            std::enable_if_t<detail::wraps<Context, cl_context> && detail::wraps<Device, cl_device_id>, int> = 0>
  Runtime(const Context& context, const Device& device, const RuntimeOptions& options)
      : Runtime(Handles{detail::unwrap(context), detail::unwrap(device)}, options) {}
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  cl_context context() const;
  cl_device_id device() const;
  /// What the device told when the runtime was made; valid as long as the runtime.
  const DeviceFacts& facts() const;

  /// Waits until the runtime's thread has nothing to do and no candidate is being compiled, for sections that want the
  /// host for themselves. While a kernel is exploring that can take as long as its search: settle() it first.
  void waitUntilIdle();

  /// Does what the runtime's thread would do next; returns whether there was anything to do now, which there may be
  /// again once a worker has compiled something. For programs that asked for Work::bySteps.
  bool step();

  detail::RuntimeState& state() { return *state_; }

 private:
  struct Handles {
    cl_context context;
    cl_device_id device;
  };
  /// Throws UsageError if the device is not one of the context's, Error if it does not tell what every device must.
  Runtime(Handles handles, const RuntimeOptions& options);
  static RuntimeOptions optionsWith(Work work) {
    RuntimeOptions options;
    options.work = work;
    return options;
  }

  std::unique_ptr<detail::RuntimeState> state_;
};

}  // namespace hone::opencl
