// What a strategy is about to propose: neither judged already nor twice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include "hone/strategy.h"

namespace hone::detail {

/// In a space that is not counted, orders of ranks are followed this far at a time: maybe none of them is valid.
constexpr std::size_t kMaximumInvalid = 10'000;

/// Thread safety: externally synchronised.
class CandidateList {
 public:
  /// Holds up to `atMost` candidates, and never more than are left to judge. Refers to the space and the evidence.
  CandidateList(const SearchSpace& space, const Evidence& evidence, std::size_t atMost)
      : space_(space),
        evidence_(evidence),
        left_(space.size() - evidence.trials().size()),
        atMost_(std::min(atMost, left_)) {}

  std::size_t size() const { return candidates_.size(); }
  bool isFull() const { return candidates_.size() >= atMost_; }

  /// Adds the configuration, unless the list is full or the configuration was judged or added before, or is not valid.
  void offer(Rank rank) {
    if (isFull() || evidence_.find(rank) || !space_.isValid(rank)) return;
    if (offered_.insert(rank).second) candidates_.push_back(rank);
  }

  /// The candidates; converged if these are all that is left.
  Proposal take() && {
    const bool isConverged = candidates_.size() == left_;
    return {std::move(candidates_), isConverged};
  }

 private:
  const SearchSpace& space_;
  const Evidence& evidence_;
  std::size_t left_;
  std::size_t atMost_;
  std::vector<Rank> candidates_;
  std::unordered_set<Rank> offered_;
};

}  // namespace hone::detail
