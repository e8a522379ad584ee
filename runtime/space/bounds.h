// What an expression can still become once some of its parameters are bound: interval arithmetic.
#pragma once

#include <cstdint>
#include <vector>

#include "space/expression_node.h"

namespace hone::detail {

/// Both ends are included.
struct Bounds {
  std::int64_t least, greatest;
};

/// Bounds of the values that the expression has while each parameter keeps within its bounds (one pair a parameter, in
/// order of declaration); where it has no value, division by zero or overflow, does not count. Not always the closest:
/// an operand that occurs twice is taken for two, and a lambda can give anything. `problem` as for evaluate().
/// Source: R. E. Moore, Interval Analysis, 1966.
Bounds boundsOf(const ExpressionNode& node, const std::vector<Bounds>& parameters, const std::int64_t* problem);

/// False only if the condition holds for no values within the bounds.
inline bool canHold(const ExpressionNode& condition, const std::vector<Bounds>& parameters,
                    const std::int64_t* problem) {
  const Bounds bounds = boundsOf(condition, parameters, problem);
  return bounds.least != 0 || bounds.greatest != 0;
}

/// Whether looking at a condition's bounds is worth the time: they tell much of sums and products that are compared,
/// and hardly ever anything of divisibility.
inline bool doBoundsTell(const ExpressionNode& condition) {
  return condition.operation == Operation::less || condition.operation == Operation::lessEqual ||
         condition.operation == Operation::greater || condition.operation == Operation::greaterEqual;
}

}  // namespace hone::detail
