// An expression as a flat list of instructions, for constraints that are evaluated many times. Same meaning as
// evaluate() on the tree.
//
//   const Program program(constraint.condition.node(), slotOf, problem);
//   std::vector<std::int64_t> stack(program.stackSize());
//   if (program.run(slots, stack.data()).isTrue()) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "space/expression_node.h"

namespace hone::detail {

/// Thread safety: immutable. Refers to the functions of the expression's lambdas.
class Program {
 public:
  /// slotOf(i) says where run() finds the i-th parameter's value. Problem sizes are taken now; `problem` may be null if
  /// the expression reads none.
  Program(const ExpressionNode& node, const std::function<std::size_t(std::size_t)>& slotOf,
          const std::int64_t* problem);

  std::size_t stackSize() const { return stackSize_; }

  /// `stack` is scratch memory for stackSize() numbers.
  Evaluation run(const std::int64_t* slots, std::int64_t* stack) const;

 private:
  enum class Code {
    push,        // the constant
    load,        // the slot's value
    call,        // a function of the uppermost values
    negate,      // the uppermost value
    invert,      // 1 where it is 0, else 0
    normalise,   // 0 where it is 0, else 1
    decideAnd,   // where the uppermost value is 0, that is the result: jump; else drop it and go on
    decideOr,    // where it is not 0, the result is 1: jump; else drop it and go on
    jumpIfZero,  // drops the uppermost value
    jump,
    binary,  // replaces the two uppermost values
  };
  struct Instruction {
    Code code;
    Operation operation = Operation::constant;  // of binary
    std::size_t target = 0;                     // of jumps; the slot of load; the number of arguments of call
    std::int64_t constant = 0;
    const std::function<std::int64_t(const std::int64_t*)>* function = nullptr;
  };
  struct Compiler;

  std::vector<Instruction> instructions_;
  std::size_t stackSize_ = 0;
};

}  // namespace hone::detail
