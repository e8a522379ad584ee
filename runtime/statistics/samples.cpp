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

double SampleWindow::upperMidmean() const {
  // On noise recorded on a PRO W6600, one choice in 114 is worse than the best by 3 % or more, and by 0.20 % on
  // average; up to the quantile 0.8 one in 98 and 0.19 %, with medians one in 60 and 0.21 %.
  constexpr double kFrom = 0.5, kTo = 0.85;
  const auto n = static_cast<double>(size());
  const double from = kFrom * n;
  const double to = size() < 3 ? n : std::min(kTo * n, n - 1);
  std::array<double, kCapacity> values = samples_;
  std::sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size()));
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto place = static_cast<double>(i);
    const double part = std::min(place + 1, to) - std::max(place, from);
    if (part > 0) sum += part * values[i];
  }
  return sum / (to - from);
}

double SampleWindow::medianOfLatest(std::size_t count) const {
  count = std::min(count, size());
  std::array<double, kCapacity> values{};
  for (std::size_t i = 0; i < count; ++i) values[i] = samples_[(total_ - 1 - i) % kCapacity];
  return medianOf(values, count);
}

double SampleWindow::smallest() const {
  return *std::min_element(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(size()));
}

double SampleWindow::largest() const {
  return *std::max_element(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(size()));
}

double SampleWindow::quantile(double q) const {
  std::array<double, kCapacity> values = samples_;
  const auto position = static_cast<std::ptrdiff_t>(std::lround(q * static_cast<double>(size() - 1)));
  const auto last = values.begin() + static_cast<std::ptrdiff_t>(size());
  std::nth_element(values.begin(), values.begin() + position, last);
  return values[static_cast<std::size_t>(position)];
}

double SampleWindow::spread() const {
  const double center = median();
  std::array<double, kCapacity> deviations{};
  std::transform(samples_.begin(), samples_.end(), deviations.begin(),
                 [center](double sample) { return std::abs(sample - center); });
  return kMadToSigma * medianOf(deviations, size());
}

SampleWindow SampleWindow::dividedBy(double unit) const {
  SampleWindow window = *this;
  for (double& sample : window.samples_) sample /= unit;
  return window;
}

}  // namespace hone::detail
