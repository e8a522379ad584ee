// Is a candidate cheaper than the incumbent? The answer of the evidence, not of one lucky sample.
#pragma once

#include "statistics/samples.h"

namespace hone::detail {

enum class Verdict { better, worse, undecided };

struct Comparison {
  Verdict verdict = Verdict::undecided;
  double ratio = 1;  // candidate's median / incumbent's median
};

/// Compares by medians. With r their ratio (candidate / incumbent) and e its standard error, from kMinimumSamples of the
/// candidate on:
///
///   better     r + 2e < 1 - kMinimumGain
///   worse      r - 2e > 1
///   undecided  otherwise; with kMaximumSamples: better if r < 1 - kMinimumGain, else worse
///
/// Before that, a candidate is worse only where noise as large as the incumbent's cannot explain it: its smallest sample
/// exceeds kHopelessRatio times the incumbent's median and the incumbent's largest sample.
///
/// e^2 = 1.2533^2 ((s_c/m_c)^2/n_c + (s_i/m_i)^2/n_i) r^2 with medians m, spreads s and sample counts n: the median of
/// n normal samples has 1.2533 = sqrt(pi/2) times the standard error of their mean. A rule of thumb for n < 10, which the
/// minimum gain backs up.
/// REQUIRES: both have a sample, and they were taken on interleaved launches
Comparison compare(const SampleWindow& candidate, const SampleWindow& incumbent);

constexpr std::size_t kMinimumSamples = 5;   // a median of 5 withstands two disturbed launches
constexpr std::size_t kMaximumSamples = 15;  // a pair undecided until here is as good as equal: end it
constexpr double kMinimumGain = 0.01;        // a switch is not worth less
constexpr double kHopelessRatio = 2.0;       // a candidate twice as slow is worth no second launch

}  // namespace hone::detail
