// One tuned kernel at work: the launch path, and the preparing of candidates off it.
#pragma once

#include <array>
#include <atomic>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/compile_service.h"
#include "opencl/kernel_declaration.h"
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
  const Geometry geometry;
};

/// Thread safety: launch() and report() are internally synchronised, with no lock held during an enqueue or the build
/// of a candidate. Launches that need the same default for the first time wait for one build of it. The rest is
/// externally synchronised.
class KernelLauncher final : public hone::detail::CandidatePreparer {
 public:
  /// Throws UsageError for an unknown strategy.
  KernelLauncher(RuntimeState& runtime, Declarations& declarations, KernelDeclaration kernel, Options options);
  ~KernelLauncher() override;

  KernelDeclaration& kernel() { return kernel_; }
  hone::detail::TunerCore& core() { return core_; }

  /// Ends the declarations and builds the default unless it needs a problem. Does nothing the second time.
  void build();

  Event launch(const Launch& launch, std::initializer_list<Size> problem, const Argument* arguments, std::size_t count);

  Report report(std::initializer_list<Size> problem);

  void prepare(hone::detail::Candidate candidate) override;

 private:
  /// How an attempt to launch ended.
  struct Attempt {
    cl_int code = CL_SUCCESS;
    std::string failure;  // where code is not CL_SUCCESS
    Event event;
  };
  /// What the first launch of a problem tells about later ones.
  struct LaunchShape {
    std::array<std::size_t, 3> offset{};
    std::optional<std::vector<hone::detail::ArgumentShape>> arguments;
    std::vector<std::pair<std::size_t, Expression>>
        localBytes;  // argument number and bytes, which depend on candidates
  };

  void checkQueue(cl_command_queue queue) const;
  std::shared_ptr<PreparedVariant> prepareDefault(const std::int64_t* configuration, const std::int64_t* problem);
  std::shared_ptr<Variant> buildNow(const std::string& options);
  Attempt attempt(const PreparedVariant& prepared, const Launch& launch, const std::int64_t* configuration,
                  const std::int64_t* problem, const Argument* arguments, std::size_t count) const;
  void remember(const hone::detail::Session* session, const Launch& launch, const Argument* arguments,
                std::size_t count);
  std::optional<hone::detail::WarmUp> warmUpFor(const hone::detail::Candidate& candidate, const Geometry& geometry);

  RuntimeState& runtime_;
  Declarations& declarations_;
  KernelDeclaration kernel_;
  hone::detail::TunerCore core_;
  VariantCache variants_;

  std::atomic<bool> isBuilt_{false};
  bool isCompleted_ = false;  // the device's limits are among the constraints
  std::mutex sealMutex_;      // for ending the declarations
  std::mutex buildMutex_;     // for building defaults

  std::mutex shapesMutex_;
  std::unordered_map<const hone::detail::Session*, LaunchShape> shapes_;
};

}  // namespace hone::opencl::detail
