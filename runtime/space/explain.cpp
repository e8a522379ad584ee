#include "hone/explain.h"

#include <cstdio>

#include "hone/search_space.h"
#include "space/declaration_data.h"
#include "space/diagram_builder.h"
#include "space/expression_node.h"
#include "space/program.h"

namespace hone {

namespace {

using detail::DeclarationData;
using detail::Evaluation;

ConstraintEffect effectOf(const detail::ConstraintDeclaration& constraint, const DeclarationData& declarations,
                          const std::int64_t* problem) {
  const auto& parameters = declarations.parameters;
  std::vector<std::size_t> slotOf(parameters.size());
  std::vector<const std::vector<std::int64_t>*> ranges;  // a slot each
  std::vector<bool> isRead(parameters.size());
  forEachRead(constraint.condition.node(), [&](const detail::ExpressionNode& read) {
    if (read.operation != detail::Operation::parameter || isRead[read.index]) return;
    isRead[read.index] = true;
    slotOf[read.index] = ranges.size();
    ranges.push_back(&parameters[read.index].values);
  });
  double combinations = 1, others = 1;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    (isRead[p] ? combinations : others) *= static_cast<double>(parameters[p].values.size());

  ConstraintEffect effect;
  effect.constraint = constraint.name;
  effect.isCounted = combinations <= static_cast<double>(detail::kBuildingLimits.evaluations);
  if (!effect.isCounted) return effect;

  const detail::Program program(
      constraint.condition.node(), [&](std::size_t p) { return slotOf[p]; }, problem);
  std::vector<std::int64_t> stack(program.stackSize()), slots(ranges.size());
  std::vector<std::size_t> position(ranges.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) slots[slot] = (*ranges[slot])[0];
  for (auto left = static_cast<std::uint64_t>(combinations); left > 0; --left) {
    const Evaluation result = program.run(slots.data(), stack.data());
    if (!result.isTrue()) {
      const bool isDivision = result.fault == Evaluation::Fault::divisionByZero;
      const bool isOverflow = result.fault == Evaluation::Fault::overflow;
      (isDivision ? effect.divisionsByZero : isOverflow ? effect.overflows : effect.removed) += others;
    }
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {  // like an odometer
      const bool isOver = ++position[slot] == ranges[slot]->size();
      if (isOver) position[slot] = 0;
      slots[slot] = (*ranges[slot])[position[slot]];
      if (!isOver) break;
    }
  }
  return effect;
}

/// "1,327,104"; from 2^53 on, "1.3e+20".
std::string grouped(double number) {
  char text[64];
  const bool isExact = number <= 0x1.0p53;
  std::snprintf(text, sizeof text, isExact ? "%.0f" : "%.3g", number);
  std::string result = text;
  if (isExact) {
    for (std::size_t i = result.size(); i > 3; i -= 3) result.insert(i - 3, ",");
  }
  return result;
}

}  // namespace

SpaceExplanation explain(const Declarations& declarations, const std::vector<std::int64_t>& problem) {
  const DeclarationData& data = declarations.data();
  detail::checkSpaceArguments(data, problem);
  SpaceExplanation explanation;
  explanation.points = 1;
  for (const auto& parameter : data.parameters) explanation.points *= static_cast<double>(parameter.values.size());
  for (const auto& constraint : data.constraints)
    explanation.constraints.push_back(effectOf(constraint, data, problem.data()));
  try {
    const SearchSpace space(data, problem);
    if (space.isCounted()) explanation.valid = space.size();
    if (space.size() == 0) {
      const std::optional<detail::Emptied> emptied = data.emptiedBy(problem.data());
      if (emptied) explanation.emptiedBy = emptied->constraint;
    }
  } catch (const UsageError&) {  // 2^63 or more: that is what `valid` says then
  }
  return explanation;
}

std::string toString(const SpaceExplanation& explanation) {
  std::string text = grouped(explanation.points) + " points, ";
  text += explanation.valid ? grouped(static_cast<double>(*explanation.valid)) + " of them valid" : "too many to count";
  for (const ConstraintEffect& effect : explanation.constraints) {
    if (!effect.isCounted) {
      text += "\n  not counted: " + effect.constraint;
      continue;
    }
    text += "\n  " + grouped(effect.removed) + " removed by: " + effect.constraint;
    if (effect.divisionsByZero > 0) text += "; divisions by zero at " + grouped(effect.divisionsByZero) + " more";
    if (effect.overflows > 0) text += "; overflows at " + grouped(effect.overflows) + " more";
  }
  if (explanation.emptiedBy) text += "\n  nothing is left after: " + *explanation.emptiedBy;
  return text;
}

}  // namespace hone
