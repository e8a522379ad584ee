// The search space: all configurations that satisfy the constraints, each with a rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hone/api.h"
#include "hone/declarations.h"

namespace hone {

/// A configuration's number in its space, 0 <= rank < size(). Ranks follow the order of the parameters' values, the
/// first parameter changing slowest.
using Rank = std::uint64_t;

/// A configuration as positions in the parameters' ranges, in order of declaration.
using Point = std::vector<std::uint32_t>;

/// All valid configurations for one problem.
/// Thread safety: immutable.
class HONE_API SearchSpace {
 public:
  /// Enumerates the space. `problem` gives the declared problem sizes in order. The space may be empty.
  /// Throws UsageError if there are no parameters, if the unconstrained space exceeds 2^63 points, or if more than
  /// kMaximumSize configurations are valid.
  explicit SearchSpace(const Declarations& declarations, const std::vector<std::int64_t>& problem = {});
  SearchSpace(const detail::DeclarationData& declarations, const std::vector<std::int64_t>& problem);

  /// Where enumeration gives up: the list of configurations would take 512 MiB.
  static constexpr Rank kMaximumSize = Rank{1} << 26;

  Rank size() const { return codes_.size(); }
  std::size_t dimensions() const { return values_.size(); }
  /// The values of the p-th parameter in their order.
  const std::vector<std::int64_t>& values(std::size_t p) const { return values_[p]; }

  /// REQUIRES: rank < size()
  Point point(Rank rank) const;
  /// One value per parameter. REQUIRES: rank < size()
  std::vector<std::int64_t> configuration(Rank rank) const;
  /// Empty where the configuration is not valid. REQUIRES: one position per parameter, each within its range
  std::optional<Rank> rank(const Point& point) const;

  /// The valid configurations that differ from this one in exactly one parameter, whatever the value, in rank order.
  std::vector<Rank> neighbours(Rank rank) const;

  /// The valid configuration closest to a point of fractional positions: each difference is taken relative to the
  /// parameter's number of steps, the squares are added, ties go to the lowest rank.
  /// REQUIRES: size() > 0 and one position per parameter
  Rank nearest(const std::vector<double>& position) const;

  /// The default's rank or, where constraints on candidates exclude the default, that of the nearest valid
  /// configuration. REQUIRES: size() > 0
  Rank start() const { return start_; }

 private:
  std::uint64_t code(const Point& point) const;
  std::optional<Rank> rankOfCode(std::uint64_t code) const;

  std::vector<std::vector<std::int64_t>> values_;
  std::vector<std::uint64_t> stride_;  // the code of a point is the sum of position * stride
  std::vector<std::uint64_t> codes_;   // of the valid points, ascending; a rank is an index into it
  Rank start_ = 0;
};

}  // namespace hone
