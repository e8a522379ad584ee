#include <algorithm>
#include <chrono>
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

/// Whether the device, or one that it is a part of, is the context's: PoCL 3.1 names the whole device even where the
/// context was made for a part.
bool isOf(cl_context context, cl_device_id device) {
  const std::vector<cl_device_id> devices = devicesOf(context);
  while (device && std::find(devices.begin(), devices.end(), device) == devices.end())
    device = detail::parentOf(device);
  return device != nullptr;
}

detail::OwnedContext retained(cl_context context) {
  detail::check(clRetainContext(context), "clRetainContext");
  return detail::OwnedContext(context);
}

// Compiling on a CPU device takes its cores from the launches. Beside a product that keeps both of two cores busy, a
// worker 3 steps below gets a third of a core (weights 526 and 1024 in Linux's sched_prio_to_weight): measured, 0.73
// builds a second and 86 % of the launches. 5 steps below, none was ready within 6 s; at the very bottom, a build would
// not end within its limit. On other devices the application's threads wait for the device most of the time, and what
// workers take from them should be little where they do not.
constexpr int kNicenessOnCpu = 3;
constexpr int kNiceness = 10;

// On a device of its own memory, loading a binary holds up one launch for 0.26 ms (H200, median; 0.5 ms at worst), and
// letting go of it for 0.06. As many candidates as a search mostly has come as fast as they are built, 100 of them
// within 7 s. One that goes on disturbs fewer than one launch of 0.3 ms in a thousand.
constexpr std::int64_t kLoadsAtOnce = 100;
constexpr std::chrono::milliseconds kLoadInterval(333);

/// How many workers the options and the environment ask for, and where their program is.
hone::detail::PoolSettings poolSettings(cl_device_id device, DeviceType type, const RuntimeOptions& options) {
  const hone::detail::WorkerSettings environment = hone::detail::workerSettings();
  cl_ulong bytes = 0;
  detail::check(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(bytes), &bytes, nullptr), "clGetDeviceInfo");
  const std::optional<std::size_t> asked = environment.workers ? environment.workers : options.workers;

  hone::detail::PoolSettings settings;
  settings.workers = asked.value_or(hone::detail::workersFor(hone::detail::ownCores(), bytes));
  if (settings.workers == 0) return settings;
  settings.slotCount = std::max(settings.workers, hone::detail::workersFor(hone::detail::machineCores(), bytes));
  settings.jobLimit = options.compileLimit;
  settings.hello = {detail::keyOf(device), type == DeviceType::cpu ? kNicenessOnCpu : kNiceness};
  if (type != DeviceType::cpu) {
    settings.loadsAtOnce = kLoadsAtOnce;
    settings.loadInterval = kLoadInterval;
  }
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
      pool_(poolSettings(device, facts_.type, options), inProcess_, hone::detail::steadyClock()),
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
  if (!isOf(handles.context, handles.device)) throw UsageError("Runtime: the device does not belong to the context");
  state_ = std::make_unique<detail::RuntimeState>(std::move(context), handles.device, options);
}

Runtime::~Runtime() {
  // A driver's threads do not exist there, so that releasing its objects may wait for ever.
  if (state_->isForkedChild()) state_.release();
}

cl_context Runtime::context() const { return state_->context(); }
cl_device_id Runtime::device() const { return state_->device(); }
const DeviceFacts& Runtime::facts() const { return state_->facts(); }
void Runtime::waitUntilIdle() { state_->background().waitUntilIdle(); }
bool Runtime::step() { return state_->background().step(); }

}  // namespace hone::opencl
