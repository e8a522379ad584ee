#include "statistics/comparison.h"

#include <algorithm>
#include <cmath>

namespace hone::detail {

namespace {

constexpr double kMedianToMeanError = 1.2533;  // sqrt(pi/2)

}  // namespace

Verdict compare(const SampleWindow& ratios) {
  if (ratios.size() < kMinimumPairs) return Verdict::undecided;
  const double ratio = ratios.median();
  const double error = kMedianToMeanError * ratios.spread() / std::sqrt(static_cast<double>(ratios.size()));
  if (ratio + 2 * error < 1 - kMinimumGain) return Verdict::better;
  if (ratio - 2 * error > 1) return Verdict::worse;
  if (ratios.size() < kMaximumPairs) return Verdict::undecided;
  return ratio < 1 - kMinimumGain ? Verdict::better : Verdict::worse;
}

bool isHopeless(const SampleWindow& candidate, const SampleWindow& incumbent) {
  return candidate.smallest() > std::max(kHopelessRatio * incumbent.median(), incumbent.largest());
}

}  // namespace hone::detail
