#include <algorithm>
#include <optional>

#include "compile/worker_count.h"
#include "compile/worker_program.h"
#include "environment.h"
#include "hone/error.h"
#include "opencl/device_key.h"
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

/// How many workers the options and the environment ask for, and where their program is.
hone::detail::PoolSettings poolSettings(cl_device_id device, const RuntimeOptions& options) {
  const hone::detail::WorkerSettings environment = hone::detail::workerSettings();
  cl_ulong bytes = 0;
  detail::check(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(bytes), &bytes, nullptr), "clGetDeviceInfo");
  const std::optional<std::size_t> asked = environment.workers ? environment.workers : options.workers;

  hone::detail::PoolSettings settings;
  settings.workers = asked.value_or(hone::detail::workersFor(hone::detail::ownCores(), bytes));
  if (settings.workers == 0) return settings;
  settings.slotCount = std::max(settings.workers, hone::detail::workersFor(hone::detail::machineCores(), bytes));
  settings.jobLimit = options.compileLimit;
  settings.device = detail::keyOf(device);
  settings.slots = detail::rootIdentity(device);
  settings.program = !environment.program.empty() ? environment.program
                     : !options.worker.empty()    ? options.worker
                                                  : hone::detail::findWorkerProgram();
  if (settings.program.empty())
    settings.obstacle = "hone-worker was not found beside the library; HONE_WORKER names it";
  return settings;
}

}  // namespace

namespace detail {

RuntimeState::RuntimeState(OwnedContext context, cl_device_id device, const RuntimeOptions& options)
    : context_(std::move(context)),
      device_(device),
      facts_(deviceFacts(device)),
      profilingQueues_(context_.get(), device),
      inProcess_(context_.get(), device, facts_.localMemoryBytes),
      pool_(poolSettings(device, options), inProcess_, hone::detail::steadyClock()),
      background_(options.work == Work::byThread ? hone::detail::Background::Driver::ownThread
                                                 : hone::detail::Background::Driver::steps) {
  background_.add(poolTask_);
  background_.add(inProcess_);
}

RuntimeState::~RuntimeState() {
  background_.remove(poolTask_);
  background_.remove(inProcess_);
}

}  // namespace detail

Runtime::Runtime(Handles handles, const RuntimeOptions& options) {
  if (options.compileLimit.count() <= 0) throw UsageError("Runtime: the limit for compiling is not positive");
  detail::OwnedContext context = retained(handles.context);
  const std::vector<cl_device_id> devices = devicesOf(handles.context);
  if (std::find(devices.begin(), devices.end(), handles.device) == devices.end())
    throw UsageError("Runtime: the device does not belong to the context");
  state_ = std::make_unique<detail::RuntimeState>(std::move(context), handles.device, options);
}

Runtime::~Runtime() = default;

cl_context Runtime::context() const { return state_->context(); }
cl_device_id Runtime::device() const { return state_->device(); }
const DeviceFacts& Runtime::facts() const { return state_->facts(); }
void Runtime::waitUntilIdle() { state_->background().waitUntilIdle(); }
bool Runtime::step() { return state_->background().step(); }

}  // namespace hone::opencl
