// hone-worker: compiles variants for an application that has started it, see compile/worker_side.h.

#include <cstdio>
#include <memory>

#include "compile/worker_side.h"
#include "hone/opencl/device_facts.h"
#include "opencl/device_key.h"
#include "opencl/error.h"
#include "opencl/handle.h"
#include "opencl/job_builder.h"

namespace hone::opencl::detail {
namespace {

using hone::detail::CompileJob;
using hone::detail::CompileResult;

/// Builds in a context with the device alone.
class DeviceBuilder final : public hone::detail::JobBuilder {
 public:
  /// Throws Error if there is no such device, or if it takes no other process.
  explicit DeviceBuilder(const std::string& key)
      : device_(deviceOf(key)), localMemoryBytes_(factsOf(device_).localMemoryBytes) {
    cl_int code = CL_SUCCESS;
    context_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    check(code, "clCreateContext");
  }

  CompileResult build(const CompileJob& job, const std::function<void()>& beforeWarming) override {
    return buildJob(context_.get(), device_, localMemoryBytes_, job, beforeWarming);
  }

 private:
  const cl_device_id device_;
  const std::uint64_t localMemoryBytes_;
  OwnedContext context_;
};

}  // namespace
}  // namespace hone::opencl::detail

int main() {
  const int result = hone::detail::serve(
      [](const std::string& device) { return std::make_unique<hone::opencl::detail::DeviceBuilder>(device); });
  std::fputs("hone-worker is started by programs that tune their OpenCL kernels with Hone\n", stderr);
  return result;
}
