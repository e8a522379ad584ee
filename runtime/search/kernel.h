// How much two configurations' costs have in common: the correlation function of the model behind `auto`.
//
//   k(x, y) = product over dimensions d of  m(sqrt(5) t_d / scale_d),   t_d = |x_d - y_d| / (count_d - 1)
//   m(s)    = (1 + s + s^2 / 3) exp(-s)                                                       Matern, nu = 5/2
// Coordinates are whole numbers, 0 to count_d - 1: a value's position in its parameter's range, say. So a factor of two
// between two values counts as much as the next one where the values are powers of two, and as a step where they are
// evenly spaced.
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

inline double matern(double s) { return (1 + s + s * s / 3) * std::exp(-s); }
/// d log(m) / d log(scale)
inline double maternSlope(double s) { return s * s * (1 + s) / (3 + 3 * s + s * s); }

/// The factors of one dimension, by the number of steps between two coordinates.
struct KernelTable {
  std::vector<double> factor{1};
  std::vector<double> slope{0};  // d log(factor) / d logScale

  explicit KernelTable(const KernelDimension& dimension) {
    const double perRange = std::sqrt(5.0) * std::exp(-dimension.logScale);
    for (std::int32_t steps = 1; steps < dimension.count; ++steps) {
      const double distance = perRange * steps / (dimension.count - 1);
      factor.push_back(matern(distance));
      slope.push_back(maternSlope(distance));
    }
  }
};

}  // namespace hone::detail
