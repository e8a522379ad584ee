// The constraints of a space that could not be counted: what its diagram leaves unchecked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hone/expression.h"
#include "space/program.h"

namespace hone::detail {

/// Thread safety: immutable.
class UncheckedConstraints {
 public:
  /// `owners` keep the nodes alive. `problem` as for evaluate().
  UncheckedConstraints(const std::vector<const ExpressionNode*>& nodes, std::vector<Expression> owners,
                       const std::int64_t* problem)
      : owners_(std::move(owners)) {
    for (const ExpressionNode* node : nodes) {
      programs_.emplace_back(
          *node, [](std::size_t p) { return p; }, problem);
      stackSize_ = std::max(stackSize_, programs_.back().stackSize());
    }
  }

  /// `configuration` has a value for each parameter, in order of declaration.
  bool hold(const std::vector<std::int64_t>& configuration) const {
    if (programs_.empty()) return true;
    std::vector<std::int64_t> stack(stackSize_);
    for (const Program& program : programs_) {
      if (!program.run(configuration.data(), stack.data()).isTrue()) return false;
    }
    return true;
  }

  bool isEmpty() const { return programs_.empty(); }

 private:
  std::vector<Expression> owners_;
  std::vector<Program> programs_;
  std::size_t stackSize_ = 0;
};

}  // namespace hone::detail
