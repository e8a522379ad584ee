#include "space/bounds.h"

#include <algorithm>
#include <limits>

namespace hone::detail {

namespace {

__extension__ typedef __int128 Wide;  // holds sums, products and quotients of two 64-bit numbers

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr Bounds kAnything{kLowest, kHighest};
constexpr Bounds kFalse{0, 0}, kTrue{1, 1}, kEither{0, 1};

/// Values beyond 64 bits are overflows, which do not count.
std::int64_t clamped(Wide value) { return static_cast<std::int64_t>(std::clamp<Wide>(value, kLowest, kHighest)); }

Bounds hull(Bounds a, Bounds b) { return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)}; }

bool isNever(Bounds condition) { return condition.least == 0 && condition.greatest == 0; }
bool isAlways(Bounds condition) { return condition.least > 0 || condition.greatest < 0; }
Bounds decided(bool isAlwaysTrue, bool isNeverTrue) { return isAlwaysTrue ? kTrue : isNeverTrue ? kFalse : kEither; }
Bounds inverted(Bounds condition) { return decided(isNever(condition), isAlways(condition)); }

/// Of an operation that rises or falls in each of its operands, whatever the other is.
template <class Combine>
Bounds fromCorners(Bounds a, Bounds b, const Combine& combine) {
  const Wide corners[] = {combine(a.least, b.least), combine(a.least, b.greatest), combine(a.greatest, b.least),
                          combine(a.greatest, b.greatest)};
  const auto [least, greatest] = std::minmax_element(std::begin(corners), std::end(corners));
  return {clamped(*least), clamped(*greatest)};
}

/// The operand without a zero at its end, since nothing is divided by it.
Bounds withoutZeroAtTheEnds(Bounds divisor) {
  if (divisor.least == 0 && divisor.greatest > 0) divisor.least = 1;
  if (divisor.greatest == 0 && divisor.least < 0) divisor.greatest = -1;
  return divisor;
}

Bounds quotients(Operation operation, Bounds a, Bounds divisor) {
  const Bounds b = withoutZeroAtTheEnds(divisor);
  const bool hasOneSign = isAlways(b);
  if (!hasOneSign) {  // +-1 are the divisors that leave most
    const Wide most = std::max(-Wide{a.least}, Wide{a.greatest}), least = std::min(Wide{a.least}, -Wide{a.greatest});
    return {clamped(least), clamped(most)};
  }
  return fromCorners(a, b, [&](Wide dividend, Wide by) {
    const Wide quotient = dividend / by;
    const bool roundsUp = operation == Operation::ceilDiv && dividend % by != 0 && (dividend < 0) == (by < 0);
    return quotient + (roundsUp ? 1 : 0);
  });
}

/// The remainder has the dividend's sign, and is smaller than the divisor.
Bounds remainders(Bounds a, Bounds divisor) {
  const Wide largest = std::max(-Wide{divisor.least}, Wide{divisor.greatest}) - 1;
  const Bounds b = withoutZeroAtTheEnds(divisor);
  const Wide smallestDivisor = !isAlways(b) ? 1 : b.least > 0 ? Wide{b.least} : -Wide{b.greatest};
  const bool isSmaller = a.greatest < smallestDivisor && -Wide{a.least} < smallestDivisor;
  if (isSmaller) return a;  // dividing leaves it as it is
  return {clamped(a.least < 0 ? std::max(Wide{a.least}, -std::max<Wide>(largest, 0)) : 0),
          clamped(a.greatest > 0 ? std::min(Wide{a.greatest}, std::max<Wide>(largest, 0)) : 0)};
}

Bounds combined(Operation operation, Bounds a, Bounds b) {
  switch (operation) {
    case Operation::add: return {clamped(Wide{a.least} + b.least), clamped(Wide{a.greatest} + b.greatest)};
    case Operation::subtract: return {clamped(Wide{a.least} - b.greatest), clamped(Wide{a.greatest} - b.least)};
    case Operation::multiply: return fromCorners(a, b, [](Wide x, Wide y) { return x * y; });
    case Operation::minimum: return {std::min(a.least, b.least), std::min(a.greatest, b.greatest)};
    case Operation::maximum: return {std::max(a.least, b.least), std::max(a.greatest, b.greatest)};
    case Operation::less: return decided(a.greatest < b.least, a.least >= b.greatest);
    case Operation::lessEqual: return decided(a.greatest <= b.least, a.least > b.greatest);
    case Operation::greater: return combined(Operation::less, b, a);
    case Operation::greaterEqual: return combined(Operation::lessEqual, b, a);
    case Operation::equal: {
      const bool isOneValue = a.least == a.greatest && b.least == b.greatest && a.least == b.least;
      return decided(isOneValue, a.greatest < b.least || b.greatest < a.least);
    }
    case Operation::notEqual: return inverted(combined(Operation::equal, a, b));
    case Operation::modulo: return remainders(a, b);
    default: return quotients(operation, a, b);
  }
}

}  // namespace

Bounds boundsOf(const ExpressionNode& node, const std::vector<Bounds>& parameters, const std::int64_t* problem) {
  const auto operand = [&](std::size_t i) { return boundsOf(*node.operands[i], parameters, problem); };
  switch (node.operation) {
    case Operation::constant: return {node.constant, node.constant};
    case Operation::parameter: return parameters[node.index];
    case Operation::problemSize: return {problem[node.index], problem[node.index]};
    case Operation::lambda: return kAnything;
    case Operation::negate: return combined(Operation::subtract, kFalse, operand(0));
    case Operation::logicalNot: return inverted(operand(0));
    case Operation::logicalAnd: {
      const Bounds a = operand(0), b = operand(1);
      return decided(isAlways(a) && isAlways(b), isNever(a) || isNever(b));
    }
    case Operation::logicalOr: {
      const Bounds a = operand(0), b = operand(1);
      return decided(isAlways(a) || isAlways(b), isNever(a) && isNever(b));
    }
    case Operation::select: {
      const Bounds condition = operand(0);
      return isAlways(condition) ? operand(1) : isNever(condition) ? operand(2) : hull(operand(1), operand(2));
    }
    default: return combined(node.operation, operand(0), operand(1));
  }
}

}  // namespace hone::detail
