#include "opencl/kernel_plan.h"

#include <algorithm>

#include "hone/error.h"
#include "opencl/argument_shape.h"
#include "opencl/blind_warm_up.h"
#include "opencl/device_limits.h"
#include "opencl/divisibility.h"
#include "space/expression_node.h"

namespace hone::opencl::detail {

using hone::detail::Candidate;
using hone::detail::Session;
using hone::detail::WarmUp;

void KernelPlan::complete(const DeviceFacts& facts, const std::string& buildOptions, Declarations& declarations) const {
  geometry_.checkComplete(kernelName_);
  if (geometry_.local.empty()) {
    if (isEnoughRequired_)
      throw UsageError(kernelName_ + ": enough work-groups are required, but there is no local size");
    return;
  }
  requireWorkGroup(facts, geometry_.local, declarations);
  if (needsUniformWorkGroups(facts, buildOptions))
    requireUniformWorkGroups(geometry_.global, geometry_.local, declarations);
  if (isEnoughRequired_) declarations.require(geometry_.workGroups() >= facts.computeUnits);
}

bool KernelPlan::hasEnoughWorkGroups(const DeviceFacts& facts, const std::int64_t* configuration,
                                     const std::int64_t* problem) const {
  if (geometry_.local.empty()) return true;
  const auto workGroups = hone::detail::evaluate(geometry_.workGroups().node(), configuration, problem);
  const bool isKnown = workGroups.fault == hone::detail::Evaluation::Fault::none;
  return !isKnown || workGroups.value >= std::int64_t{facts.computeUnits};
}

void KernelPlan::remember(const Session* session, const Launch& launch, const Argument* arguments, std::size_t count) {
  LaunchShape shape;
  std::copy(launch.offset().begin(), launch.offset().end(), shape.offset.begin());
  shape.arguments = shapeOf(arguments, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (arguments[i].kind() != Argument::Kind::local) continue;
    if (arguments[i].data()) {
      shape.localBytes.emplace_back(i, arguments[i].localBytes());
    } else {
      shape.fixedLocalBytes += arguments[i].size();
    }
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  shapes_.insert_or_assign(session, std::move(shape));
}

std::uint64_t KernelPlan::localArgumentBytes(const Candidate& candidate) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = shapes_.find(candidate.session);
  if (found == shapes_.end()) return 0;
  std::uint64_t sum = found->second.fixedLocalBytes;
  for (const auto& [i, bytes] : found->second.localBytes)
    sum += sizeFrom(bytes, candidate.configuration.data(), candidate.problem.data(), "localBytes");
  return sum;
}

std::optional<WarmUp> KernelPlan::warmUpFor(const Candidate& candidate, const Geometry& geometry) {
  const std::lock_guard<std::mutex> lock(mutex_);
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

}  // namespace hone::opencl::detail
