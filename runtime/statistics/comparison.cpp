#include "statistics/comparison.h"

#include <algorithm>
#include <cmath>

namespace hone::detail {

namespace {

constexpr double kMedianToMeanError = 1.2533;  // sqrt(pi/2)

double relativeVariance(const SampleWindow& samples, double median) {
  const double relative = kMedianToMeanError * samples.spread() / median;
  return relative * relative / static_cast<double>(samples.size());
}

}  // namespace

Comparison compare(const SampleWindow& candidate, const SampleWindow& incumbent) {
  const double candidateMedian = candidate.median();
  const double incumbentMedian = incumbent.median();
  const double ratio = candidateMedian / incumbentMedian;
  const double hopeless = std::max(kHopelessRatio * incumbentMedian, incumbent.largest());
  if (candidate.smallest() > hopeless) return {Verdict::worse, ratio};
  if (candidate.size() < kMinimumSamples) return {Verdict::undecided, ratio};

  const double error = ratio * std::sqrt(relativeVariance(candidate, candidateMedian) +
                                         relativeVariance(incumbent, incumbentMedian));
  if (ratio + 2 * error < 1 - kMinimumGain) return {Verdict::better, ratio};
  if (ratio - 2 * error > 1) return {Verdict::worse, ratio};
  if (candidate.size() < kMaximumSamples) return {Verdict::undecided, ratio};
  return {ratio < 1 - kMinimumGain ? Verdict::better : Verdict::worse, ratio};
}

}  // namespace hone::detail
