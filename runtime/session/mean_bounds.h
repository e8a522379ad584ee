// Mean costs from few samples, to the cautious side: choices are made on medians, the account on means.
#pragma once

#include <algorithm>
#include <cstddef>

#include "statistics/running_mean.h"

namespace hone::detail {

struct MeanThresholds {
  /// Samples with which a configuration's mean is known, and with which the default's is.
  std::size_t known = 8;
  std::size_t knownDefault = 5;
  /// Standard errors. Heavy tails make two too few, with which one run of 8000 broke its budget (bench/decisions).
  double errors = 3;
};

/// The default's mean, as a ratio to the level of its medians, rather too low; 1 while hardly anything is known.
inline double leastMean(const RunningMean& ofDefault, const MeanThresholds& thresholds) {
  if (ofDefault.count() < thresholds.knownDefault) return 1;
  return ofDefault.mean() - thresholds.errors * ofDefault.standardError();
}

/// The same, rather too high.
inline double mostMean(const RunningMean& ofDefault, const MeanThresholds& thresholds) {
  if (ofDefault.count() < thresholds.knownDefault) return 1;
  return ofDefault.mean() + thresholds.errors * ofDefault.standardError();
}

/// A configuration's mean divided by the default's, rather too high. Without enough samples of both it saves nothing.
inline double cautiousRatio(const RunningMean& mean, const RunningMean& ofDefault, const MeanThresholds& thresholds) {
  if (mean.count() < 2) return 1;
  const double most = mean.mean() + thresholds.errors * mean.standardError();
  const double ratio = most / leastMean(ofDefault, thresholds);
  const bool isKnown = ofDefault.count() >= thresholds.knownDefault && mean.count() >= thresholds.known;
  return isKnown ? ratio : std::max(1.0, ratio);
}

/// Whether a configuration's mean is above the default's beyond doubt: with a heavy tail, the median may be below it.
inline bool isAbove(const RunningMean& mean, const RunningMean& ofDefault, const MeanThresholds& thresholds) {
  if (mean.count() < thresholds.known || ofDefault.count() < thresholds.knownDefault) return false;
  const double least = mean.mean() - thresholds.errors * mean.standardError();
  return least > ofDefault.mean() + thresholds.errors * ofDefault.standardError();
}

}  // namespace hone::detail
