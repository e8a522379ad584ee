// Is a candidate cheaper than the incumbent? The answer of the evidence, not of one lucky sample.
#pragma once

#include "statistics/samples.h"

namespace hone::detail {

enum class Verdict {
  better,
  worse,
  undecided
};

/// Compares by pairs: each ratio is a candidate's cost divided by the incumbent's cost in the launch before it, so that
/// what lasts longer than two launches (a clock that changes, a core that is taken) cancels out. With r the median of
/// the ratios and e its standard error, from kMinimumPairs on:
///
///   better     r + 2e < 1 - kMinimumGain
///   worse      r - 2e > 1
///   undecided  otherwise; with kMaximumPairs: better if r < 1 - kMinimumGain, else worse
///
/// e = 1.2533 s / sqrt(n) with the spread s of n ratios: the median of normal samples has 1.2533 = sqrt(pi/2) times the
/// standard error of their mean. A rule of thumb for n < 10, which the minimum gain backs up.
Verdict compare(const SampleWindow& ratios);

/// Whether a candidate is so slow that even one launch tells: its smallest cost exceeds kHopelessRatio times the
/// incumbent's median, and also the incumbent's largest cost, so that a disturbance as the incumbent's own worst one
/// does not explain it. REQUIRES: both have a sample
bool isHopeless(const SampleWindow& candidate, const SampleWindow& incumbent);

constexpr std::size_t kMinimumPairs = 5;   // a median of 5 withstands two disturbed launches
constexpr std::size_t kMaximumPairs = 15;  // a pair undecided until here is as good as equal: end it
constexpr double kMinimumGain = 0.01;      // a switch is not worth less
constexpr double kHopelessRatio = 2.0;     // a candidate twice as slow is worth no second launch

}  // namespace hone::detail
