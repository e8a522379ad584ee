// What the two operands of an expression's operation give: the same for every evaluator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "space/expression_node.h"

namespace hone::detail {

constexpr Evaluation known(std::int64_t value) { return {value, Evaluation::Fault::none}; }
constexpr Evaluation kDividedByZero{0, Evaluation::Fault::divisionByZero};
constexpr Evaluation kOverflow{0, Evaluation::Fault::overflow};

inline Evaluation quotient(Operation operation, std::int64_t a, std::int64_t b) {
  if (b == 0) return kDividedByZero;
  if (b == -1) {  // INT64_MIN / -1 is the one quotient that overflows, and traps
    if (a == std::numeric_limits<std::int64_t>::min()) return operation == Operation::modulo ? known(0) : kOverflow;
    return known(operation == Operation::modulo ? 0 : -a);
  }
  if (operation == Operation::modulo) return known(a % b);
  const bool roundsUp = operation == Operation::ceilDiv && a % b != 0 && (a < 0) == (b < 0);
  return known(a / b + (roundsUp ? 1 : 0));
}

/// REQUIRES: an operation that always evaluates two operands
inline Evaluation combine(Operation operation, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (operation) {
    case Operation::add: return __builtin_add_overflow(a, b, &result) ? kOverflow : known(result);
    case Operation::subtract: return __builtin_sub_overflow(a, b, &result) ? kOverflow : known(result);
    case Operation::multiply: return __builtin_mul_overflow(a, b, &result) ? kOverflow : known(result);
    case Operation::equal: return known(a == b);
    case Operation::notEqual: return known(a != b);
    case Operation::less: return known(a < b);
    case Operation::lessEqual: return known(a <= b);
    case Operation::greater: return known(a > b);
    case Operation::greaterEqual: return known(a >= b);
    case Operation::minimum: return known(std::min(a, b));
    case Operation::maximum: return known(std::max(a, b));
    default: return quotient(operation, a, b);
  }
}

}  // namespace hone::detail
