#include "space/diagram_builder.h"

#include <algorithm>

#include "space/parameter_order.h"

namespace hone::detail {

namespace {

/// Takes out the conjunct that reads the most combinations of values, of those that have to do with the tangled
/// parameters.
const ExpressionNode* leaveOut(std::vector<Conjunct>& conjuncts, const std::vector<std::size_t>& tangled,
                               const KeptValues& kept) {
  const auto isTangled = [&](std::size_t p) { return std::find(tangled.begin(), tangled.end(), p) != tangled.end(); };
  auto worst = conjuncts.end();
  double most = 0;
  for (auto conjunct = conjuncts.begin(); conjunct != conjuncts.end(); ++conjunct) {
    if (std::none_of(conjunct->reads.begin(), conjunct->reads.end(), isTangled)) continue;
    double combinations = 1;
    for (std::size_t p : conjunct->reads) combinations *= static_cast<double>(kept.count(p));
    if (combinations <= most) continue;
    most = combinations;
    worst = conjunct;
  }
  const ExpressionNode* condition = worst->condition;
  conjuncts.erase(worst);
  return condition;
}

}  // namespace

Diagram productDiagram(const DeclarationData& declarations, const KeptValues& kept,
                       const std::vector<Conjunct>& conjuncts) {
  std::vector<std::size_t> counts;
  for (std::size_t p = 0; p < declarations.parameters.size(); ++p) counts.push_back(kept.count(p));
  std::vector<std::vector<std::size_t>> reads;
  for (const Conjunct& conjunct : conjuncts) reads.push_back(conjunct.reads);

  std::vector<Diagram::Level> levels;
  std::vector<Diagram::Node> nodes(1);
  for (std::size_t p : parameterOrder(counts, reads)) {
    const std::size_t range = declarations.parameters[p].values.size();
    levels.push_back({p, kept.positions(p), 1 / std::max(1.0, static_cast<double>(range) - 1)});
    nodes.push_back({0, static_cast<Diagram::NodeIndex>(nodes.size() - 1), 0});
  }
  return Diagram(std::move(levels), std::move(nodes), {}, static_cast<Diagram::NodeIndex>(counts.size()));
}

BuiltDiagram buildDiagram(const DeclarationData& declarations,
                          const std::vector<const ConstraintDeclaration*>& constraints, const std::int64_t* problem) {
  KeptValues kept(declarations);
  std::vector<Conjunct> conjuncts = conjunctsOf(constraints);
  if (!kept.shrink(conjuncts, problem)) return {};
  std::vector<const ExpressionNode*> unchecked;
  for (;;) {
    const Diagram product = productDiagram(declarations, kept, conjuncts);
    Restriction restriction = restrict(product, kept, conjuncts, problem, kBuildingLimits, declarations.owner);
    if (restriction.isDone()) return {std::move(restriction.diagram), std::move(unchecked)};
    unchecked.push_back(leaveOut(conjuncts, restriction.tangled, kept));
  }
}

}  // namespace hone::detail
