#include "opencl/divisibility.h"

#include <algorithm>
#include <sstream>

#include "space/declaration_data.h"
#include "space/expression_node.h"

namespace hone::opencl::detail {

using hone::detail::ExpressionNode;
using hone::detail::Operation;

namespace {

bool isSame(const ExpressionNode& a, const ExpressionNode& b) {
  if (&a == &b) return true;
  if (a.operation != b.operation || a.operation == Operation::lambda) return false;  // functions cannot be compared
  if (a.constant != b.constant || a.owner != b.owner || a.index != b.index) return false;
  return std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                    [](const auto& x, const auto& y) { return isSame(*x, *y); });
}

/// An expression as a product: constants multiplied into one, the rest one by one.
struct Factors {
  std::int64_t constant = 1;  // 0 where the product overflows: no such size can be launched
  std::vector<const ExpressionNode*> rest;
};

void collectFactors(const ExpressionNode& node, Factors& factors) {
  if (node.operation == Operation::multiply) {
    for (const auto& operand : node.operands) collectFactors(*operand, factors);
  } else if (node.operation != Operation::constant) {
    factors.rest.push_back(&node);
  } else if (__builtin_mul_overflow(factors.constant, node.constant, &factors.constant)) {
    factors.constant = 0;
  }
}

Factors factorsOf(const ExpressionNode& node) {
  Factors factors;
  collectFactors(node, factors);
  return factors;
}

/// All factors of the divisor are among the number's.
bool hasFactors(Factors number, const Factors& divisor) {
  if (divisor.constant < 1 || number.constant % divisor.constant != 0) return false;
  return std::all_of(divisor.rest.begin(), divisor.rest.end(), [&](const ExpressionNode* factor) {
    const auto found = std::find_if(number.rest.begin(), number.rest.end(),
                                    [&](const ExpressionNode* other) { return isSame(*factor, *other); });
    if (found == number.rest.end()) return false;
    number.rest.erase(found);
    return true;
  });
}

bool isMultiple(const ExpressionNode& number, const ExpressionNode& divisor) {
  if (hasFactors(factorsOf(number), factorsOf(divisor))) return true;
  const auto isMultipleToo = [&](std::size_t operand) { return isMultiple(*number.operands[operand], divisor); };
  switch (number.operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::minimum:
    case Operation::maximum: return isMultipleToo(0) && isMultipleToo(1);
    case Operation::select: return isMultipleToo(1) && isMultipleToo(2);
    default: return false;
  }
}

}  // namespace

bool needsUniformWorkGroups(const DeviceFacts& facts, const std::string& buildOptions) {
  if (!facts.hasNonUniformWorkGroups) return true;
  const std::string prefix = "-cl-std=";
  bool isForVersion2 = false;
  std::istringstream words(buildOptions);
  for (std::string word; words >> word;) {
    if (word == "-cl-uniform-work-group-size") return true;
    if (word.rfind(prefix, 0) == 0)  // CL1.2, CL2.0, CL3.0, CLC++, CLC++2021
      isForVersion2 = word.rfind(prefix + "CL1", 0) != 0;
  }
  return !isForVersion2;
}

bool isMultiple(const Expression& number, const Expression& divisor) {
  return isMultiple(number.node(), divisor.node());
}

void requireUniformWorkGroups(const std::vector<Expression>& global, const std::vector<Expression>& local,
                              Declarations& declarations) {
  const std::vector<std::int64_t> defaults = declarations.data().defaultConfiguration();
  for (std::size_t i = 0; i < global.size(); ++i) {
    if (isMultiple(global[i], local[i])) continue;
    const Expression divides = global[i] % local[i] == 0;
    const bool readsProblem = hone::detail::readsProblem(divides.node());
    if (readsProblem || hone::detail::evaluate(divides.node(), defaults.data(), nullptr).isTrue())
      declarations.require(divides);
  }
}

}  // namespace hone::opencl::detail
