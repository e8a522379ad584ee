// Is a candidate faster than the incumbent? The answer of the evidence, not of one lucky sample.
#pragma once

#include <array>
#include <cstddef>

#include "statistics/samples.h"

namespace hone::detail {

enum class Verdict {
  faster,
  slower,
  undecided
};

/// What early ratios have to exceed: the larger one of both.
struct Margin {
  double least;
  double noises;  // in multiples of the spread
};

/// What bench/decisions shows of each: regret against launches.
struct ComparisonThresholds {
  /// A difference that is not worth a launch: users do not notice half a per cent, and clocks wander as much.
  double worthKnowing = 0.005;
  /// A median of 5 withstands two disturbed launches; whoever is undecided then waits for the final, which compares the
  /// few best more closely than one race could.
  std::size_t maximumPairs = 5;
  /// Of 1, 2, 3 pairs and more. A candidate half as slow again is dropped after one pair, one that is slower by a tenth
  /// after two: of recorded launches on an RTX 3090 and a PRO W6600, the second one of a configuration takes 1.1 times
  /// its median or longer in 7 % of the configurations, the second and the third in 3 %. As far out as 3 normal samples
  /// are in no race of ten thousand.
  std::array<Margin, 4> margins{{{0.5, 6}, {0.1, 4}, {0.03, 3}, {0.02, 2}}};
  /// So few good ratios in a row are no gain yet.
  std::size_t luckyPairs = 2;
  /// Standard errors after the last pair: 5 % on both sides together, of normal noise.
  double errors = 2;
};

/// Judges a candidate by interleaved pairs: each ratio is its cost divided by the incumbent's at that moment, so that
/// what lasts longer than a few launches (a clock that changes, a core that is taken) cancels out. `noise` is the
/// relative spread of the incumbent's own costs. With n ratios:
///
///   n < maximumPairs   slower  if all of them exceed 1 + m(n), faster if none exceeds 1 - m(n) and n > luckyPairs
///   n = maximumPairs   slower  if m - errors e > 1 + worthKnowing, faster if u + errors e < 1 - worthKnowing
///   undecided otherwise
///
/// The margin m(n), which falls with n, is that of `margins` and a multiple of the noise. m is the ratios'
/// median, u their upper midmean, e the median's standard error (medianError): cautious in both directions. Error rate:
/// of a candidate that equals the incumbent, n ratios lie on the wrong side with a probability of 2^-n even without any
/// margin (exact, whatever the noise); 2e are 5 % for normal noise.
Verdict compare(const SampleWindow& ratios, double noise, const ComparisonThresholds& thresholds = {});

/// Of the median of n samples: 1.2533 s / sqrt(n) with their spread s, but no less than `noise`; the median of normal
/// samples has sqrt(pi/2) times the standard error of their mean. A rule of thumb for n < 10. REQUIRES: n > 0
double medianError(const SampleWindow& samples, double noise);

}  // namespace hone::detail
