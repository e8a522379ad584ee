// Builds the decision diagram of a search space.
#pragma once

#include <cstdint>
#include <vector>

#include "space/declaration_data.h"
#include "space/diagram.h"

namespace hone::detail {

/// Beyond these, building goes on without one of the constraints: evaluations of constraints (about a second), and
/// edges (1 GiB while building).
constexpr std::uint64_t kMaximumEvaluations = std::uint64_t{1} << 26;
constexpr std::size_t kMaximumEdges = std::size_t{1} << 24;

struct BuiltDiagram {
  Diagram diagram;
  /// Constraints, or parts of them, that tangle too many values: the diagram's points need not satisfy them.
  std::vector<const ExpressionNode*> unchecked;
};

/// The diagram of the points that satisfy these constraints. `problem` may be null if none of them reads a problem
/// size. Throws UsageError if 2^63 points or more do.
///
/// How it is built:
/// 1. A conjunction counts as several constraints. Those of one parameter shrink its list of values.
/// 2. parameterOrder() puts the parameters in order.
/// 3. Level by level, from the root: a state is the values of the frontier, the bound parameters that still meet an
///    unbound one; prefixes with the same state are not told apart. Each constraint is evaluated as soon as its last
///    parameter is bound.
///    Where the limits are exceeded, the constraint of the level's that reads the most combinations is left out, and
///    the building starts again at 2.
/// 4. Level by level, from the end: edges that lead nowhere are dropped, paths counted, nodes with equal edges merged.
BuiltDiagram buildDiagram(const DeclarationData& declarations,
                          const std::vector<const ConstraintDeclaration*>& constraints, const std::int64_t* problem);

}  // namespace hone::detail
