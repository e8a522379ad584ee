// Exhaustive search: every configuration, those first that are spread over the space. For spaces that can be afforded
// whole, and for a table of all costs.
//
// Rule: the i-th configuration has the rank
//   (begin + i * stride) mod size,   stride = size / golden ratio, or the next number above that shares no factor with
//   size.
// No common factor: every rank comes exactly once. Golden ratio: each falls nearly into the widest gap that the ranks
// before it have left, so that the parameters that change slowest with the rank are covered from the start. As for
// those that change fastest: where no constraint removes anything, any v trials in a row have each of the last
// parameter's v values once. The seed only chooses where the order begins.
//
// It learns nothing and never loses patience; Options::maxTrials ends it early, on a sample that is still spread out.
//
// Source: the three-distance theorem and Fibonacci hashing; Knuth, TAOCP vol. 3, 6.4. Full search as tuners have it
// (CLTune, 2015) goes through the space in its own order: the half of it that was tried when time is up is then the
// half with the first parameter's lower values.
//
// Does not apply where the space is larger than what can be paid for: others find a good configuration earlier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "hone/strategy.h"

namespace hone::detail {

class Exhaustive final : public Strategy {
 public:
  explicit Exhaustive(std::uint64_t seed) : seed_(seed) {}

  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override;
  std::size_t patience() const override { return std::numeric_limits<std::size_t>::max(); }

 private:
  std::uint64_t seed_;
  Rank firstLeft_ = 0;  // all before this one of the order were judged
};

}  // namespace hone::detail
