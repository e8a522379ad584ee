// In which order to bind parameters, so that little has to be remembered of those already bound.
#pragma once

#include <cstddef>
#include <vector>

namespace hone::detail {

/// What is remembered behind a prefix of the order is the values of the frontier: the parameters in it that still meet
/// one outside of it in some constraint. An order costs the sum over its prefixes of the combinations of values that
/// the next parameter makes with the frontier's.
///
/// `counts[p]` is the number of values of parameter p, `constraints` lists the parameters that each constraint reads,
/// without repeats. Groups that no constraint connects come one after the other, by their first parameter; within a
/// group the order is greedy: next comes the parameter that leaves the smallest frontier, the first declared of equals.
/// Every parameter of the group is tried as its first, as far as kEffort allows, and the cheapest order is taken.
/// Parameters in no constraint come last, in order of declaration.
std::vector<std::size_t> parameterOrder(const std::vector<std::size_t>& counts,
                                        const std::vector<std::vector<std::size_t>>& constraints);

}  // namespace hone::detail
