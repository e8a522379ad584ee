// What each threshold of the decisions trades: regret against launches, disturbances against speed, tails against
// waiting.
#pragma once

#include <cstdint>

#include "scenario.h"

namespace hone::bench {

/// Prints a table: all thresholds as they are, then each one smaller and larger, on the noise of a recording, drawn.
void printTrades(const Recording& rows, std::uint64_t seeds);

}  // namespace hone::bench
