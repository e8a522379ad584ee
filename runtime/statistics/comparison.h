// Is a candidate cheaper than the incumbent? The answer of the evidence, not of one lucky sample.
#pragma once

#include "statistics/samples.h"

namespace hone::detail {

enum class Verdict { better, worse, undecided };

struct Comparison {
  Verdict verdict = Verdict::undecided;
  double ratio = 1;  // candidate's median / incumbent's median
};

/// Compares by medians. With r the ratio of the medians and e its standard error:
///
///   better     r + 2e < 1 - kMinimumGain, from kMinimumSamples on
///   worse      r - 2e > 1, from kMinimumSamples on; r > kHopelessRatio already at the first sample
///   undecided  otherwise; at kMaximumSamples: better if r < 1 - kMinimumGain, else worse
///
/// e^2 = 1.2533^2 ((s_c/m_c)^2/n_c + (s_i/m_i)^2/n_i) r^2 with medians m, spreads s and sample counts n: the median of
/// n normal samples has 1.2533 = sqrt(pi/2) times the standard error of their mean. It is a rule of thumb for n < 10
/// (spread() of 3 samples is too small half of the time), which the minimum gain backs up.
/// REQUIRES: both have a sample, and they were taken on interleaved launches
Comparison compare(const SampleWindow& candidate, const SampleWindow& incumbent);

constexpr std::size_t kMinimumSamples = 3;   // the least for which a median ignores an outlier
constexpr std::size_t kMaximumSamples = 9;   // an undecided pair is as good as equal: stop paying for it
constexpr double kMinimumGain = 0.01;        // a switch is not worth less
constexpr double kHopelessRatio = 2.0;       // beyond what a disturbed launch explains on a device shared with a compiler

}  // namespace hone::detail
