#include "hone/expression.h"

#include <array>

#include "space/arithmetic.h"
#include "space/expression_node.h"

namespace hone {

using detail::Evaluation;
using detail::ExpressionNode;
using detail::NodePointer;
using detail::Operation;

namespace {

Expression makeNode(Operation operation, std::vector<NodePointer> operands) {
  ExpressionNode node{};
  node.operation = operation;
  node.operands = std::move(operands);
  return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
}

Expression binary(Operation operation, const Expression& a, const Expression& b) {
  return makeNode(operation, {a.sharedNode(), b.sharedNode()});
}

// C's precedences, higher binds tighter; function-like and atomic expressions never need parentheses.
constexpr int kAtom = 100;
constexpr int kUnary = 90;

int precedence(const ExpressionNode& node) {
  switch (node.operation) {
    case Operation::constant: return node.constant < 0 ? kUnary : kAtom;  // -(-3), not --3
    case Operation::negate:
    case Operation::logicalNot: return kUnary;
    case Operation::multiply:
    case Operation::divide:
    case Operation::modulo: return 80;
    case Operation::add:
    case Operation::subtract: return 70;
    case Operation::less:
    case Operation::lessEqual:
    case Operation::greater:
    case Operation::greaterEqual: return 60;
    case Operation::equal:
    case Operation::notEqual: return 50;
    case Operation::logicalAnd: return 40;
    case Operation::logicalOr: return 30;
    default: return kAtom;
  }
}

const char* symbol(Operation operation) {
  switch (operation) {
    case Operation::negate: return "-";
    case Operation::logicalNot: return "!";
    case Operation::add: return " + ";
    case Operation::subtract: return " - ";
    case Operation::multiply: return " * ";
    case Operation::divide: return " / ";
    case Operation::modulo: return " % ";
    case Operation::equal: return " == ";
    case Operation::notEqual: return " != ";
    case Operation::less: return " < ";
    case Operation::lessEqual: return " <= ";
    case Operation::greater: return " > ";
    case Operation::greaterEqual: return " >= ";
    case Operation::logicalAnd: return " && ";
    case Operation::logicalOr: return " || ";
    case Operation::select: return "select";
    case Operation::minimum: return "min";
    case Operation::maximum: return "max";
    case Operation::ceilDiv: return "ceilDiv";
    default: return "";
  }
}

std::string print(const ExpressionNode& node);

std::string printOperand(const ExpressionNode& node, int atLeast) {
  return precedence(node) < atLeast ? "(" + print(node) + ")" : print(node);
}

std::string print(const ExpressionNode& node) {
  switch (node.operation) {
    case Operation::constant: return std::to_string(node.constant);
    case Operation::parameter:
    case Operation::problemSize:
    case Operation::lambda: return node.name;
    case Operation::negate:
    case Operation::logicalNot: return symbol(node.operation) + printOperand(*node.operands[0], kAtom);
    case Operation::select:
    case Operation::minimum:
    case Operation::maximum:
    case Operation::ceilDiv: {
      std::string text = symbol(node.operation);
      for (std::size_t i = 0; i < node.operands.size(); ++i) text += (i == 0 ? "(" : ", ") + print(*node.operands[i]);
      return text + ")";
    }
    default: {
      const int own = precedence(node);  // left-associative: an equal right operand needs parentheses
      return printOperand(*node.operands[0], own) + symbol(node.operation) + printOperand(*node.operands[1], own + 1);
    }
  }
}

}  // namespace

NodePointer Expression::makeConstant(std::int64_t value) {
  ExpressionNode node{};
  node.operation = Operation::constant;
  node.constant = value;
  return std::make_shared<const ExpressionNode>(std::move(node));
}

std::string Expression::toString() const { return print(*node_); }

Expression operator+(const Expression& a, const Expression& b) { return binary(Operation::add, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return binary(Operation::subtract, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return binary(Operation::multiply, a, b); }
Expression operator/(const Expression& a, const Expression& b) { return binary(Operation::divide, a, b); }
Expression operator%(const Expression& a, const Expression& b) { return binary(Operation::modulo, a, b); }
Expression operator==(const Expression& a, const Expression& b) { return binary(Operation::equal, a, b); }
Expression operator!=(const Expression& a, const Expression& b) { return binary(Operation::notEqual, a, b); }
Expression operator<(const Expression& a, const Expression& b) { return binary(Operation::less, a, b); }
Expression operator<=(const Expression& a, const Expression& b) { return binary(Operation::lessEqual, a, b); }
Expression operator>(const Expression& a, const Expression& b) { return binary(Operation::greater, a, b); }
Expression operator>=(const Expression& a, const Expression& b) { return binary(Operation::greaterEqual, a, b); }
Expression operator&&(const Expression& a, const Expression& b) { return binary(Operation::logicalAnd, a, b); }
Expression operator||(const Expression& a, const Expression& b) { return binary(Operation::logicalOr, a, b); }
Expression operator-(const Expression& a) { return makeNode(Operation::negate, {a.sharedNode()}); }
Expression operator!(const Expression& a) { return makeNode(Operation::logicalNot, {a.sharedNode()}); }
Expression min(const Expression& a, const Expression& b) { return binary(Operation::minimum, a, b); }
Expression max(const Expression& a, const Expression& b) { return binary(Operation::maximum, a, b); }
Expression ceilDiv(const Expression& a, const Expression& b) { return binary(Operation::ceilDiv, a, b); }
Expression implies(const Expression& condition, const Expression& consequence) { return !condition || consequence; }

Expression select(const Expression& condition, const Expression& whenTrue, const Expression& whenFalse) {
  return makeNode(Operation::select, {condition.sharedNode(), whenTrue.sharedNode(), whenFalse.sharedNode()});
}

namespace detail {

Expression makeLambda(std::string name, std::vector<Expression> reads,
                      std::function<std::int64_t(const std::int64_t*)> function) {
  ExpressionNode node{};
  node.operation = Operation::lambda;
  node.name = std::move(name);
  node.function = std::move(function);
  for (const Expression& read : reads) node.operands.push_back(read.sharedNode());
  return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
}

Evaluation evaluate(const ExpressionNode& node, const std::int64_t* configuration, const std::int64_t* problem) {
  const auto operand = [&](std::size_t i) { return evaluate(*node.operands[i], configuration, problem); };
  const auto isFaulty = [](const Evaluation& e) { return e.fault != Evaluation::Fault::none; };

  switch (node.operation) {
    case Operation::constant: return known(node.constant);
    case Operation::parameter: return known(configuration[node.index]);
    case Operation::problemSize: return known(problem[node.index]);
    case Operation::lambda: {
      std::array<std::int64_t, kMaximumLambdaReads> arguments{};
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Evaluation argument = operand(i);
        if (isFaulty(argument)) return argument;
        arguments[i] = argument.value;
      }
      return known(node.function(arguments.data()));
    }
    case Operation::negate: {
      const Evaluation a = operand(0);
      return isFaulty(a) ? a : combine(Operation::subtract, 0, a.value);
    }
    case Operation::logicalNot: {
      const Evaluation a = operand(0);
      return isFaulty(a) ? a : known(a.value == 0);
    }
    case Operation::logicalAnd:
    case Operation::logicalOr: {
      const Evaluation a = operand(0);
      if (isFaulty(a)) return a;
      const bool isDecided = (a.value != 0) == (node.operation == Operation::logicalOr);
      if (isDecided) return known(a.value != 0);
      const Evaluation b = operand(1);
      return isFaulty(b) ? b : known(b.value != 0);
    }
    case Operation::select: {
      const Evaluation condition = operand(0);
      return isFaulty(condition) ? condition : operand(condition.value != 0 ? 1 : 2);
    }
    default: {
      const Evaluation a = operand(0);
      if (isFaulty(a)) return a;
      const Evaluation b = operand(1);
      return isFaulty(b) ? b : combine(node.operation, a.value, b.value);
    }
  }
}

void forEachRead(const ExpressionNode& node, const std::function<void(const ExpressionNode&)>& visit) {
  if (node.operation == Operation::parameter || node.operation == Operation::problemSize) visit(node);
  for (const NodePointer& operand : node.operands) forEachRead(*operand, visit);
}

bool readsProblem(const ExpressionNode& node) {
  bool found = false;
  forEachRead(node, [&](const ExpressionNode& read) { found = found || read.operation == Operation::problemSize; });
  return found;
}

}  // namespace detail
}  // namespace hone
