#include "hone/opencl/tuned_kernel.h"

#include "opencl/argument_shape.h"
#include "opencl/detour.h"
#include "opencl/error.h"
#include "opencl/program_tuner.h"

namespace hone::opencl {

using detail::check;
using detail::describeError;
using detail::Detour;
using detail::Geometry;
using detail::PreparedVariant;
using detail::ProfilingQueues;
using detail::Variant;
using hone::detail::kMaximumProblemSizes;
using hone::detail::OpenMeasurement;
using hone::detail::StartedLaunch;

namespace {

struct ProblemArray {
  ProblemArray(const std::string& owner, std::initializer_list<Size> problem) : count(problem.size()) {
    if (count > kMaximumProblemSizes)
      throw UsageError(owner + ": " + std::to_string(count) +
                       " problem sizes were given; that many are never declared");
    std::size_t i = 0;
    for (Size size : problem) values[i++] = size.value;
  }
  std::array<std::int64_t, kMaximumProblemSizes> values{};
  std::size_t count;
};

void checkQueue(cl_command_queue queue, const detail::RuntimeState& runtime, const std::string& kernel) {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, nullptr), "clGetCommandQueueInfo");
  check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr), "clGetCommandQueueInfo");
  if (context != runtime.context()) throw UsageError(kernel + ": the queue belongs to another context");
  if (device != runtime.device()) throw UsageError(kernel + ": the queue belongs to another device");
}

std::unique_ptr<detail::KernelPlan> planFor(const std::string& kernelName) {
  return std::make_unique<detail::KernelPlan>(kernelName);
}

/// Throws Error, naming the argument, if the driver does not take one.
void setArguments(cl_kernel kernel, const StartedLaunch& started, const hone::detail::DeclarationData& declarations,
                  const std::int64_t* problem, const Argument* arguments, std::size_t count) {
  for (cl_uint i = 0; i < count; ++i) {
    const Argument& argument = arguments[i];
    const void* value = nullptr;
    std::size_t size = argument.size();
    switch (argument.kind()) {
      case Argument::Kind::scalar: value = argument.data(); break;
      case Argument::Kind::memory:
      case Argument::Kind::sampler: value = &argument.handle(); break;
      case Argument::Kind::null: break;
      case Argument::Kind::local:
        size = detail::localBytesOf(argument, declarations, started.open.values, problem);
        break;
    }
    const cl_int code = clSetKernelArg(kernel, i, size, value);
    if (code != CL_SUCCESS)
      throw Error(describeError("clSetKernelArg " + std::to_string(i) + " of " + declarations.owner, code), code);
  }
}

struct Enqueued {
  Event event;
  std::string whyUnmeasured;  // where a time was wanted and the driver refused what that takes
};

/// A sampled launch takes the way round by a profiling queue where its own queue gives no times. Throws Error or
/// UsageError if it cannot be launched.
Enqueued enqueue(const StartedLaunch& started, const Launch& launch, ProfilingQueues& profilingQueues,
                 const hone::detail::DeclarationData& declarations, const std::int64_t* problem,
                 const Argument* arguments, std::size_t count) {
  const std::string& name = declarations.owner;
  const auto& prepared = static_cast<const PreparedVariant&>(*started.prepared);
  const Geometry& geometry = prepared.geometry;
  if (!launch.offset().empty() && launch.offset().size() != geometry.dimensions) {
    throw UsageError(name + ": the offset has " + std::to_string(launch.offset().size()) +
                     " dimensions, the global size " + std::to_string(geometry.dimensions));
  }
  if (count != prepared.variant->argumentCount()) {  // a pooled kernel would still hold those of an earlier launch
    throw UsageError(name + ": " + std::to_string(count) + " arguments were given, the kernel takes " +
                     std::to_string(prepared.variant->argumentCount()));
  }
  const Variant::Lease lease(*prepared.variant);
  setArguments(lease.kernel(), started, declarations, problem, arguments, count);

  const auto enqueueOn = [&](cl_command_queue queue, const cl_event* waitFor, std::size_t waitCount) {
    cl_event event = nullptr;
    const cl_int code = clEnqueueNDRangeKernel(
        queue, lease.kernel(), geometry.dimensions, launch.offset().empty() ? nullptr : launch.offset().data(),
        geometry.global.data(), geometry.hasLocal ? geometry.local.data() : nullptr, static_cast<cl_uint>(waitCount),
        waitCount == 0 ? nullptr : waitFor, &event);
    if (code != CL_SUCCESS) throw Error(describeError("clEnqueueNDRangeKernel of " + name, code), code);
    return Event(event);
  };
  std::string whyUnmeasured;
  if (started.open.isSampled) {
    try {
      if (auto standIn = profilingQueues.standInFor(launch.queue())) {
        Detour detour(profilingQueues, std::move(*standIn), launch);
        Event event = enqueueOn(detour.queue(), detour.waitFor(), detour.waitCount());
        detour.end(event);
        return {std::move(event), {}};
      }
    } catch (const Error& error) {
      whyUnmeasured = error.what();  // the launch itself may be at fault, and fail below as well
    }
  }
  return {enqueueOn(launch.queue(), launch.waitFor().data(), launch.waitFor().size()), std::move(whyUnmeasured)};
}

}  // namespace

TunedKernel::TunedKernel(Runtime& runtime, std::string source, std::string kernelName, Options options)
    : ProgramDeclarations(runtime, std::move(source), kernelName, planFor(kernelName), std::move(options)) {}

TunedKernel::~TunedKernel() = default;

TunedKernel& TunedKernel::setGlobal(std::vector<Expression> sizes) {
  data().checkOpen("the global size");
  for (const Expression& size : sizes) data().checkReads(size, "the global size");
  tuner().plan().geometry().global = std::move(sizes);
  return *this;
}

TunedKernel& TunedKernel::setLocal(std::vector<Expression> sizes) {
  data().checkOpen("the local size");
  for (const Expression& size : sizes) data().checkReads(size, "the local size");
  tuner().plan().geometry().local = std::move(sizes);
  return *this;
}

TunedKernel& TunedKernel::requireEnoughWorkGroups() {
  data().checkOpen("the requirement of enough work-groups");
  tuner().plan().requireEnoughWorkGroups();
  return *this;
}

Event TunedKernel::run(const Launch& launch, std::initializer_list<Size> problemSizes, const Argument* arguments,
                       std::size_t count) {
  build();
  checkQueue(launch.queue(), tuner().runtime(), data().owner);
  const ProblemArray problem(data().owner, problemSizes);
  ProfilingQueues& profilingQueues = tuner().runtime().profilingQueues();
  Enqueued enqueued;
  OpenMeasurement open;
  tuner().launch(problem.values.data(), problem.count, [&](const StartedLaunch& started, bool isFirst) {
    enqueued = enqueue(started, launch, profilingQueues, data(), problem.values.data(), arguments, count);
    open = started.open;
    // Candidates are warmed up with arguments that have worked once.
    if (isFirst) tuner().plan().remember(open.session, launch, arguments, count);
  });
  if (open.isSampled) tuner().core().stopWithEvents(open, elapsed(enqueued.event));
  if (!enqueued.whyUnmeasured.empty() && profilingQueues.isToBeTold())
    tuner().core().deliver("a launch could not be measured on a queue of the runtime's: " + enqueued.whyUnmeasured);
  return std::move(enqueued.event);
}

Report TunedKernel::report(std::initializer_list<Size> problemSizes) const {
  const ProblemArray problem(data().owner, problemSizes);
  return tuner().core().report(problem.values.data(), problem.count);
}

}  // namespace hone::opencl
