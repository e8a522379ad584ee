#include "statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace hone::detail {

namespace {

constexpr double kMadToSigma = 1.4826;  // 1/Phi^-1(3/4): of normal samples, half lie within 0.6745 sigma

double medianOf(std::array<double, SampleWindow::kCapacity>& values, std::size_t count) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(values.begin(), middle, values.begin() + static_cast<std::ptrdiff_t>(count));
  if (count % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace

void SampleWindow::add(double cost) {
  samples_[total_ % kCapacity] = cost;
  ++total_;
}

double SampleWindow::median() const {
  std::array<double, kCapacity> values = samples_;
  return medianOf(values, size());
}

double SampleWindow::smallest() const {
  return *std::min_element(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(size()));
}

double SampleWindow::largest() const {
  return *std::max_element(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(size()));
}

double SampleWindow::spread() const {
  const double center = median();
  std::array<double, kCapacity> deviations{};
  std::transform(samples_.begin(), samples_.end(), deviations.begin(),
                 [center](double sample) { return std::abs(sample - center); });
  return kMadToSigma * medianOf(deviations, size());
}

}  // namespace hone::detail
