#include "search_quality/density.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "search_quality/scores.h"

namespace hone::bench {

double densityAt(double x, const std::vector<double>& numbers, double bandwidth) {
  double sum = 0;
  for (double number : numbers) {
    const double z = (x - number) / bandwidth;
    sum += std::exp(-0.5 * z * z);
  }
  return sum / (static_cast<double>(numbers.size()) * bandwidth * std::sqrt(2 * std::numbers::pi));
}

double bandwidthOf(const std::vector<double>& numbers, double atLeast) {
  const double centre = mean(numbers);
  double squares = 0;
  for (double number : numbers) squares += (number - centre) * (number - centre);
  const auto n = static_cast<double>(numbers.size());
  const double deviation = std::sqrt(squares / std::max(1.0, n - 1));
  const double range = quantile(numbers, 0.75) - quantile(numbers, 0.25);
  constexpr double kRangeOfNormal = 1.349;  // interquartile range of a normal distribution, in standard deviations
  return std::max(atLeast, 0.9 * std::min(deviation, range / kRangeOfNormal) * std::pow(n, -0.2));
}

}  // namespace hone::bench
