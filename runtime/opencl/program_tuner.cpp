#include "opencl/program_tuner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>

#include "opencl/blind_warm_up.h"
#include "opencl/error.h"

namespace hone::opencl::detail {

using hone::detail::Candidate;
using hone::detail::CompileJob;
using hone::detail::CompileResult;
using hone::detail::Session;

namespace {

// What a build takes from launches on the same cores before one was seen: half of its time, which is expected to be the
// default's, or a second where that is not built beforehand (a matrix product on PoCL takes 0.5 to 3).
constexpr double kTollOfBuild = 0.5;
constexpr double kBuildGuessNs = 1e9;

/// 0 where it is not known.
double nanosecondsOf(const std::optional<std::chrono::nanoseconds>& time) {
  return time ? static_cast<double>(time->count()) : 0;
}

/// The grids are the program's own affair; most have as many dimensions as the problem has sizes.
bool hasLargeGrids(const std::vector<std::int64_t>& problem) {
  return std::any_of(problem.begin(), problem.end(),
                     [](std::int64_t size) { return size >= static_cast<std::int64_t>(kLargeGrid); });
}

}  // namespace

ProgramTuner::ProgramTuner(RuntimeState& runtime, Declarations& declarations, std::string source,
                           std::unique_ptr<KernelPlan> plan, Options options)
    : runtime_(runtime),
      declarations_(declarations),
      plan_(std::move(plan)),
      core_(declarations.sharedData(), std::move(options), runtime.clock(), runtime.background(), this,
            nanosecondsOf(runtime.facts().timerResolution)),
      variants_({core_.options().maxVariants, core_.options().maxVariantBytes}) {
  source_.text = std::move(source);
  if (runtime_.doBuildsTakeFromLaunches()) core_.expectToll(kTollOfBuild * kBuildGuessNs);
  runtime_.background().add(core_);
}

ProgramTuner::~ProgramTuner() {
  runtime_.background().remove(core_);
  std::vector<const void*> owners{&probe_};
  {
    const std::lock_guard<std::mutex> lock(submitMutex_);
    isEnding_ = true;
  }
  {
    const std::lock_guard<std::mutex> lock(buildsMutex_);
    for (const auto& [options, build] : builds_) owners.push_back(&build);
  }
  for (const void* owner : owners) runtime_.compiler().cancel(owner);
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
    const std::string options = source_.optionsFor(declarations, declarations.defaultConfiguration().data(), nullptr);
    variants_.pin(options);
    const std::int64_t beginNs = runtime_.clock().nowNs();
    buildNow(options);
    const auto buildNs = static_cast<double>(runtime_.clock().nowNs() - beginNs);
    if (runtime_.doBuildsTakeFromLaunches()) core_.expectToll(kTollOfBuild * buildNs);
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
  std::error_code noFolder;  // it was removed: then paths in the options have to be absolute ones
  folder_ = std::filesystem::current_path(noFolder).string();
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
  return variants_.findOrBuild(options, [&] {
    return std::make_shared<Variant>(buildFromSource(runtime_.context(), runtime_.device(), source_.text, options),
                                     runtime_.device(), kernelName());
  });
}

// ---- candidates, on the background steps

void ProgramTuner::prepare(Candidate candidate) {
  try {
    const Geometry geometry = geometryFor(candidate.configuration.data(), candidate.problem.data());
    const std::string options =
        source_.optionsFor(core_.declarations(), candidate.configuration.data(), candidate.problem.data());
    if (std::shared_ptr<Variant> known = variants_.find(options)) {
      finish(candidate, geometry, std::move(known));
      return;
    }
    CompileJob job{source_.text, options, kernelName(), {}, folder_};
    const bool isWarmed = runtime_.doesFirstLaunchCompile() && warmUpTrust_ != WarmUpTrust::none;
    if (isWarmed && plan_) job.warmUp = plan_->warmUpFor(candidate, geometry);
    if (isWarmed && !plan_) job.blindWarmUp = {hasLargeGrids(candidate.problem)};

    Build* added = nullptr;
    {
      const std::lock_guard<std::mutex> lock(buildsMutex_);
      const auto [build, isNew] = builds_.try_emplace(options);
      build->second.waiting.push_back({candidate, geometry});
      if (!isNew) return;  // for another problem
      buildCount_.store(builds_.size(), std::memory_order_relaxed);
      added = &build->second;
      added->job = std::move(job);
    }
    submit(*added);
  } catch (const std::exception& error) {  // no geometry or no macro for this configuration
    core_.markFailed(candidate.session, candidate.entry, error.what());
  }
}

void ProgramTuner::submit(Build& build) {
  const std::lock_guard<std::mutex> lock(submitMutex_);
  if (isEnding_) return;  // else the destructor cancels it
  runtime_.compiler().submit(&build, build.job, [this, &build](const CompileResult& result) {
    if (!result.notice.empty()) core_.deliver(result.notice);
    takeResult(build, result);
  });
}

void ProgramTuner::takeResult(Build& build, const CompileResult& result) {
  if (&build == &probe_) {
    judgeWarmUp(result);
    return;
  }
  if (survivesBlindWarmUp(build, result) || suspectsWarmUp(build, result)) return;
  if (result.binary.empty()) {
    failAll(build, result.log);
  } else {
    load(build, result.binary);
  }
  forget(build);
}

void ProgramTuner::load(Build& build, const std::vector<unsigned char>& binary) {
  try {
    auto variant =
        std::make_shared<Variant>(buildFromBinary(runtime_.context(), runtime_.device(), binary, source_.options),
                                  runtime_.device(), kernelName());
    variants_.insert(build.job.options, variant, binary.size());
    for (const Waiting& waiting : build.waiting) finish(waiting.candidate, waiting.geometry, variant);
  } catch (const std::exception& error) {
    failAll(build, error.what());
  }
}

void ProgramTuner::failAll(const Build& build, const std::string& reason) {
  for (const Waiting& waiting : build.waiting)
    core_.markFailed(waiting.candidate.session, waiting.candidate.entry, reason);
}

void ProgramTuner::forget(const Build& build) {
  const std::lock_guard<std::mutex> lock(buildsMutex_);
  builds_.erase(std::string(build.job.options));  // a copy: the build goes with its options
  buildCount_.store(builds_.size(), std::memory_order_relaxed);
}

bool ProgramTuner::isPreparingFor(const Session& session) const {
  if (buildCount_.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard<std::mutex> lock(buildsMutex_);
  return std::any_of(builds_.begin(), builds_.end(), [&](const auto& build) {
    const std::vector<Waiting>& waiting = build.second.waiting;
    return std::any_of(waiting.begin(), waiting.end(),
                       [&](const Waiting& w) { return w.candidate.session == &session; });
  });
}

void ProgramTuner::drop(Session* session) {
  std::vector<Candidate> dropped;
  std::vector<Build*> unwanted;
  {
    const std::lock_guard<std::mutex> lock(buildsMutex_);
    for (auto& [options, build] : builds_) {
      std::erase_if(build.waiting, [&](const Waiting& waiting) {
        if (waiting.candidate.session != session) return false;
        dropped.push_back(waiting.candidate);
        return true;
      });
      if (build.waiting.empty()) unwanted.push_back(&build);
    }
  }
  for (Build* build : unwanted) {
    runtime_.compiler().cancel(build);
    std::erase_if(suspects_, [&](const auto& suspect) { return suspect.first == build; });
    forget(*build);
  }
  for (const Candidate& candidate : dropped) core_.markDropped(candidate.session, candidate.entry);
}

// ---- crashes of the launch with unreal data

/// A launch with zeros for everything says nothing about the candidate. Returns whether the build goes on.
bool ProgramTuner::survivesBlindWarmUp(Build& build, const CompileResult& result) {
  if (result.death != CompileResult::Death::warmingUp || !build.job.blindWarmUp) return false;
  if (std::exchange(warmUpTrust_, WarmUpTrust::none) != WarmUpTrust::none)
    core_.deliver("a launch with zeros for everything crashes: variants are not warmed up");
  build.job.blindWarmUp.reset();
  submit(build);
  return true;
}

/// Where the default dies of it as well, the data is to blame and not the candidate. Returns whether the build goes on.
bool ProgramTuner::suspectsWarmUp(Build& build, const CompileResult& result) {
  if (result.death != CompileResult::Death::warmingUp || warmUpTrust_ == WarmUpTrust::good) return false;
  if (warmUpTrust_ == WarmUpTrust::unknown) {
    if (!warmUpDefault(build.waiting.front().candidate)) return false;
    warmUpTrust_ = WarmUpTrust::asked;
  }
  if (warmUpTrust_ == WarmUpTrust::asked) {
    suspects_.emplace_back(&build, result.log);
    return true;
  }
  build.job.warmUp.reset();
  submit(build);
  return true;
}

/// For the problem of the candidate; returns whether that is possible.
bool ProgramTuner::warmUpDefault(const Candidate& like) {
  const std::vector<std::int64_t>& configuration = core_.declarations().defaultConfiguration();
  const Candidate candidate{like.session, Session::kDefaultEntry, configuration, like.problem};
  try {
    const Geometry geometry = geometryFor(configuration.data(), like.problem.data());
    const std::string options = source_.optionsFor(core_.declarations(), configuration.data(), like.problem.data());
    probe_.job = {source_.text, options, kernelName(), plan_->warmUpFor(candidate, geometry), folder_};
  } catch (const std::exception&) {  // the default's own geometry: its launch has failed, too
    return false;
  }
  submit(probe_);
  return true;
}

void ProgramTuner::judgeWarmUp(const CompileResult& ofDefault) {
  const bool isDataToBlame = ofDefault.death == CompileResult::Death::warmingUp;
  warmUpTrust_ = isDataToBlame ? WarmUpTrust::none : WarmUpTrust::good;
  if (isDataToBlame)
    core_.deliver("the default does not survive a launch with unreal data either: variants are not warmed up");
  for (const auto& [build, reason] : std::exchange(suspects_, {})) {
    if (isDataToBlame) {
      build->job.warmUp.reset();
      submit(*build);
    } else {
      failAll(*build, reason);
      forget(*build);
    }
  }
}

// ---- what the compiled kernels allow

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
