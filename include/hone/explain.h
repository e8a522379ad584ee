// Why a search space is as small as it is: what each constraint removes.
//
//   std::puts(hone::toString(hone::explain(gemm, {1024, 1024, 1024})).c_str());
//   // 1,327,104 points, 241,600 of them valid
//   //   525,312 removed by: MWG % (MDIMC * VWM) == 0
//   //   ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hone/api.h"
#include "hone/declarations.h"

namespace hone {

/// What one constraint, were it the only one, would remove from all combinations of values. The three counts exclude
/// each other; as doubles they are exact up to 2^53.
struct ConstraintEffect {
  std::string constraint;  // its name, in the user's own words
  /// False where the parameters that the constraint reads have more than 2^26 combinations: then nothing is counted.
  bool isCounted = true;
  double removed = 0;  // it is 0 there
  double divisionsByZero = 0;
  double overflows = 0;
};

struct SpaceExplanation {
  double points = 0;                          // combinations of values
  std::optional<std::uint64_t> valid;         // empty if they are too many to count: see SearchSpace
  std::vector<ConstraintEffect> constraints;  // in order of declaration
  std::optional<std::string> emptiedBy;       // the first constraint with which nothing is left, if nothing is
};

/// Counts over the values of the parameters that a constraint reads: a second at most for each constraint.
/// Throws UsageError if there are no parameters or not as many problem sizes as declared.
HONE_API SpaceExplanation explain(const Declarations& declarations, const std::vector<std::int64_t>& problem = {});

/// A line for the space, one for each constraint, and one for what emptied it.
HONE_API std::string toString(const SpaceExplanation& explanation);

}  // namespace hone
