#include "space/enumeration.h"

#include <algorithm>

#include "space/expression_node.h"

namespace hone::detail {

namespace {

class Enumeration {
 public:
  Enumeration(const DeclarationData& declarations, const std::vector<const ConstraintDeclaration*>& constraints,
              const std::int64_t* problem, const std::function<bool(const Point&)>& visit)
      : parameters_(declarations.parameters),
        problem_(problem),
        visit_(visit),
        checks_(parameters_.size()),
        point_(parameters_.size()),
        values_(parameters_.size()) {
    for (const ConstraintDeclaration* constraint : constraints) {
      std::size_t last = 0;
      forEachRead(constraint->condition.node(), [&](const ExpressionNode& read) {
        if (read.operation == Operation::parameter) last = std::max(last, read.index);
      });
      checks_[last].push_back(&constraint->condition.node());
    }
  }

  /// Binds parameters from the p-th on; false once the visitor has had enough.
  bool descend(std::size_t p) {
    if (p == parameters_.size()) return visit_(point_);
    const std::vector<std::int64_t>& values = parameters_[p].values;
    for (std::uint32_t position = 0; position < values.size(); ++position) {
      point_[p] = position;
      values_[p] = values[position];
      const bool isValid = std::all_of(checks_[p].begin(), checks_[p].end(), [&](const ExpressionNode* check) {
        return evaluate(*check, values_.data(), problem_).isTrue();
      });
      if (isValid && !descend(p + 1)) return false;
    }
    return true;
  }

 private:
  const std::vector<ParameterDeclaration>& parameters_;
  const std::int64_t* problem_;
  const std::function<bool(const Point&)>& visit_;
  std::vector<std::vector<const ExpressionNode*>> checks_;  // by the last parameter that each reads
  Point point_;
  std::vector<std::int64_t> values_;
};

}  // namespace

void enumerate(const DeclarationData& declarations, const std::vector<const ConstraintDeclaration*>& constraints,
               const std::int64_t* problem, const std::function<bool(const Point&)>& visit) {
  Enumeration(declarations, constraints, problem, visit).descend(0);
}

}  // namespace hone::detail
