#include "support/virtual_device/models/composed_model.h"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace hone::test {

ComposedModel ComposedModel::with(Noise noise) const {
  ComposedModel noisier = *this;
  noisier.noise_.push_back(std::move(noise));
  return noisier;
}

double ComposedModel::durationNs(const VirtualLaunch& launch) {
  double ns = cost_(launch);
  for (const Noise& noise : noise_) ns *= noise(launch);
  if (!(ns > 0) || !std::isfinite(ns))
    throw std::domain_error("a launch cannot take " + std::to_string(ns) + " ns: " + toString(launch));
  return ns;
}

ComposedModel lasting(std::chrono::nanoseconds duration) {
  return costing([ns = static_cast<double>(duration.count())](const VirtualLaunch&) { return ns; });
}

ComposedModel costing(Cost cost) { return ComposedModel(std::move(cost)); }

std::int64_t macroOf(const VirtualLaunch& launch, const std::string& name) {
  const auto found = launch.macros.find(name);
  if (found == launch.macros.end()) throw std::out_of_range("no macro '" + name + "': " + toString(launch));
  return found->second;
}

std::string toString(const VirtualLaunch& launch) {
  std::string text = launch.kernel + "<<<";
  for (const auto& [name, value] : launch.macros) {
    if (text.back() != '<') text += ", ";
    text += name + "=" + std::to_string(value);
  }
  return text + ">>>";
}

}  // namespace hone::test
