// How much two configurations' costs have in common: the correlation function of the model behind `auto`.
//
//   k(x, y) = product over dimensions d of  1                                          where x_d = y_d
//                                           m(0.3 / scale_d) m(0.7 t_d / scale_d)       elsewhere
//   m(r)    = (1 + s + s^2 / 3) exp(-s),   s = sqrt(5) r                               Matern, nu = 5/2
//   t_d     = |x_d - y_d| / (count_d - 1)
// Coordinates are whole numbers, 0 to count_d - 1: a value's position in its parameter's range. Neighbouring values of
// a tuning parameter often have less in common than their distance says (a vector width is one instruction or
// another), so "not the same" counts apart from "how far". Each factor is a sum of two positive definite functions,
// (1 - m(0.3 / scale)) [x_d = y_d] and m(0.3 / scale) m(0.7 t / scale), so k is positive definite.
//
// Sources: Rasmussen, Williams 2006, 4.2; Snoek, Larochelle, Adams 2012 for Matern 5/2 with a scale a dimension.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hone::detail {

/// One coordinate a dimension.
using Coordinates = std::vector<std::int32_t>;

struct KernelDimension {
  std::int32_t count = 1;  // coordinates are 0 to count - 1
  double logScale = 0;     // natural logarithm
};

/// m(r) of Matern, nu = 5/2, with s = sqrt(5) r.
inline double matern(double s) { return (1 + s + s * s / 3) * std::exp(-s); }
/// d log(m) / d log(scale)
inline double maternSlope(double s) { return s * s * (1 + s) / (3 + 3 * s + s * s); }

/// What "not the same" counts for, in units of the distance between a range's ends.
constexpr double kUnequal = 0.3;
constexpr double kFar = 1 - kUnequal;

/// Of two coordinates that are this share of the range apart; 0 to 1.
inline double kernelDistance(double share) { return share > 0 ? kUnequal + kFar * share : 0; }

/// The factors of one dimension, by the number of steps between two coordinates.
struct KernelTable {
  std::vector<double> factor{1};
  std::vector<double> slope{0};  // d log(factor) / d logScale

  explicit KernelTable(const KernelDimension& dimension) {
    const double perScale = std::sqrt(5.0) * std::exp(-dimension.logScale), unequal = kUnequal * perScale;
    for (std::int32_t steps = 1; steps < dimension.count; ++steps) {
      const double far = kFar * perScale * steps / (dimension.count - 1);
      factor.push_back(matern(unequal) * matern(far));
      slope.push_back(maternSlope(unequal) + maternSlope(far));
    }
  }
};

}  // namespace hone::detail
