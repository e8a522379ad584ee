// Arithmetic over parameters and problem sizes, written once in the kernel's own terms: constraints, launch geometry,
// derived macros and local-memory use are all expressions. Hone can evaluate them, print them and prune with them.
//
//   kernel.require(MWG % (MDIMC * VWM) == 0);
//   kernel.global(hone::ceilDiv(M, MWG) * MDIMC);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hone/api.h"
#include "hone/integer.h"

namespace hone {

namespace detail {
struct ExpressionNode;
using NodePointer = std::shared_ptr<const ExpressionNode>;
}  // namespace detail

/// An integer expression (64 bit). Comparisons and logic yield 0 or 1; `/` and `%` round towards zero, as in C++.
/// A division by zero or an overflow has no value; a constraint without a value is not satisfied.
/// Thread safety: immutable; copies share their nodes.
class HONE_API Expression {
 public:
  template <class T, IfInteger<T> = 0>
  Expression(T constant) : Expression(makeConstant(toInt64(constant))) {}
  explicit Expression(detail::NodePointer node) : node_(std::move(node)) {}

  /// The expression in C syntax with as few parentheses as possible.
  std::string toString() const;

  const detail::ExpressionNode& node() const { return *node_; }
  const detail::NodePointer& sharedNode() const { return node_; }

 private:
  static detail::NodePointer makeConstant(std::int64_t value);

  detail::NodePointer node_;
};

/// A tuning parameter's handle; in an expression it stands for the parameter's value in a configuration.
class Parameter : public Expression {
 public:
  Parameter(detail::NodePointer node, std::size_t index) : Expression(std::move(node)), index_(index) {}

  /// Position in the order of declaration.
  std::size_t index() const { return index_; }

 private:
  std::size_t index_;
};

HONE_API Expression operator+(const Expression& a, const Expression& b);
HONE_API Expression operator-(const Expression& a, const Expression& b);
HONE_API Expression operator*(const Expression& a, const Expression& b);
HONE_API Expression operator/(const Expression& a, const Expression& b);
HONE_API Expression operator%(const Expression& a, const Expression& b);
HONE_API Expression operator==(const Expression& a, const Expression& b);
HONE_API Expression operator!=(const Expression& a, const Expression& b);
HONE_API Expression operator<(const Expression& a, const Expression& b);
HONE_API Expression operator<=(const Expression& a, const Expression& b);
HONE_API Expression operator>(const Expression& a, const Expression& b);
HONE_API Expression operator>=(const Expression& a, const Expression& b);
HONE_API Expression operator-(const Expression& a);
HONE_API Expression operator!(const Expression& a);
/// Short-circuit: b is evaluated only where a does not decide, so `x != 0 && y % x == 0` never divides by zero.
HONE_API Expression operator&&(const Expression& a, const Expression& b);
HONE_API Expression operator||(const Expression& a, const Expression& b);

/// `condition ? whenTrue : whenFalse`; only the chosen one is evaluated.
HONE_API Expression select(const Expression& condition, const Expression& whenTrue, const Expression& whenFalse);
/// `!condition || consequence`
HONE_API Expression implies(const Expression& condition, const Expression& consequence);
HONE_API Expression min(const Expression& a, const Expression& b);
HONE_API Expression max(const Expression& a, const Expression& b);
/// The smallest integer not below a / b.
HONE_API Expression ceilDiv(const Expression& a, const Expression& b);

namespace detail {

constexpr std::size_t kMaximumLambdaReads = 16;  // evaluated on the stack

HONE_API Expression makeLambda(std::string name, std::vector<Expression> reads,
                               std::function<std::int64_t(const std::int64_t*)> function);

template <class Function, std::size_t... I>
std::int64_t applyToArray(const Function& function, const std::int64_t* arguments, std::index_sequence<I...>) {
  return static_cast<std::int64_t>(function(arguments[I]...));
}

}  // namespace detail

/// A C++ function as an expression. It lists what it reads and gets those values as int64, in that order; it prints as
/// its name. It must depend on nothing else and must not throw.
///
///   hone::lambda("halo", {TBX, FS}, [](auto x, auto f) { return x + f - 1; })
template <std::size_t N, class Function>
Expression lambda(std::string name, const Expression (&reads)[N], Function function) {
  static_assert(N <= detail::kMaximumLambdaReads, "a lambda expression reads at most 16 values");
  return detail::makeLambda(std::move(name), {reads, reads + N},
                            [function = std::move(function)](const std::int64_t* arguments) {
                              return detail::applyToArray(function, arguments, std::make_index_sequence<N>{});
                            });
}

}  // namespace hone
