#include "problem_order.h"

#include <algorithm>
#include <string>
#include <vector>

#include "hone/error.h"

namespace hone::detail {

namespace {

OrderedSizes inDeclaredOrder(const DeclarationData& declarations, const ProblemSizes& problem) {
  const std::vector<std::string>& names = declarations.problemNames;
  OrderedSizes ordered;
  std::array<bool, kMaximumProblemSizes> isGiven{};
  for (const NamedSize& size : problem) {
    // Launches mostly give the sizes in the order of declaration; then the first comparison is the only one.
    std::size_t position =
        ordered.count < names.size() && names[ordered.count] == size.name
            ? ordered.count
            : static_cast<std::size_t>(std::find(names.begin(), names.end(), size.name) - names.begin());
    if (position == names.size()) {
      throw UsageError(declarations.owner + ": problem size '" + std::string(size.name) +
                       "' was not declared, nor given by the first measurement");
    }
    if (isGiven[position])
      throw UsageError(declarations.owner + ": problem size '" + std::string(size.name) + "' is given twice");
    isGiven[position] = true;
    ordered.values[position] = size.value;
    ++ordered.count;
  }
  if (ordered.count != names.size()) {
    throw UsageError(declarations.owner + ": " + std::to_string(ordered.count) + " problem sizes were given, " +
                     std::to_string(names.size()) + " are declared");
  }
  return ordered;
}

}  // namespace

OrderedSizes orderedSizesOfLaunch(DeclarationData& declarations, const ProblemSizes& problem) {
  if (!declarations.isProblemFixed.load(std::memory_order_acquire)) {
    std::vector<std::string> names;
    for (const NamedSize& size : problem) names.emplace_back(size.name);
    declarations.fixProblem(std::move(names));
  }
  return inDeclaredOrder(declarations, problem);
}

OrderedSizes orderedSizes(const DeclarationData& declarations, const ProblemSizes& problem) {
  if (!declarations.isProblemFixed.load(std::memory_order_acquire))
    throw UsageError(declarations.owner + ": a report was asked for before the first measurement");
  return inDeclaredOrder(declarations, problem);
}

}  // namespace hone::detail
