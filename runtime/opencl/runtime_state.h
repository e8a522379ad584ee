// What the kernels of one device share: its context, its compile service and the background thread.
#pragma once

#include "background.h"
#include "hone/opencl/device_facts.h"
#include "opencl/handle.h"
#include "opencl/in_process_compiler.h"
#include "opencl/profiling_queues.h"
#include "tuner_core.h"

namespace hone::opencl::detail {

class RuntimeState {
 public:
  /// Takes over a reference to the context. Throws Error if the device does not tell what every device must.
  RuntimeState(OwnedContext context, cl_device_id device, Work work);
  ~RuntimeState();

  cl_context context() const { return context_.get(); }
  cl_device_id device() const { return device_; }
  const DeviceFacts& facts() const { return facts_; }
  /// Whether a kernel's first launch has to finish its compilation: measured so on CPU implementations, while GPU
  /// drivers finish with clCreateKernel.
  bool doesFirstLaunchCompile() const { return facts_.type == DeviceType::cpu; }

  ProfilingQueues& profilingQueues() { return profilingQueues_; }
  hone::detail::Background& background() { return background_; }
  hone::detail::CompileService& compiler() { return *service_; }
  const hone::detail::Clock& clock() const { return *clock_; }

  /// Says who compiles and what time it is, instead of the runtime's compiler and the steady clock; both must outlive
  /// the runtime. Whoever steps the service adds it to background(). REQUIRES: there is no kernel yet
  void use(hone::detail::CompileService& service, const hone::detail::Clock& clock) {
    service_ = &service;
    clock_ = &clock;
  }

 private:
  const OwnedContext context_;
  const cl_device_id device_;
  const DeviceFacts facts_;
  ProfilingQueues profilingQueues_;
  InProcessCompiler compiler_;
  hone::detail::CompileService* service_ = &compiler_;
  const hone::detail::Clock* clock_ = &hone::detail::steadyClock();
  hone::detail::Background background_;
};

}  // namespace hone::opencl::detail
