// Which configuration is faster, and by how much: launched in turns, so that whatever else the machine does at the time
// meets all of them alike.
#pragma once

#include <cstddef>
#include <vector>

#include "papers/pinned.h"

namespace hone::bench {

/// A match ends after the rounds, or after the seconds once it had five of them.
struct MatchLength {
  std::size_t rounds = 101;
  double seconds = 10;
};

/// The entrants' median times in ms, from one match: a sample of each a round, and another one begins each round.
/// Throws DoesNotRun. REQUIRES: there is an entrant
std::vector<double> playMatch(const std::vector<Pinned*>& entrants, const MatchLength& length);

}  // namespace hone::bench
