// Builds the decision diagram of a search space.
#pragma once

#include <cstdint>
#include <vector>

#include "space/conjunct.h"
#include "space/declaration_data.h"
#include "space/diagram.h"
#include "space/restriction.h"

namespace hone::detail {

/// Beyond these, building goes on without one of the constraints: about a second, and 1 GiB while building.
constexpr BuildingLimits kBuildingLimits{std::uint64_t{1} << 26, std::size_t{1} << 24};

struct BuiltDiagram {
  Diagram diagram;
  /// Constraints, or parts of them, that tangle too many values: the diagram's points need not satisfy them.
  std::vector<const ExpressionNode*> unchecked;
};

/// The diagram of the points that satisfy these constraints. `problem` may be null if none of them reads a problem
/// size. Throws UsageError if 2^63 points or more do.
///
/// Values that no point can have are dropped, parameterOrder() puts the parameters in order, and restrict() does the
/// rest. Where it exceeds the limits, the constraint that reads the most combinations there is left out, and the
/// building starts again with the order.
BuiltDiagram buildDiagram(const DeclarationData& declarations,
                          const std::vector<const ConstraintDeclaration*>& constraints, const std::int64_t* problem);

/// The diagram of all combinations of kept values, with its levels in the order that suits the conjuncts.
Diagram productDiagram(const DeclarationData& declarations, const KeptValues& kept,
                       const std::vector<Conjunct>& conjuncts);

}  // namespace hone::detail
