// The tree behind hone::Expression, and its evaluation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hone/expression.h"

namespace hone::detail {

enum class Operation {
  constant,
  parameter,
  problemSize,
  lambda,
  negate,
  logicalNot,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  equal,
  notEqual,
  less,
  lessEqual,
  greater,
  greaterEqual,
  logicalAnd,
  logicalOr,
  select,
  minimum,
  maximum,
  ceilDiv
};

struct ExpressionNode {
  Operation operation;
  std::vector<NodePointer> operands;  // a lambda's are what it reads
  std::int64_t constant = 0;
  std::string name;             // of a parameter, problem size or lambda
  std::size_t index = 0;        // of a parameter or problem size, in order of declaration
  const void* owner = nullptr;  // of a parameter or problem size: the declarations it belongs to
  std::function<std::int64_t(const std::int64_t*)> function;  // of a lambda
};

/// A value, or why there is none.
struct Evaluation {
  enum class Fault {
    none,
    divisionByZero,
    overflow
  };
  std::int64_t value = 0;
  Fault fault = Fault::none;

  bool isTrue() const { return fault == Fault::none && value != 0; }
};

/// The expression's value for a configuration (one value per parameter) and a problem (one value per problem size).
/// Either may be null where the expression reads nothing of it.
Evaluation evaluate(const ExpressionNode& node, const std::int64_t* configuration, const std::int64_t* problem);

/// Calls visit(node) for every parameter and problem size that the expression reads, repeats included.
void forEachRead(const ExpressionNode& node, const std::function<void(const ExpressionNode&)>& visit);

bool readsProblem(const ExpressionNode& node);

}  // namespace hone::detail
