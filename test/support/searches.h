// Small spaces, and searches on them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hone/strategy.h"

namespace hone::test {

using Ranks = std::vector<Rank>;
using Cost = std::function<std::optional<double>(const std::vector<std::int64_t>&)>;

/// A space with one parameter of values 0 .. count - 1 for each count, its default the first value of each.
inline SearchSpace grid(const std::vector<std::int64_t>& counts,
                        const std::function<Expression(const std::vector<Expression>&)>& constraint = nullptr) {
  SpaceDeclarations declarations("grid");
  std::vector<Expression> parameters;
  for (std::int64_t count : counts) {
    const std::string name = "p" + std::to_string(parameters.size());
    parameters.push_back(declarations.addParameter(name, range(0, count - 1), 0));
  }
  if (constraint) declarations.require(constraint(parameters));
  return SearchSpace(declarations);
}

/// Only x == y == z is valid, so that no two configurations are neighbours.
inline SearchSpace diagonal(std::int64_t count) {
  return grid({count, count, count}, [](const auto& p) { return p[0] == p[1] && p[1] == p[2]; });
}

/// Judges what the strategy wants most, `ahead` at a time, until it wants nothing more or `trials` were judged.
/// Returns the ranks in the order of judging.
inline Ranks search(Strategy& strategy, const SearchSpace& space, const Cost& cost, std::size_t trials = 1'000'000,
                    std::size_t ahead = 1) {
  Evidence evidence;
  Ranks order;
  while (order.size() < trials) {
    const Proposal proposal = strategy.propose(space, evidence, ahead);
    if (proposal.candidates.empty()) break;
    for (Rank rank : proposal.candidates) {
      EXPECT_LT(rank, space.size());
      EXPECT_EQ(evidence.find(rank), nullptr) << "judged before: " << rank;
      evidence.add({rank, cost(space.configuration(rank))});
      order.push_back(rank);
    }
  }
  return order;
}

}  // namespace hone::test
