// What a trial promises: the expected improvement on the best value.
//
//   EI = E max(best - Y, 0) = s (z Phi(z) + phi(z)),   Y normal with mean m and standard deviation s,  z = (best - m) /
//   s
// It grows with s and falls with m, so that a bound of s gives a bound of EI. As its logarithm, it still tells the less
// hopeless from the more hopeless once the best is beyond reach.
//
// Source: Jones, Schonlau, Welch 1998, "Efficient global optimization of expensive black-box functions", equation 15.
#pragma once

#include <cmath>

namespace hone::detail {

/// The natural logarithm of EI. REQUIRES: variance > 0
inline double logExpectedImprovement(double best, double mean, double variance) {
  constexpr double kSqrtHalf = 0.70710678118654752440;
  constexpr double kLogSqrtTwoPi = 0.91893853320467274178;
  const double s = std::sqrt(variance), z = (best - mean) / s, logDensity = -0.5 * z * z - kLogSqrtTwoPi;
  if (z > -25) return std::log(s * (z * 0.5 * std::erfc(-z * kSqrtHalf) + std::exp(logDensity)));
  // There the two terms cancel to 3 digits less than a double has; the series in 1 / z^2 is right to 1e-6.
  const double square = z * z;
  return std::log(s) + logDensity - std::log(square) + std::log1p((15 / square - 3) / square);
}

}  // namespace hone::detail
