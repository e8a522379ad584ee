// Constraints as they are built with: a conjunction counts as several.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "space/declaration_data.h"
#include "space/expression_node.h"

namespace hone::detail {

struct Conjunct {
  const ExpressionNode* condition;
  std::vector<std::size_t> reads;  // parameters, ascending
};

inline void collectConjuncts(const ExpressionNode& condition, std::vector<Conjunct>& conjuncts) {
  if (condition.operation == Operation::logicalAnd) {
    for (const NodePointer& operand : condition.operands) collectConjuncts(*operand, conjuncts);
    return;
  }
  Conjunct conjunct{&condition, {}};
  forEachRead(condition, [&](const ExpressionNode& read) {
    if (read.operation == Operation::parameter) conjunct.reads.push_back(read.index);
  });
  std::sort(conjunct.reads.begin(), conjunct.reads.end());
  conjunct.reads.erase(std::unique(conjunct.reads.begin(), conjunct.reads.end()), conjunct.reads.end());
  conjuncts.push_back(std::move(conjunct));
}

inline std::vector<Conjunct> conjunctsOf(const std::vector<const ConstraintDeclaration*>& constraints) {
  std::vector<Conjunct> conjuncts;
  for (const ConstraintDeclaration* constraint : constraints) collectConjuncts(constraint->condition.node(), conjuncts);
  return conjuncts;
}

}  // namespace hone::detail
