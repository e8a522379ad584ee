// How many trials a search needs until it has found what is as good as the best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/recorded_space.h"

namespace hone::bench {

/// What counts as good as the best: 3 % more time.
inline constexpr double kAsGood = 1.03;

/// Of a search that tried configurations with these times, in this order: how many trials came before it had one of at
/// most kAsGood * best, that one included. The first is the default, which is no trial: 0 where that is good enough.
/// Empty times are failures. Empty if there was none.
std::optional<std::size_t> trialsUntilGood(const std::vector<std::optional<double>>& times, double best);

/// The same for a search replayed on a measured space, where a trial takes what the configuration took then. It begins
/// at `defaultRow`, is asked for one candidate at a time and ends after `atMost` trials. `bestNs`: as above.
std::optional<std::size_t> replayedTrials(const test::RecordedSpace& recorded, const test::RecordedRow& defaultRow,
                                          double bestNs, const std::string& strategy, std::uint64_t seed,
                                          std::size_t atMost);

/// The median of the replays with the seeds 1 .. seeds, where a search that found nothing counts as longer than any
/// other; empty where that is the median. REQUIRES: seeds is odd
std::optional<std::size_t> medianReplayedTrials(const test::RecordedSpace& recorded,
                                                const test::RecordedRow& defaultRow, double bestNs,
                                                const std::string& strategy, std::size_t seeds);

}  // namespace hone::bench
