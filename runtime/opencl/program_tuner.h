// One tuned program at work: from the configurations that are chosen to variants that can be launched.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/compile_service.h"
#include "opencl/kernel_plan.h"
#include "opencl/program_source.h"
#include "opencl/runtime_state.h"
#include "opencl/variant.h"
#include "opencl/variant_cache.h"
#include "tuner_core.h"

namespace hone::opencl::detail {

/// A configuration that can be launched for a problem.
struct PreparedVariant final : hone::detail::Prepared {
  PreparedVariant(std::shared_ptr<Variant> variantToLaunch, const Geometry& launchGeometry)
      : variant(std::move(variantToLaunch)), geometry(launchGeometry) {}
  const std::shared_ptr<Variant> variant;
  const Geometry geometry;          // without dimensions where the program launches for itself;
  std::atomic<bool> hasRun{false};  // then, whether a measurement of it has ended
};

/// Thread safety: launch() is internally synchronised, with no lock held during an enqueue or the build of a candidate.
/// Launches that need the same default for the first time wait for one build of it. The rest is externally
/// synchronised.
class ProgramTuner final : public hone::detail::CandidatePreparer {
 public:
  /// `plan` is null where the program launches for itself. Throws UsageError for an unknown strategy.
  ProgramTuner(RuntimeState& runtime, Declarations& declarations, std::string source, std::unique_ptr<KernelPlan> plan,
               Options options);
  ~ProgramTuner() override;

  RuntimeState& runtime() { return runtime_; }
  ProgramSource& source() { return source_; }
  KernelPlan& plan() { return *plan_; }
  hone::detail::TunerCore& core() { return core_; }

  /// Where the program launches for itself: a work-group with which it launches some kernel.
  void addWorkGroup(std::vector<Expression> sizes) { workGroups_.push_back(std::move(sizes)); }

  /// Ends the declarations and builds what the first launch runs, unless that depends on the problem. Does nothing the
  /// second time.
  void build();

  /// Begins a launch and calls `use(started, isFirst)`, which throws if it cannot use that variant; then it is called
  /// again with another one. `isFirst`: the variant was built now, for this problem's first launch of it. Throws what
  /// the default's own failure throws. REQUIRES: built
  template <class Use>
  void launch(const std::int64_t* problem, std::size_t problemSize, const Use& use);

  void prepare(hone::detail::Candidate candidate) override;
  std::size_t capacity() const override { return runtime_.compiler().capacity(); }
  bool doesBuildTakeFromLaunches() const override { return runtime_.compiler().building() > 0; }
  void drop(hone::detail::Session* session) override;
  bool isPreparingFor(const hone::detail::Session& session) const override;
  /// Where fewer work-groups than compute units are launched, some of the device idles.
  bool isPreferred(const std::int64_t* configuration, const std::int64_t* problem) const override {
    return !plan_ || plan_->hasEnoughWorkGroups(runtime_.facts(), configuration, problem);
  }

 private:
  struct Waiting {
    hone::detail::Candidate candidate;
    Geometry geometry;
  };
  /// What is being compiled, and for whom. Its address is the job's owner.
  struct Build {
    std::vector<Waiting> waiting;
    hone::detail::CompileJob job;
  };
  /// Whether a launch with unreal data is something that the kernel survives, as far as its default shows; where
  /// nothing at all is known of the data, as far as any candidate does.
  enum class WarmUpTrust {
    unknown,
    asked,  // the default is being warmed up
    good,
    none  // its variants are used unwarmed
  };

  /// Ends the declarations and builds what is pinned for all problems. Returns what is to be told where that failed.
  std::optional<std::string> buildPinned();
  std::shared_ptr<PreparedVariant> prepareNow(const std::int64_t* configuration, const std::int64_t* problem);
  std::shared_ptr<Variant> buildNow(const std::string& options);
  std::string kernelName() const { return plan_ ? plan_->kernelName() : ""; }
  void submit(Build& build);
  void takeResult(Build& build, const hone::detail::CompileResult& result);
  void load(Build& build, const std::vector<unsigned char>& binary);
  void failAll(const Build& build, const std::string& reason);
  void forget(const Build& build);
  bool survivesBlindWarmUp(Build& build, const hone::detail::CompileResult& result);
  bool suspectsWarmUp(Build& build, const hone::detail::CompileResult& result);
  bool warmUpDefault(const hone::detail::Candidate& like);
  void judgeWarmUp(const hone::detail::CompileResult& ofDefault);
  /// Hands the candidate's variant over if it can be launched, else sets the candidate aside.
  void finish(const hone::detail::Candidate& candidate, const Geometry& geometry, std::shared_ptr<Variant> variant);
  /// Why the candidate's variant cannot be launched; empty if nothing is known against it.
  std::optional<std::string> objectionTo(const hone::detail::Candidate& candidate, const Geometry& geometry,
                                         const Variant& variant);
  std::optional<std::string> objectionToProgram(const hone::detail::Candidate& candidate, const Variant& variant);
  Geometry geometryFor(const std::int64_t* configuration, const std::int64_t* problem) const {
    return plan_ ? plan_->geometryFor(configuration, problem) : Geometry{};
  }

  RuntimeState& runtime_;
  Declarations& declarations_;
  ProgramSource source_;
  const std::unique_ptr<KernelPlan> plan_;
  std::vector<std::vector<Expression>> workGroups_;
  hone::detail::TunerCore core_;
  VariantCache variants_;
  std::string folder_;  // the working directory when the declarations ended

  // The background steps' own:
  WarmUpTrust warmUpTrust_ = WarmUpTrust::unknown;
  Build probe_;                                           // of the default
  std::vector<std::pair<Build*, std::string>> suspects_;  // died while they were warmed up, and how

  std::atomic<bool> isBuilt_{false};
  bool isCompleted_ = false;  // the device's limits are among the constraints
  std::mutex sealMutex_;      // for ending the declarations

  // The background steps alone change it; held for moments, since launches take it.
  mutable std::mutex buildsMutex_;
  std::unordered_map<std::string, Build> builds_;  // by compiler options
  std::atomic<std::size_t> buildCount_{0};         // their number, which every launch asks for
  std::mutex submitMutex_;                         // for what follows
  bool isEnding_ = false;
};

template <class Use>
void ProgramTuner::launch(const std::int64_t* problem, std::size_t problemSize, const Use& use) {
  using hone::detail::OpenMeasurement;
  hone::detail::StartedLaunch started = core_.start(problem, problemSize);
  std::vector<std::pair<OpenMeasurement, std::string>> failures;  // allocates only where there are some
  for (;;) {
    try {
      const bool isFirst = !started.prepared;
      if (isFirst) started.prepared = prepareNow(started.open.values, problem);
      use(std::as_const(started), isFirst);
      if (isFirst && started.open.session) core_.attach(started.open.session, started.open.entry, started.prepared);
      break;
    } catch (const std::exception& error) {
      const bool isDefault = started.open.entry == hone::detail::Session::kDefaultEntry;
      if (isDefault) {  // the launch itself is at fault, so no candidate is blamed
        core_.withdraw(failures.empty() ? started.open : failures.front().first);
        throw;
      }
      failures.emplace_back(started.open, error.what());
    }
    started = core_.alternativeTo(started.open);
  }
  for (const auto& [open, reason] : failures) core_.fail(open, reason);
}

}  // namespace hone::opencl::detail
