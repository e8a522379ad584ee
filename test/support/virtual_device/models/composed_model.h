// How long launches take on a virtual device: a cost, and the noise upon it.
//
//   lasting(1ms)
//   costing([](const VirtualLaunch& launch) { return 1e6 / macroOf(launch, "WG"); }).with(jitter(0.01, seed))
//   recorded(space).with(jitter(0.01, seed)).with(coldStart(10, 2.0))      (recorded_model.h, noise.h)
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/virtual_device/device_model.h"

namespace hone::test {

/// What a launch takes without noise, in ns.
using Cost = std::function<double(const VirtualLaunch&)>;
/// What noise multiplies a launch's cost by.
using Noise = std::function<double(const VirtualLaunch&)>;

/// A cost times all of its noise laws.
/// Thread safety: as that of its parts; those of noise.h and recorded_model.h keep no state.
class ComposedModel final : public LaunchModel {
 public:
  explicit ComposedModel(Cost cost) : cost_(std::move(cost)) {}

  /// The same model with one law more.
  ComposedModel with(Noise noise) const;

  /// Throws std::domain_error, naming the launch, where cost and noise do not make a finite positive time.
  double durationNs(const VirtualLaunch& launch) override;

  /// For whoever shares a model: `VirtualDevice device(lasting(1ms))`.
  operator std::shared_ptr<LaunchModel>() const { return std::make_shared<ComposedModel>(*this); }

 private:
  Cost cost_;
  std::vector<Noise> noise_;
};

ComposedModel lasting(std::chrono::nanoseconds duration);
ComposedModel costing(Cost cost);

/// The value of one of the launch's macros. Throws std::out_of_range, naming it, if it was not defined as an integer.
std::int64_t macroOf(const VirtualLaunch& launch, const std::string& name);

/// "scale<<<TILE=8, WG=64>>>", for messages.
std::string toString(const VirtualLaunch& launch);

}  // namespace hone::test
