#include "statistics/comparison.h"

#include <algorithm>
#include <cmath>

namespace hone::detail {

double medianError(const SampleWindow& samples, double noise) {
  constexpr double kMedianToMeanError = 1.2533;  // sqrt(pi/2)
  const double spread = std::max(samples.spread(), noise);
  return kMedianToMeanError * spread / std::sqrt(static_cast<double>(samples.size()));
}

Verdict compare(const SampleWindow& ratios, double noise, const ComparisonThresholds& thresholds) {
  const std::size_t n = ratios.size();
  if (n == 0) return Verdict::undecided;
  if (n < thresholds.maximumPairs) {
    const Margin& ofN = thresholds.margins[std::min(n, thresholds.margins.size()) - 1];
    const double margin = std::max(ofN.least, ofN.noises * noise);
    if (ratios.smallest() > 1 + margin) return Verdict::slower;
    if (n > thresholds.luckyPairs && ratios.largest() < 1 - margin) return Verdict::faster;
    return Verdict::undecided;
  }
  const double error = thresholds.errors * medianError(ratios, noise);
  if (ratios.median() - error > 1 + thresholds.worthKnowing) return Verdict::slower;
  if (ratios.upperMidmean() + error < 1 - thresholds.worthKnowing) return Verdict::faster;
  return Verdict::undecided;
}

}  // namespace hone::detail
