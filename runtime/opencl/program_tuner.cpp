#include "opencl/program_tuner.h"

#include "opencl/error.h"

namespace hone::opencl::detail {

using hone::detail::Candidate;
using hone::detail::CompileJob;
using hone::detail::CompileResult;

ProgramTuner::ProgramTuner(RuntimeState& runtime, Declarations& declarations, std::string source,
                           std::unique_ptr<KernelPlan> plan, Options options)
    : runtime_(runtime),
      declarations_(declarations),
      plan_(std::move(plan)),
      core_(declarations.sharedData(), std::move(options), hone::detail::steadyClock(), runtime.background(), this),
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
    if (plan_) plan_->complete(runtime_.facts(), declarations_);
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
      buildFromSource(runtime_.context(), runtime_.device(), source_.text, options), kernelName());
  variants_.insert(options, variant);
  return variant;
}

void ProgramTuner::prepare(Candidate candidate) {
  try {
    const Geometry geometry = geometryFor(candidate.configuration.data(), candidate.problem.data());
    const std::string options =
        source_.optionsFor(core_.declarations(), candidate.configuration.data(), candidate.problem.data());
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
            buildFromBinary(runtime_.context(), runtime_.device(), result.binary, source_.options), kernelName());
        variants_.insert(options, variant);
        core_.markReady(candidate.session, candidate.entry,
                        std::make_shared<PreparedVariant>(std::move(variant), geometry));
      } catch (const std::exception& error) {
        core_.markFailed(candidate.session, candidate.entry, error.what());
      }
    };
    CompileJob job{source_.text, options, kernelName(), {}};
    if (plan_ && runtime_.doesFirstLaunchCompile()) job.warmUp = plan_->warmUpFor(candidate, geometry);
    runtime_.compiler().submit(this, std::move(job), finish);
  } catch (const std::exception& error) {  // no geometry or no macro for this configuration
    core_.markFailed(candidate.session, candidate.entry, error.what());
  }
}

}  // namespace hone::opencl::detail
