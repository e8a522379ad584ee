// Random search: the yardstick for the other strategies, and the best choice where neighbours have nothing in common.
//
// Rule: the i-th configuration is uniform over those not drawn before, i.e. the search follows a uniformly random
// permutation of the space. After n trials the best was found with probability n / size, and one of the best share q
// with probability 1 - (1 - q)^n, nearly. It never "gets warm": the next trial is no better than the last.
//
// Parameters: none. Source: sparse Fisher-Yates; Knuth, TAOCP vol. 2, 3.4.2, algorithm P.
//
// Does not apply where a trial is dear and neighbours resemble each other: it learns nothing from what it has seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "hone/strategy.h"
#include "search/candidate_list.h"

namespace hone::detail {

/// A uniformly random permutation of a space's ranks, drawn as far as it is needed: O(1) time and memory a draw.
/// Thread safety: externally synchronised.
class RandomOrder {
 public:
  explicit RandomOrder(std::uint64_t seed) : seed_(seed ^ kStream) {}

  /// Adds the first configurations of the order that are neither judged nor in the list, `atMost` of them, until the
  /// list is full. The order depends on the seed only. REQUIRES: the space of the earlier calls
  void fill(CandidateList& list, const SearchSpace& space, const Evidence& evidence,
            std::size_t atMost = std::numeric_limits<std::size_t>::max());

 private:
  static constexpr std::uint64_t kStream =
      0x616e7977;  // whoever uses the order draws from the same seed for other ends

  void draw(Rank size);

  std::uint64_t seed_;
  std::vector<Rank> drawn_;
  std::size_t firstLeft_ = 0;                 // all drawn before it were judged or are not valid
  std::unordered_map<Rank, Rank> displaced_;  // what stands at a place of the permutation, where not its own number
};

class RandomSearch final : public Strategy {
 public:
  explicit RandomSearch(std::uint64_t seed) : order_(seed) {}
  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override;

 private:
  RandomOrder order_;
};

}  // namespace hone::detail
