// What the kernels of one device share: its context, its compile service and the background thread.
#pragma once

#include "background.h"
#include "clock.h"
#include "compile/worker_pool.h"
#include "fork_guard.h"
#include "hone/opencl/device_facts.h"
#include "hone/opencl/runtime.h"
#include "opencl/handle.h"
#include "opencl/in_process_compiler.h"
#include "opencl/profiling_queues.h"

namespace hone::opencl::detail {

/// Steps a pool of workers on the background thread.
class PoolTask final : public hone::detail::BackgroundTask {
 public:
  explicit PoolTask(hone::detail::WorkerPool& pool) : pool_(pool) {}
  bool step() override { return pool_.step(); }
  void addWaits(hone::detail::Waits& waits) override {
    pool_.addWaits(waits.descriptors);
    waits.addTime(pool_.nextEventIn());
    waits.isBusy = waits.isBusy || pool_.isBusy();
  }

 private:
  hone::detail::WorkerPool& pool_;
};

class RuntimeState {
 public:
  /// Takes over a reference to the context. Throws Error if the device does not tell what every device must, UsageError
  /// as Runtime does.
  RuntimeState(OwnedContext context, cl_device_id device, const RuntimeOptions& options);
  ~RuntimeState();

  cl_context context() const { return context_.get(); }
  cl_device_id device() const { return device_; }
  const DeviceFacts& facts() const { return facts_; }
  /// Whether a kernel's first launch has to finish its compilation: measured so on CPU implementations, while GPU
  /// drivers finish with clCreateKernel.
  bool doesFirstLaunchCompile() const { return facts_.type == DeviceType::cpu; }
  /// Whether launches run on the cores that compile.
  bool doBuildsTakeFromLaunches() const { return facts_.type == DeviceType::cpu; }

  ProfilingQueues& profilingQueues() { return profilingQueues_; }
  hone::detail::Background& background() { return background_; }
  hone::detail::CompileService& compiler() { return *service_; }
  const hone::detail::Clock& clock() const { return *clock_; }
  /// Whether the process was forked since the runtime was made.
  bool isForkedChild() const { return forkGuard_.isForkedChild(); }

  /// Says who compiles and what time it is, instead of the runtime's workers and the steady clock; both must outlive
  /// the runtime. Whoever steps the service adds it to background(). REQUIRES: there is no kernel yet
  void use(hone::detail::CompileService& service, const hone::detail::Clock& clock) {
    service_ = &service;
    clock_ = &clock;
  }

 private:
  const hone::detail::ForkGuard forkGuard_;
  const OwnedContext context_;
  const cl_device_id device_;
  const DeviceFacts facts_;
  ProfilingQueues profilingQueues_;
  InProcessCompiler inProcess_;
  hone::detail::WorkerPool pool_;
  PoolTask poolTask_{pool_};
  hone::detail::CompileService* service_ = &pool_;
  const hone::detail::Clock* clock_ = &hone::detail::steadyClock();
  hone::detail::Background background_;
};

}  // namespace hone::opencl::detail
