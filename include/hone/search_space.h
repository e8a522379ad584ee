// The search space: all configurations that satisfy the constraints, each with a rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "hone/api.h"
#include "hone/declarations.h"

namespace hone {

namespace detail {
class Diagram;
class UncheckedConstraints;
}  // namespace detail

/// A configuration's number in its space, 0 <= rank < size(). Ranks follow the order of the parameters' values. Which
/// parameter changes slowest depends on the constraints: parameters that constraints connect come first, in an order
/// that keeps the space small in memory; those in no constraint with others come last, in order of declaration, the
/// last changing fastest. The same declarations and problem give the same ranks.
using Rank = std::uint64_t;

/// A configuration as positions in the parameters' ranges, in order of declaration.
using Point = std::vector<std::uint32_t>;

/// All valid configurations for one problem. They are counted, not listed: time and memory grow with what the
/// constraints make of the values of parameters that they connect, not with the number of configurations.
/// Nothing below looks at the whole space, and start() is found once.
///
/// Where a constraint connects so many values that counting would take more than 2^26 evaluations (about a second) or
/// 2^24 combinations, the space is not counted: ranks number what the other constraints allow, isValid() says which of
/// them count, and whoever draws a rank draws again where it does not. All else gives valid configurations only.
/// Thread safety: immutable; copies share their data.
class HONE_API SearchSpace {
 public:
  /// Counts the space. `problem` gives the declared problem sizes in order. The space may be empty.
  /// Throws UsageError if there are no parameters, if 2^63 configurations or more are valid, or if the space is not
  /// counted and restrictions have removed the default and all that could be tried near it.
  explicit SearchSpace(const Declarations& declarations, const std::vector<std::int64_t>& problem = {});
  SearchSpace(const detail::DeclarationData& declarations, const std::vector<std::int64_t>& problem);

  /// How many configurations are valid or, where the space is not counted, how many ranks there are.
  Rank size() const { return size_; }
  bool isCounted() const;
  /// Always, where the space is counted. REQUIRES: rank < size()
  bool isValid(Rank rank) const;
  std::size_t dimensions() const { return values_->size(); }
  /// The values of the p-th parameter in their order.
  const std::vector<std::int64_t>& values(std::size_t p) const { return (*values_)[p]; }
  /// What the space takes in memory.
  std::size_t bytes() const;

  /// REQUIRES: rank < size()
  Point point(Rank rank) const;
  /// One value per parameter. REQUIRES: rank < size()
  std::vector<std::int64_t> configuration(Rank rank) const;
  /// Empty where the configuration is not valid. REQUIRES: one position per parameter, each within its range
  std::optional<Rank> rank(const Point& point) const;

  /// The valid configurations that differ from this one in one parameter, or in 1 to `atMostChanged`, whatever the
  /// values, in rank order. REQUIRES: rank < size()
  std::vector<Rank> neighbours(Rank rank, std::size_t atMostChanged = 1) const;
  /// Of the neighbours that differ in one parameter, for each the next in either direction: whose value is the closest
  /// below, and the closest above, with which the configuration is valid. In rank order; a space that is not counted
  /// may leave some out. REQUIRES: rank < size()
  std::vector<Rank> adjacent(Rank rank) const;

  /// The valid configuration closest to a point of fractional positions: each difference is taken relative to the
  /// parameter's number of steps, the squares are added. Ties, up to rounding, go to the lowest rank. In a
  /// space that is not counted, it is the closest of some thousands that it looks at, or start() if none of them is
  /// valid. REQUIRES: size() > 0 and one position per parameter
  Rank nearest(const std::vector<double>& position) const;

  /// The default's rank or, where constraints on candidates exclude the default, that of the nearest valid
  /// configuration. REQUIRES: size() > 0
  Rank start() const { return start_; }

 private:
  std::optional<Rank> nearestValid(const std::vector<double>& position) const;
  std::vector<Rank> onlyValid(std::vector<Rank> ranks) const;

  std::shared_ptr<const std::vector<std::vector<std::int64_t>>> values_;
  std::shared_ptr<const detail::Diagram> diagram_;
  std::shared_ptr<const detail::UncheckedConstraints> unchecked_;
  Rank size_ = 0;
  Rank start_ = 0;
};

}  // namespace hone
