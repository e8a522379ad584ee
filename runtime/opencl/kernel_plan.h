// What is known of how a tuned kernel is launched: its geometry, and the arguments that its launches take.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/compile_service.h"
#include "hone/opencl/device_facts.h"
#include "hone/opencl/launch.h"
#include "opencl/geometry.h"
#include "tuner_core.h"

namespace hone::opencl::detail {

/// Thread safety: remember(), localArgumentBytes() and warmUpFor() are internally synchronised; the rest is constant
/// once declared.
class KernelPlan {
 public:
  explicit KernelPlan(std::string kernelName) : kernelName_(std::move(kernelName)) {}

  const std::string& kernelName() const { return kernelName_; }
  GeometryDeclaration& geometry() { return geometry_; }

  void requireEnoughWorkGroups() { isEnoughRequired_ = true; }

  /// Ends the declarations: adds what the device and the standard demand of the geometry to the constraints. Throws
  /// UsageError if the geometry is incomplete.
  void complete(const DeviceFacts& facts, const std::string& buildOptions, Declarations& declarations) const;

  /// Throws UsageError if a size has no value or is 0.
  Geometry geometryFor(const std::int64_t* configuration, const std::int64_t* problem) const {
    return geometry_.at(configuration, problem, kernelName_);
  }

  /// Whether the configuration has as many work-groups as there are compute units, or a number that is unknown.
  bool hasEnoughWorkGroups(const DeviceFacts& facts, const std::int64_t* configuration,
                           const std::int64_t* problem) const;

  /// Takes note of what a problem's first launch tells about later ones.
  void remember(const hone::detail::Session* session, const Launch& launch, const Argument* arguments,
                std::size_t count);

  /// The bytes of local memory among the candidate's arguments, as far as they are known. Throws UsageError if some
  /// have no value.
  std::uint64_t localArgumentBytes(const hone::detail::Candidate& candidate);

  /// A launch that resembles the candidate's; empty where nothing is known of its arguments. Throws UsageError if its
  /// local memory has no size.
  std::optional<hone::detail::WarmUp> warmUpFor(const hone::detail::Candidate& candidate, const Geometry& geometry);

 private:
  struct LaunchShape {
    std::array<std::size_t, 3> offset{};
    std::optional<std::vector<hone::detail::ArgumentShape>> arguments;
    /// Argument number and bytes, which depend on candidates.
    std::vector<std::pair<std::size_t, Expression>> localBytes;
    std::uint64_t fixedLocalBytes = 0;  // of all arguments of local memory that do not depend on candidates
  };

  const std::string kernelName_;
  GeometryDeclaration geometry_;
  bool isEnoughRequired_ = false;
  std::mutex mutex_;
  std::unordered_map<const hone::detail::Session*, LaunchShape> shapes_;
};

}  // namespace hone::opencl::detail
