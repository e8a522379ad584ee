#include "space/space_family.h"

#include <algorithm>

#include "hone/error.h"

namespace hone::detail {

namespace {

// What all problems have in common is worth a hundredth of what a space may take at most: some 10 ms and 10 MiB. Where
// it takes more, a problem's sizes often leave little of it, and each space is built from the start.
constexpr BuildingLimits kCommonLimits{kBuildingLimits.evaluations >> 6, kBuildingLimits.edges >> 6};

}  // namespace

SpaceFamily::SpaceFamily(const DeclarationData& declarations) : declarations_(declarations) {
  std::vector<std::vector<std::int64_t>> values;
  for (const ParameterDeclaration& parameter : declarations.parameters) values.push_back(parameter.values);
  values_ = std::make_shared<const std::vector<std::vector<std::int64_t>>>(std::move(values));

  for (const ConstraintDeclaration& constraint : declarations.constraints) constraints_.push_back(&constraint);
  std::vector<Conjunct> problemFree = conjunctsOf(constraints_);
  const auto middle = std::stable_partition(problemFree.begin(), problemFree.end(),
                                            [](const Conjunct& c) { return !readsProblem(*c.condition); });
  ofProblem_.assign(middle, problemFree.end());
  if (ofProblem_.empty()) {
    BuiltDiagram built = buildDiagram(declarations, constraints_, nullptr);
    common_ = std::make_shared<const Diagram>(std::move(built.diagram));
    unchecked_ = std::move(built.unchecked);
    return;
  }
  problemFree.erase(middle, problemFree.end());
  buildCommon(std::move(problemFree));
}

void SpaceFamily::buildCommon(std::vector<Conjunct> problemFree) {
  KeptValues kept(declarations_);
  if (!kept.shrink(problemFree, nullptr)) {
    common_ = std::make_shared<const Diagram>();
    return;
  }
  std::vector<Conjunct> all = problemFree;  // the order suits the problem's constraints too
  all.insert(all.end(), ofProblem_.begin(), ofProblem_.end());
  try {
    Restriction restriction = restrict(productDiagram(declarations_, kept, all), kept, problemFree, nullptr,
                                       kCommonLimits, declarations_.owner);
    if (restriction.isDone()) common_ = std::make_shared<const Diagram>(std::move(restriction.diagram));
  } catch (const UsageError&) {  // 2^63 points or more; a problem may leave fewer
  }
}

SpaceFamily::Member SpaceFamily::member(const std::int64_t* problem) const {
  if (ofProblem_.empty()) return {common_, unchecked_};
  if (common_ && common_->size() == 0) return {common_, {}};
  if (common_) {
    std::vector<std::vector<std::uint32_t>> positions(declarations_.parameters.size());
    for (const Diagram::Level& level : common_->levels()) positions[level.parameter] = level.kept;
    KeptValues kept(declarations_, std::move(positions));
    std::vector<Conjunct> conjuncts = ofProblem_;
    if (!kept.shrink(conjuncts, problem)) return {std::make_shared<const Diagram>(), {}};
    Restriction restriction = restrict(*common_, kept, conjuncts, problem, kBuildingLimits, declarations_.owner);
    if (restriction.isDone()) return {std::make_shared<const Diagram>(std::move(restriction.diagram)), {}};
  }
  BuiltDiagram built = buildDiagram(declarations_, constraints_, problem);
  return {std::make_shared<const Diagram>(std::move(built.diagram)), std::move(built.unchecked)};
}

}  // namespace hone::detail
