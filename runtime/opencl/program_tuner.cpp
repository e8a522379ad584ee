#include "opencl/program_tuner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "opencl/error.h"

namespace hone::opencl::detail {

using hone::detail::Candidate;
using hone::detail::CompileJob;
using hone::detail::CompileResult;

namespace {

/// 0 where it is not known.
double nanosecondsOf(const std::optional<std::chrono::nanoseconds>& time) {
  return time ? static_cast<double>(time->count()) : 0;
}

}  // namespace

ProgramTuner::ProgramTuner(RuntimeState& runtime, Declarations& declarations, std::string source,
                           std::unique_ptr<KernelPlan> plan, Options options)
    : runtime_(runtime),
      declarations_(declarations),
      plan_(std::move(plan)),
      core_(declarations.sharedData(), std::move(options), runtime.clock(), runtime.background(), this,
            nanosecondsOf(runtime.facts().timerResolution)),
      variants_(core_.options().maxVariants) {
  source_.text = std::move(source);
  runtime_.background().add(core_);
}

ProgramTuner::~ProgramTuner() {
  runtime_.background().remove(core_);
  runtime_.compiler().cancel(this);
}

void ProgramTuner::build() {
  if (isBuilt_.load(std::memory_order_acquire)) return;
  const std::optional<std::string> failure = buildPinned();
  if (failure) core_.deliver(*failure);  // with no lock held
  const std::lock_guard<std::mutex> lock(sealMutex_);
  if (isBuilt_.load(std::memory_order_relaxed)) return;
  const bool isDefaultFirst = !source_.doMacrosReadProblem() && !core_.pinnedForAll();
  if (isDefaultFirst) {
    const hone::detail::DeclarationData& declarations = core_.declarations();
    buildNow(source_.optionsFor(declarations, declarations.defaultConfiguration().data(), nullptr));
  }
  isBuilt_.store(true, std::memory_order_release);
}

std::optional<std::string> ProgramTuner::buildPinned() {
  const std::lock_guard<std::mutex> lock(sealMutex_);
  if (isBuilt_.load(std::memory_order_relaxed)) return std::nullopt;
  if (!isCompleted_) {
    for (const auto& [name, value] : source_.macros) declarations_.data().checkNameIsFree(name);
    if (plan_) plan_->complete(runtime_.facts(), source_.options, declarations_);
    isCompleted_ = true;
  }
  core_.seal();
  const std::vector<std::int64_t>* pinned = core_.pinnedForAll();
  if (!pinned || source_.doMacrosReadProblem()) return std::nullopt;
  try {
    buildNow(source_.optionsFor(core_.declarations(), pinned->data(), nullptr));
    return std::nullopt;
  } catch (const std::exception& error) {
    return core_.dropPinForAll(error.what());
  }
}

std::shared_ptr<PreparedVariant> ProgramTuner::prepareNow(const std::int64_t* configuration,
                                                          const std::int64_t* problem) {
  const Geometry geometry = geometryFor(configuration, problem);
  return std::make_shared<PreparedVariant>(buildNow(source_.optionsFor(core_.declarations(), configuration, problem)),
                                           geometry);
}

std::shared_ptr<Variant> ProgramTuner::buildNow(const std::string& options) {
  // Asked before the lock as well: a launch of what is compiled already must not wait for another problem's build.
  if (std::shared_ptr<Variant> known = variants_.find(options)) return known;
  const std::lock_guard<std::mutex> lock(buildMutex_);
  if (std::shared_ptr<Variant> known = variants_.find(options)) return known;
  auto variant = std::make_shared<Variant>(
      buildFromSource(runtime_.context(), runtime_.device(), source_.text, options), runtime_.device(), kernelName());
  variants_.insert(options, variant);
  return variant;
}

void ProgramTuner::prepare(Candidate candidate) {
  try {
    const Geometry geometry = geometryFor(candidate.configuration.data(), candidate.problem.data());
    const std::string options =
        source_.optionsFor(core_.declarations(), candidate.configuration.data(), candidate.problem.data());
    if (std::shared_ptr<Variant> known = variants_.find(options)) {
      finish(candidate, geometry, std::move(known));
      return;
    }
    const auto done = [this, candidate, geometry, options](const CompileResult& result) {
      if (result.binary.empty()) {
        core_.markFailed(candidate.session, candidate.entry, result.log);
        return;
      }
      try {
        auto variant = std::make_shared<Variant>(
            buildFromBinary(runtime_.context(), runtime_.device(), result.binary, source_.options), runtime_.device(),
            kernelName());
        variants_.insert(options, variant);
        finish(candidate, geometry, std::move(variant));
      } catch (const std::exception& error) {
        core_.markFailed(candidate.session, candidate.entry, error.what());
      }
    };
    CompileJob job{source_.text, options, kernelName(), {}};
    if (plan_ && runtime_.doesFirstLaunchCompile()) job.warmUp = plan_->warmUpFor(candidate, geometry);
    runtime_.compiler().submit(this, std::move(job), done);
  } catch (const std::exception& error) {  // no geometry or no macro for this configuration
    core_.markFailed(candidate.session, candidate.entry, error.what());
  }
}

void ProgramTuner::finish(const Candidate& candidate, const Geometry& geometry, std::shared_ptr<Variant> variant) {
  if (const std::optional<std::string> objection = objectionTo(candidate, geometry, *variant)) {
    core_.markFailed(candidate.session, candidate.entry, *objection);
    return;
  }
  core_.markReady(candidate.session, candidate.entry, std::make_shared<PreparedVariant>(std::move(variant), geometry));
}

/// Which kernel is launched with which work-group is the program's affair, so some kernel has to allow it.
std::optional<std::string> ProgramTuner::objectionToProgram(const Candidate& candidate, const Variant& variant) {
  const std::vector<KernelLimits>& limits = variant.limits();
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (const auto objection = objectionToLocalMemory(0, limits[i], runtime_.facts().localMemoryBytes))
      return variant.kernelNames()[i] + ": " + *objection;
  }
  for (const std::vector<Expression>& workGroup : workGroups_) {
    std::array<std::size_t, 3> sizes{};
    for (std::size_t i = 0; i < workGroup.size(); ++i) {
      sizes[i] =
          sizeFrom(workGroup[i], candidate.configuration.data(), candidate.problem.data(), "the work-group's size");
    }
    std::optional<std::string> objection;
    const auto isAllowed = [&](const KernelLimits& ofKernel) {
      objection = detail::objectionTo(sizes, static_cast<cl_uint>(workGroup.size()), ofKernel);
      return !objection;
    };
    if (std::none_of(limits.begin(), limits.end(), isAllowed))
      return limits.size() == 1 ? *objection : "no kernel allows the work-group; as to the last, " + *objection;
  }
  return std::nullopt;
}

std::optional<std::string> ProgramTuner::objectionTo(const Candidate& candidate, const Geometry& geometry,
                                                     const Variant& variant) {
  if (!plan_) return objectionToProgram(candidate, variant);
  const KernelLimits& limits = variant.limits()[0];
  if (geometry.hasLocal) {
    if (auto objection = detail::objectionTo(geometry.local, geometry.dimensions, limits)) return objection;
  }
  return objectionToLocalMemory(plan_->localArgumentBytes(candidate), limits, runtime_.facts().localMemoryBytes);
}

}  // namespace hone::opencl::detail
