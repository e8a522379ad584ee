#include "statistics/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hone::detail {

namespace {

constexpr double kMedianToMeanError = 1.2533;  // sqrt(pi/2)
constexpr double kErrors = 2;                  // standard errors: 5 % on both sides together, of normal noise

/// What early ratios have to exceed. A candidate half as slow again is dropped after one pair, one that is slower by a
/// tenth after two: of recorded launches on an RTX 3090 and a PRO W6600, the second one of a configuration takes 1.1
/// times its median or longer in 7 % of the configurations, the second and the third in 3 %.
struct Margin {
  double least;
  double noises;  // in multiples of the spread: as far out as 3 normal samples are in no race of ten thousand
};
constexpr std::array<Margin, kMaximumPairs - 1> kMargins{{{0.5, 6}, {0.1, 4}, {0.03, 3}, {0.02, 2}}};
constexpr std::size_t kLuckyPairs = 2;  // so few good ratios in a row are no gain yet

}  // namespace

double medianError(const SampleWindow& samples, double noise) {
  const double spread = std::max(samples.spread(), noise);
  return kMedianToMeanError * spread / std::sqrt(static_cast<double>(samples.size()));
}

Verdict compare(const SampleWindow& ratios, double noise) {
  const std::size_t n = ratios.size();
  if (n == 0) return Verdict::undecided;
  if (n < kMaximumPairs) {
    const double margin = std::max(kMargins[n - 1].least, kMargins[n - 1].noises * noise);
    if (ratios.smallest() > 1 + margin) return Verdict::slower;
    if (n > kLuckyPairs && ratios.largest() < 1 - margin) return Verdict::faster;
    return Verdict::undecided;
  }
  const double ratio = ratios.median();
  const double error = kErrors * medianError(ratios, noise);
  if (ratio - error > 1 + kWorthKnowing) return Verdict::slower;
  if (ratio + error < 1 - kWorthKnowing) return Verdict::faster;
  return Verdict::undecided;
}

}  // namespace hone::detail
