// Problem sizes come by name, so that they cannot be mixed up; inside they are numbers in the order of declaration.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hone/measurement.h"
#include "space/declaration_data.h"

namespace hone::detail {

struct OrderedSizes {
  std::array<std::int64_t, kMaximumProblemSizes> values{};
  std::size_t count = 0;
};

/// For a launch. Where no problem sizes were declared, those of the first launch are, from then on. Throws UsageError
/// if the sizes are not those declared. Thread safety: internally synchronised.
OrderedSizes orderedSizesOfLaunch(DeclarationData& declarations, const ProblemSizes& problem);

/// For a question about a problem. Throws UsageError before the first launch, or if the sizes are not those declared.
OrderedSizes orderedSizes(const DeclarationData& declarations, const ProblemSizes& problem);

}  // namespace hone::detail
