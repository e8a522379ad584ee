// Depth-first enumeration of valid configurations. Constraints are checked as soon as their last parameter is bound.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hone/search_space.h"
#include "space/declaration_data.h"

namespace hone::detail {

/// Visits the valid points in rank order until `visit` returns false.
/// `constraints` are those to respect; `problem` may be null if none of them reads a problem size.
void enumerate(const DeclarationData& declarations, const std::vector<const ConstraintDeclaration*>& constraints,
               const std::int64_t* problem, const std::function<bool(const Point&)>& visit);

}  // namespace hone::detail
