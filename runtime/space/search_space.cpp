#include "hone/search_space.h"

#include "space/declaration_data.h"
#include "space/diagram.h"
#include "space/diagram_builder.h"

namespace hone {

void detail::checkSpaceArguments(const DeclarationData& declarations, const std::vector<std::int64_t>& problem) {
  if (declarations.parameters.empty()) throw UsageError(declarations.owner + ": no parameter was declared");
  if (problem.size() != declarations.problemNames.size()) {
    throw UsageError(declarations.owner + ": " + std::to_string(problem.size()) + " problem sizes were given, " +
                     std::to_string(declarations.problemNames.size()) + " are declared");
  }
}

SearchSpace::SearchSpace(const Declarations& declarations, const std::vector<std::int64_t>& problem)
    : SearchSpace(declarations.data(), problem) {}

SearchSpace::SearchSpace(const detail::DeclarationData& declarations, const std::vector<std::int64_t>& problem) {
  detail::checkSpaceArguments(declarations, problem);
  std::vector<std::vector<std::int64_t>> values;
  for (const auto& parameter : declarations.parameters) values.push_back(parameter.values);
  values_ = std::make_shared<const std::vector<std::vector<std::int64_t>>>(std::move(values));

  std::vector<const detail::ConstraintDeclaration*> constraints;
  for (const auto& constraint : declarations.constraints) constraints.push_back(&constraint);
  diagram_ = std::make_shared<const detail::Diagram>(detail::buildDiagram(declarations, constraints, problem.data()));
  size_ = diagram_->size();

  if (size_ > 0) {
    std::vector<double> position;
    for (const auto& parameter : declarations.parameters)
      position.push_back(static_cast<double>(parameter.defaultPosition));
    start_ = nearest(position);
  }
}

std::size_t SearchSpace::bytes() const {
  std::size_t sum = sizeof(*this) + diagram_->bytes() + values_->capacity() * sizeof((*values_)[0]);
  for (const auto& values : *values_) sum += values.capacity() * sizeof(values[0]);
  return sum;
}

Point SearchSpace::point(Rank rank) const { return diagram_->point(rank); }

std::vector<std::int64_t> SearchSpace::configuration(Rank rank) const {
  const Point positions = point(rank);
  std::vector<std::int64_t> configuration(dimensions());
  for (std::size_t p = 0; p < positions.size(); ++p) configuration[p] = values(p)[positions[p]];
  return configuration;
}

std::optional<Rank> SearchSpace::rank(const Point& point) const { return diagram_->rank(point); }

std::vector<Rank> SearchSpace::neighbours(Rank rank, std::size_t atMostChanged) const {
  return diagram_->neighbours(rank, atMostChanged);
}

std::vector<Rank> SearchSpace::adjacent(Rank rank) const { return diagram_->adjacent(rank); }

Rank SearchSpace::nearest(const std::vector<double>& position) const { return diagram_->nearest(position); }

}  // namespace hone
