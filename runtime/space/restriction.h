// What constraints leave of a decision diagram.
#pragma once

#include <cstdint>
#include <vector>

#include "space/conjunct.h"
#include "space/diagram.h"
#include "space/kept_values.h"

namespace hone::detail {

struct BuildingLimits {
  std::uint64_t evaluations;  // of conditions
  std::size_t edges;          // while building
};

struct Restriction {
  Diagram diagram;
  /// Where a limit was exceeded: the parameters whose values multiply there. Then there is no diagram.
  std::vector<std::size_t> tangled;

  bool isDone() const { return tangled.empty(); }
};

/// The diagram of the base's points that have only kept values and satisfy the conjuncts. `kept` has at most what the
/// base's levels keep, and of each parameter one value at least. `problem` may be null if no conjunct reads it.
/// `owner` is for errors. Throws UsageError if 2^63 points or more are left.
///
/// How it is built:
/// 1. Level by level, from the root: a state is a node of the base and the values of the frontier, the bound parameters
///    that still meet an unbound one in a conjunct; prefixes with the same state are not told apart. Each conjunct is
///    evaluated as soon as its last parameter is bound. Where another comes in, its bounds over what is unbound tell
///    whether it can still hold.
/// 2. Level by level, from the end: edges that lead nowhere are dropped, paths counted, nodes with equal edges merged.
Restriction restrict(const Diagram& base, const KeptValues& kept, const std::vector<Conjunct>& conjuncts,
                     const std::int64_t* problem, const BuildingLimits& limits, const std::string& owner);

}  // namespace hone::detail
