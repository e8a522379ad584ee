#include "space/program.h"

#include <algorithm>

#include "space/arithmetic.h"

namespace hone::detail {

struct Program::Compiler {
  std::vector<Instruction>& instructions;
  const std::function<std::size_t(std::size_t)>& slotOf;
  const std::int64_t* problem;
  std::size_t depth = 0;  // of the stack, where the next instruction starts
  std::size_t deepest = 0;

  std::size_t add(Instruction instruction) {
    instructions.push_back(instruction);
    return instructions.size() - 1;
  }
  void addPushing(Instruction instruction) {
    add(instruction);
    deepest = std::max(deepest, ++depth);
  }
  void landHere(std::size_t jump) { instructions[jump].target = instructions.size(); }

  void compile(const ExpressionNode& node) {
    switch (node.operation) {
      case Operation::constant: addPushing({.code = Code::push, .constant = node.constant}); return;
      case Operation::problemSize: addPushing({.code = Code::push, .constant = problem[node.index]}); return;
      case Operation::parameter: addPushing({.code = Code::load, .target = slotOf(node.index)}); return;
      case Operation::lambda: {
        for (const NodePointer& operand : node.operands) compile(*operand);
        depth -= node.operands.size();
        addPushing({.code = Code::call, .target = node.operands.size(), .function = &node.function});
        return;
      }
      case Operation::negate:
      case Operation::logicalNot:
        compile(*node.operands[0]);
        add({.code = node.operation == Operation::negate ? Code::negate : Code::invert});
        return;
      case Operation::logicalAnd:
      case Operation::logicalOr: {
        compile(*node.operands[0]);
        const bool isAnd = node.operation == Operation::logicalAnd;
        const std::size_t decision = add({.code = isAnd ? Code::decideAnd : Code::decideOr});
        --depth;
        compile(*node.operands[1]);
        add({.code = Code::normalise});
        landHere(decision);
        return;
      }
      case Operation::select: {
        compile(*node.operands[0]);
        const std::size_t choice = add({.code = Code::jumpIfZero});
        --depth;
        compile(*node.operands[1]);
        const std::size_t end = add({.code = Code::jump});
        --depth;
        landHere(choice);
        compile(*node.operands[2]);
        landHere(end);
        return;
      }
      default:
        compile(*node.operands[0]);
        compile(*node.operands[1]);
        add({.code = Code::binary, .operation = node.operation});
        --depth;
        return;
    }
  }
};

Program::Program(const ExpressionNode& node, const std::function<std::size_t(std::size_t)>& slotOf,
                 const std::int64_t* problem) {
  Compiler compiler{instructions_, slotOf, problem};
  compiler.compile(node);
  stackSize_ = compiler.deepest;
}

Evaluation Program::run(const std::int64_t* slots, std::int64_t* stack) const {
  std::int64_t* end = stack;  // behind the uppermost value
  const Instruction* const first = instructions_.data();
  const Instruction* const last = first + instructions_.size();
  for (const Instruction* next = first; next != last; ++next) {
    const auto jump = [&] { next = first + next->target - 1; };
    switch (next->code) {
      case Code::push: *end++ = next->constant; break;
      case Code::load: *end++ = slots[next->target]; break;
      case Code::call:
        end -= next->target;
        *end = (*next->function)(end);
        ++end;
        break;
      case Code::negate: {
        const Evaluation result = combine(Operation::subtract, 0, end[-1]);
        if (result.fault != Evaluation::Fault::none) return result;
        end[-1] = result.value;
        break;
      }
      case Code::invert: end[-1] = end[-1] == 0; break;
      case Code::normalise: end[-1] = end[-1] != 0; break;
      case Code::decideAnd:
        if (end[-1] == 0)
          jump();
        else
          --end;
        break;
      case Code::decideOr:
        if (end[-1] != 0) {
          end[-1] = 1;
          jump();
        } else {
          --end;
        }
        break;
      case Code::jumpIfZero:
        if (*--end == 0) jump();
        break;
      case Code::jump: jump(); break;
      case Code::binary: {
        --end;
        const Evaluation result = combine(next->operation, end[-1], end[0]);
        if (result.fault != Evaluation::Fault::none) return result;
        end[-1] = result.value;
        break;
      }
    }
  }
  return known(end[-1]);
}

}  // namespace hone::detail
