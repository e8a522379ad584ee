// The values that the model behind `auto` learns from: logarithms of costs, without the outliers that say nothing about
// good configurations.
//
//   value = log(cost / least cost)                      up to the third quartile q of these,
//           q + q log(1 + (log(cost / least) - q) / q) / 2     beyond,
//           the greatest of them                        for a failure.
// A factor means the same everywhere, and the bad quarter, which spreads over orders of magnitude, does not bend the
// model where it matters. Dividing by the least cost makes the values the same in every unit: rounded to 2^-32, they
// are equal to the last bit, and so is all that follows from them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace hone::detail {

/// A cost that can be learned from; broken measurements count as failures.
bool isUsable(const std::optional<double>& cost);

/// Thread safety: immutable.
class CostScale {
 public:
  /// The scale of these costs.
  explicit CostScale(const std::vector<std::optional<double>>& costs);

  double value(const std::optional<double>& cost) const;
  /// The standard deviation of these costs' values; 1 where they are all equal.
  double spread() const { return spread_; }

 private:
  double least_ = 1;
  double quartile_ = 0;  // of the logarithms
  double worst_ = 0;     // value
  double spread_ = 1;
};

}  // namespace hone::detail
