// What a test of the library on a virtual device stands on.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "hone/opencl.h"
#include "support/opencl_device.h"
#include "support/virtual_device/expect_clean.h"
#include "support/virtual_device/models/composed_model.h"

namespace hone::test {

/// A device, a context and a profiling queue on it, and a runtime; whatever is made on them has to be gone before.
struct VirtualBench {
  explicit VirtualBench(std::shared_ptr<LaunchModel> model, opencl::Work work = opencl::Work::bySteps,
                        DeviceDescription description = {},
                        cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE)
      : device(std::move(model), std::move(description)),
        clean(device),
        context(makeContext({device.id()})),
        queue(makeQueue(context.get(), device.id(), properties)),
        runtime(context.get(), device.id(), work) {}

  /// Random search: it tries every configuration of a small space. Diagnostics go to messages().
  Options options() {
    Options options;
    options.strategy = "random";
    options.diagnostics = [this](const Diagnostic& diagnostic) {
      const std::lock_guard<std::mutex> lock(messagesMutex);
      received.push_back(diagnostic.message);
    };
    return options;
  }
  std::vector<std::string> messages() {
    const std::lock_guard<std::mutex> lock(messagesMutex);
    return received;
  }

  std::mutex messagesMutex;
  std::vector<std::string> received;
  VirtualDevice device;
  const ExpectsClean clean;
  const OwnedContext context;
  const OwnedQueue queue;
  opencl::Runtime runtime;
};

/// out[i] = X * i: what the kernel "fill" of these tests computes.
inline void fillWithMultiples(const KernelCall& call) {
  const auto out = call.buffer<int>(0);
  for (std::size_t i = 0; i < call.global(0); ++i) out[i] = static_cast<int>(call.macro("X") * static_cast<int>(i));
}
constexpr const char* kFillSource =
    "kernel void fill(global int* out) { out[get_global_id(0)] = X * get_global_id(0); }";

/// A launch takes so many ns times the value of a macro.
inline std::shared_ptr<LaunchModel> timeByMacro(const std::string& name, double nsForOne) {
  return costing([=](const VirtualLaunch& launch) { return nsForOne * static_cast<double>(launch.macros.at(name)); });
}

}  // namespace hone::test
