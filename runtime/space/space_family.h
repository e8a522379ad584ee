// The spaces of one set of declarations: each problem has one, and what its sizes do not touch is built once for all.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "space/declaration_data.h"
#include "space/diagram_builder.h"

namespace hone::detail {

/// Thread safety: immutable.
class SpaceFamily {
 public:
  /// Builds what the constraints that read no problem size leave, unless that tangles more than a few milliseconds'
  /// worth. The declarations must outlive it; what is declared later has no influence.
  /// Throws UsageError if 2^63 points or more are left, and no constraint reads a problem size.
  explicit SpaceFamily(const DeclarationData& declarations);

  struct Member {
    std::shared_ptr<const Diagram> diagram;
    std::vector<const ExpressionNode*> unchecked;  // as BuiltDiagram's
  };

  /// Where no constraint reads a problem size, all problems share one diagram. Else the problem's constraints restrict
  /// what is common; where nothing is, or the problem tangles it too much, the diagram is built from the start.
  /// Throws UsageError if 2^63 points or more are left.
  Member member(const std::int64_t* problem) const;

  /// For each parameter.
  const std::shared_ptr<const std::vector<std::vector<std::int64_t>>>& values() const { return values_; }

 private:
  void buildCommon(std::vector<Conjunct> problemFree);

  const DeclarationData& declarations_;
  std::vector<const ConstraintDeclaration*> constraints_;
  std::vector<Conjunct> ofProblem_;
  std::shared_ptr<const std::vector<std::vector<std::int64_t>>> values_;
  std::shared_ptr<const Diagram> common_;  // null: there is none
  std::vector<const ExpressionNode*> unchecked_;
};

}  // namespace hone::detail
