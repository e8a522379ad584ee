#include <algorithm>

#include "opencl/error.h"
#include "opencl/runtime_state.h"

namespace hone::opencl {

namespace {

std::vector<cl_device_id> devicesOf(cl_context context) {
  cl_uint count = 0;
  detail::check(clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count, nullptr), "clGetContextInfo");
  std::vector<cl_device_id> devices(count);
  detail::check(clGetContextInfo(context, CL_CONTEXT_DEVICES, count * sizeof(cl_device_id), devices.data(), nullptr),
                "clGetContextInfo");
  return devices;
}

detail::OwnedContext retained(cl_context context) {
  detail::check(clRetainContext(context), "clRetainContext");
  return detail::OwnedContext(context);
}

}  // namespace

namespace detail {

RuntimeState::RuntimeState(OwnedContext context, cl_device_id device, Work work)
    : context_(std::move(context)),
      device_(device),
      facts_(deviceFacts(device)),
      profilingQueues_(context_.get(), device),
      compiler_(context_.get(), device, facts_.localMemoryBytes),
      background_(work == Work::byThread ? hone::detail::Background::Driver::ownThread
                                         : hone::detail::Background::Driver::steps) {
  background_.add(compiler_);
}

RuntimeState::~RuntimeState() { background_.remove(compiler_); }

}  // namespace detail

Runtime::Runtime(Handles handles, Work work) {
  detail::OwnedContext context = retained(handles.context);
  const std::vector<cl_device_id> devices = devicesOf(handles.context);
  if (std::find(devices.begin(), devices.end(), handles.device) == devices.end())
    throw UsageError("Runtime: the device does not belong to the context");
  state_ = std::make_unique<detail::RuntimeState>(std::move(context), handles.device, work);
}

Runtime::~Runtime() = default;

cl_context Runtime::context() const { return state_->context(); }
cl_device_id Runtime::device() const { return state_->device(); }
const DeviceFacts& Runtime::facts() const { return state_->facts(); }
void Runtime::waitUntilIdle() { state_->background().waitUntilIdle(); }
bool Runtime::step() { return state_->background().step(); }

}  // namespace hone::opencl
