// Is a candidate faster than the incumbent? The answer of the evidence, not of one lucky sample.
#pragma once

#include <cstddef>

#include "statistics/samples.h"

namespace hone::detail {

enum class Verdict {
  faster,
  slower,
  undecided
};

/// Judges a candidate by interleaved pairs: each ratio is its cost divided by the incumbent's at that moment, so that
/// what lasts longer than a few launches (a clock that changes, a core that is taken) cancels out. `noise` is the
/// relative spread of the incumbent's own costs. With n ratios:
///
///   n < kMaximumPairs   slower  if all of them exceed 1 + m(n), faster if none exceeds 1 - m(n) and n > 2
///   n = kMaximumPairs   slower  if r - 2e > 1 + kWorthKnowing, faster if r + 2e < 1 - kWorthKnowing
///   undecided otherwise
///
/// The margin m(n), which falls with n, is that of kMargins and a multiple of the noise. r is the ratios' median, e its
/// standard error (medianError). Error rate: of a candidate that equals the incumbent, n ratios lie on the wrong side
/// with a probability of 2^-n even without any margin (exact, whatever the noise); 2e are 5 % for normal noise.
Verdict compare(const SampleWindow& ratios, double noise);

/// Of the median of n samples: 1.2533 s / sqrt(n) with their spread s, but no less than `noise`; the median of normal
/// samples has sqrt(pi/2) times the standard error of their mean. A rule of thumb for n < 10. REQUIRES: n > 0
double medianError(const SampleWindow& samples, double noise);

/// A difference that is not worth a launch: users do not notice half a per cent, and clocks wander as much.
constexpr double kWorthKnowing = 0.005;

/// A median of 5 withstands two disturbed launches; whoever is undecided then waits for the final, which compares the
/// few best more closely than one race could.
constexpr std::size_t kMaximumPairs = 5;

}  // namespace hone::detail
