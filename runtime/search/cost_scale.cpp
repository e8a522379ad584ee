#include "search/cost_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::detail {

namespace {

double logarithmOf(double ratio) { return std::log(std::min(ratio, std::numeric_limits<double>::max())); }

double rounded(double value) { return std::round(value * 0x1p32) * 0x1p-32; }

// Of the distance beyond the quartile, in logarithms. 0.25 to 1 were no different on the recorded spaces.
constexpr double kCompression = 0.5;

}  // namespace

bool isUsable(const std::optional<double>& cost) { return cost && std::isfinite(*cost) && *cost > 0; }

CostScale::CostScale(const std::vector<std::optional<double>>& costs) {
  std::vector<double> usable;
  for (const std::optional<double>& cost : costs) {
    if (isUsable(cost)) usable.push_back(*cost);
  }
  if (usable.empty()) return;
  std::sort(usable.begin(), usable.end());
  least_ = usable.front();
  quartile_ = rounded(logarithmOf(usable[3 * (usable.size() - 1) / 4] / least_));
  worst_ = value(usable.back());
  double sum = 0, squares = 0;
  for (double cost : usable) {
    const double logarithm = value(cost);
    sum += logarithm;
    squares += logarithm * logarithm;
  }
  const auto n = static_cast<double>(usable.size());
  const double variance = squares / n - sum * sum / (n * n);
  if (variance > 0x1p-40) spread_ = std::sqrt(variance);
}

double CostScale::value(const std::optional<double>& cost) const {
  if (!isUsable(cost)) return worst_;
  const double logarithm = rounded(logarithmOf(*cost / least_));
  const double beyond = logarithm - quartile_;
  if (beyond <= 0) return logarithm;
  if (quartile_ <= 0) return quartile_ + kCompression * beyond;
  return quartile_ + rounded(kCompression * quartile_ * std::log1p(beyond / quartile_));
}

}  // namespace hone::detail
