#include "hone/search_space.h"

#include <algorithm>

#include "space/declaration_data.h"
#include "space/diagram.h"
#include "space/space_family.h"
#include "space/unchecked_constraints.h"

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
  const std::shared_ptr<const detail::SpaceFamily> spaces = declarations.spaces();
  detail::SpaceFamily::Member member = spaces->member(problem.data());
  values_ = spaces->values();
  diagram_ = std::move(member.diagram);
  std::vector<Expression> conditions;
  for (const auto& constraint : declarations.constraints) conditions.push_back(constraint.condition);
  unchecked_ =
      std::make_shared<const detail::UncheckedConstraints>(member.unchecked, std::move(conditions), problem.data());
  size_ = diagram_->size();
  if (size_ == 0) return;

  std::vector<double> position;
  for (const auto& parameter : declarations.parameters)
    position.push_back(static_cast<double>(parameter.defaultPosition));
  const std::optional<Rank> start = nearestValid(position);
  if (!start) {
    throw UsageError(declarations.owner +
                     ": the space is too large to count, and no valid configuration was found near "
                     "the default");
  }
  start_ = *start;
}

bool SearchSpace::isCounted() const { return unchecked_->isEmpty(); }

bool SearchSpace::isValid(Rank rank) const { return isCounted() || unchecked_->hold(configuration(rank)); }

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

std::optional<Rank> SearchSpace::rank(const Point& point) const {
  const std::optional<Rank> rank = diagram_->rank(point);
  return rank && isValid(*rank) ? rank : std::nullopt;
}

std::vector<Rank> SearchSpace::onlyValid(std::vector<Rank> ranks) const {
  if (!isCounted()) {
    ranks.erase(std::remove_if(ranks.begin(), ranks.end(), [&](Rank rank) { return !isValid(rank); }), ranks.end());
  }
  return ranks;
}

std::vector<Rank> SearchSpace::neighbours(Rank rank, std::size_t atMostChanged) const {
  return onlyValid(diagram_->neighbours(rank, atMostChanged));
}

std::vector<Rank> SearchSpace::adjacent(Rank rank) const { return onlyValid(diagram_->adjacent(rank)); }

std::optional<Rank> SearchSpace::nearestValid(const std::vector<double>& position) const {
  if (isCounted()) return diagram_->nearest(position);
  return diagram_->nearest(position, [&](Rank rank) { return isValid(rank); });
}

Rank SearchSpace::nearest(const std::vector<double>& position) const { return nearestValid(position).value_or(start_); }

}  // namespace hone
