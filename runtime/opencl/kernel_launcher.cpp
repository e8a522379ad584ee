#include "opencl/kernel_launcher.h"

#include <exception>

#include "opencl/argument_shape.h"
#include "opencl/error.h"

namespace hone::opencl::detail {

using hone::detail::ArgumentShape;
using hone::detail::Candidate;
using hone::detail::CompileJob;
using hone::detail::CompileResult;
using hone::detail::kMaximumProblemSizes;
using hone::detail::OpenMeasurement;
using hone::detail::Session;
using hone::detail::StartedLaunch;
using hone::detail::WarmUp;

namespace {

constexpr std::size_t kLargeGrid = 65536;  // work-items in a dimension from which PoCL 3.1 compiles another function

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

}  // namespace

KernelLauncher::KernelLauncher(RuntimeState& runtime, Declarations& declarations, KernelDeclaration kernel,
                               Options options)
    : runtime_(runtime),
      declarations_(declarations),
      kernel_(std::move(kernel)),
      core_(declarations.sharedData(), std::move(options), hone::detail::steadyClock(), runtime.background(), this),
      variants_(core_.options().maxVariants) {
  runtime_.background().add(core_);
}

KernelLauncher::~KernelLauncher() {
  runtime_.background().remove(core_);
  runtime_.compiler().cancel(this);
}

void KernelLauncher::build() {
  if (isBuilt_.load(std::memory_order_acquire)) return;
  const std::lock_guard<std::mutex> lock(sealMutex_);
  if (isBuilt_.load(std::memory_order_relaxed)) return;
  if (!isCompleted_) kernel_.complete(runtime_.device(), declarations_);
  isCompleted_ = true;
  core_.seal();
  if (!kernel_.doMacrosReadProblem()) {
    const std::vector<std::int64_t> configuration = core_.declarations().defaultConfiguration();
    buildNow(kernel_.optionsFor(core_.declarations(), configuration.data(), nullptr));
  }
  isBuilt_.store(true, std::memory_order_release);
}

// ---- the launch path

Event KernelLauncher::launch(const Launch& launch, std::initializer_list<Size> problemSizes, const Argument* arguments,
                             std::size_t count) {
  build();
  checkQueue(launch.queue());
  const ProblemArray problem(kernel_.kernelName, problemSizes);
  StartedLaunch started = core_.start(problem.values.data(), problem.count);

  std::vector<std::pair<OpenMeasurement, std::string>> failures;  // allocates only where there are some
  for (;;) {
    const bool isDefault = started.open.entry == Session::kDefaultEntry;
    Attempt attempted;
    try {
      const bool isFirst = !started.prepared;
      if (isFirst) started.prepared = prepareDefault(started.open.values, problem.values.data());
      attempted = attempt(static_cast<const PreparedVariant&>(*started.prepared), launch, started.open.values,
                          problem.values.data(), arguments, count);
      if (isFirst && attempted.code == CL_SUCCESS) {  // candidates are not warmed up with arguments that are wrong
        core_.attach(started.open.session, started.open.entry, started.prepared);
        remember(started.open.session, launch, arguments, count);
      }
    } catch (const std::exception& error) {
      if (isDefault) {
        core_.withdraw(failures.empty() ? started.open : failures.front().first);
        throw;
      }
      attempted.code = CL_INVALID_VALUE;
      attempted.failure = error.what();
    }
    if (attempted.code == CL_SUCCESS) {
      if (started.open.isSampled)
        core_.stopWithEvents(started.open, elapsedBetween(attempted.event(), attempted.event()));
      for (const auto& [open, reason] : failures) core_.fail(open, reason);
      return std::move(attempted.event);
    }
    failures.emplace_back(started.open, attempted.failure);
    if (isDefault) {  // the launch itself is at fault, so no candidate is blamed
      core_.withdraw(failures.front().first);
      throw Error(kernel_.kernelName + ": " + attempted.failure, attempted.code);
    }
    started = core_.alternativeTo(started.open);
  }
}

void KernelLauncher::checkQueue(cl_command_queue queue) const {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context), &context, nullptr), "clGetCommandQueueInfo");
  check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr), "clGetCommandQueueInfo");
  if (context != runtime_.context()) throw UsageError(kernel_.kernelName + ": the queue belongs to another context");
  if (device != runtime_.device()) throw UsageError(kernel_.kernelName + ": the queue belongs to another device");
}

std::shared_ptr<PreparedVariant> KernelLauncher::prepareDefault(const std::int64_t* configuration,
                                                                const std::int64_t* problem) {
  const Geometry geometry = kernel_.geometryFor(configuration, problem);
  return std::make_shared<PreparedVariant>(buildNow(kernel_.optionsFor(core_.declarations(), configuration, problem)),
                                           geometry);
}

std::shared_ptr<Variant> KernelLauncher::buildNow(const std::string& options) {
  const std::lock_guard<std::mutex> lock(buildMutex_);
  if (std::shared_ptr<Variant> known = variants_.find(options)) return known;
  auto variant = std::make_shared<Variant>(
      buildFromSource(runtime_.context(), runtime_.device(), kernel_.source, options), kernel_.kernelName);
  variants_.insert(options, variant);
  return variant;
}

KernelLauncher::Attempt KernelLauncher::attempt(const PreparedVariant& prepared, const Launch& launch,
                                                const std::int64_t* configuration, const std::int64_t* problem,
                                                const Argument* arguments, std::size_t count) const {
  const Geometry& geometry = prepared.geometry;
  if (!launch.offset().empty() && launch.offset().size() != geometry.dimensions) {
    throw UsageError(kernel_.kernelName + ": the offset has " + std::to_string(launch.offset().size()) +
                     " dimensions, the global size " + std::to_string(geometry.dimensions));
  }
  if (count != prepared.variant->argumentCount()) {  // a pooled kernel would still hold those of an earlier launch
    throw UsageError(kernel_.kernelName + ": " + std::to_string(count) + " arguments were given, the kernel takes " +
                     std::to_string(prepared.variant->argumentCount()));
  }
  const Variant::Lease lease(*prepared.variant);
  Attempt attempted;
  for (cl_uint i = 0; i < count && attempted.code == CL_SUCCESS; ++i) {
    const Argument& argument = arguments[i];
    const void* value = nullptr;
    std::size_t size = argument.size();
    switch (argument.kind()) {
      case Argument::Kind::scalar: value = argument.data(); break;
      case Argument::Kind::memory:
      case Argument::Kind::sampler: value = &argument.handle(); break;
      case Argument::Kind::null: break;
      case Argument::Kind::local: size = localBytesOf(argument, core_.declarations(), configuration, problem); break;
    }
    attempted.code = clSetKernelArg(lease.kernel(), i, size, value);
    if (attempted.code != CL_SUCCESS)
      attempted.failure = describeError("clSetKernelArg " + std::to_string(i), attempted.code);
  }
  if (attempted.code != CL_SUCCESS) return attempted;

  const std::vector<cl_event>& waitFor = launch.waitFor();
  cl_event event = nullptr;
  attempted.code = clEnqueueNDRangeKernel(
      launch.queue(), lease.kernel(), geometry.dimensions, launch.offset().empty() ? nullptr : launch.offset().data(),
      geometry.global.data(), geometry.hasLocal ? geometry.local.data() : nullptr, static_cast<cl_uint>(waitFor.size()),
      waitFor.empty() ? nullptr : waitFor.data(), &event);
  if (attempted.code == CL_SUCCESS) {
    attempted.event = Event(event);
  } else {
    attempted.failure = describeError("clEnqueueNDRangeKernel", attempted.code);
  }
  return attempted;
}

// ---- preparing candidates

void KernelLauncher::remember(const Session* session, const Launch& launch, const Argument* arguments,
                              std::size_t count) {
  LaunchShape shape;
  std::copy(launch.offset().begin(), launch.offset().end(), shape.offset.begin());
  shape.arguments = shapeOf(arguments, count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool isExpression = arguments[i].kind() == Argument::Kind::local && arguments[i].data();
    if (isExpression) shape.localBytes.emplace_back(i, arguments[i].localBytes());
  }
  const std::lock_guard<std::mutex> lock(shapesMutex_);
  shapes_.insert_or_assign(session, std::move(shape));
}

std::optional<WarmUp> KernelLauncher::warmUpFor(const Candidate& candidate, const Geometry& geometry) {
  if (!runtime_.doesFirstLaunchCompile()) return std::nullopt;
  const std::lock_guard<std::mutex> lock(shapesMutex_);
  const auto found = shapes_.find(candidate.session);
  if (found == shapes_.end() || !found->second.arguments) return std::nullopt;
  const LaunchShape& shape = found->second;

  WarmUp warmUp;
  warmUp.dimensions = geometry.dimensions;
  warmUp.offset = shape.offset;
  // One work-group compiles as much as all of them, and takes next to nothing from the launches beside it; but a large
  // grid has code of its own.
  warmUp.global = geometry.hasLocal ? geometry.local : geometry.global;
  for (cl_uint i = 0; geometry.hasLocal && i < geometry.dimensions; ++i) {
    if (geometry.global[i] < kLargeGrid) continue;
    warmUp.global[i] = (kLargeGrid + geometry.local[i] - 1) / geometry.local[i] * geometry.local[i];
    break;
  }
  warmUp.local = geometry.local;
  warmUp.hasLocal = geometry.hasLocal;
  warmUp.arguments = *shape.arguments;
  for (const auto& [i, bytes] : shape.localBytes)
    warmUp.arguments[i].bytes = sizeFrom(bytes, candidate.configuration.data(), candidate.problem.data(), "localBytes");
  return warmUp;
}

void KernelLauncher::prepare(Candidate candidate) {
  try {
    const Geometry geometry = kernel_.geometryFor(candidate.configuration.data(), candidate.problem.data());
    const std::string options =
        kernel_.optionsFor(core_.declarations(), candidate.configuration.data(), candidate.problem.data());
    if (std::shared_ptr<Variant> known = variants_.find(options)) {
      core_.markReady(candidate.session, candidate.entry,
                      std::make_shared<PreparedVariant>(std::move(known), geometry));
      return;
    }
    const auto finish = [this, candidate, geometry, options](const CompileResult& result) {
      if (result.binary.empty()) {
        core_.markFailed(candidate.session, candidate.entry, result.log);
        return;
      }
      try {
        auto variant = std::make_shared<Variant>(
            buildFromBinary(runtime_.context(), runtime_.device(), result.binary, kernel_.buildOptions),
            kernel_.kernelName);
        variants_.insert(options, variant);
        core_.markReady(candidate.session, candidate.entry,
                        std::make_shared<PreparedVariant>(std::move(variant), geometry));
      } catch (const std::exception& error) {
        core_.markFailed(candidate.session, candidate.entry, error.what());
      }
    };
    runtime_.compiler().submit(
        this, CompileJob{kernel_.source, options, kernel_.kernelName, warmUpFor(candidate, geometry)}, finish);
  } catch (const std::exception& error) {  // no geometry or no macro for this configuration
    core_.markFailed(candidate.session, candidate.entry, error.what());
  }
}

Report KernelLauncher::report(std::initializer_list<Size> problemSizes) {
  const ProblemArray problem(kernel_.kernelName, problemSizes);
  return core_.report(problem.values.data(), problem.count);
}

}  // namespace hone::opencl::detail
