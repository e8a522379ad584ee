// What a step of a strategy costs on a large space: CLTune's matrix product with 241,600 configurations, which nobody
// can measure exhaustively; its costs here are made up.
#pragma once

#include <cstddef>

#include "search_quality/study.h"

namespace hone::bench {

/// The median time in microseconds of a call to propose and of the taking of its one trial, over searches of 200
/// trials.
double stepTimeUs(const Contestant& contestant, std::size_t searches);

}  // namespace hone::bench
