#include "session/yardstick.h"

#include <algorithm>
#include <cmath>

namespace hone::detail {

namespace {

constexpr double kStepToSigma = 1.4826 / 1.4142;  // a difference of two has sqrt(2) times the spread of one
// So many samples say how noisy it is; fewer are all near.
constexpr std::size_t kSamplesForNoise = 5;

}  // namespace

double Yardstick::noise() const { return steps_.size() == 0 ? 0 : kStepToSigma * steps_.median(); }

bool Yardstick::isFar(double sample) const {
  if (near_.size() < kSamplesForNoise) return false;
  const double tolerance = std::max(thresholds_.farAtLeast, thresholds_.farSpreads * noise());
  return std::abs(std::log(sample / level())) > tolerance;
}

Yardstick::Seen Yardstick::add(double sample) {
  if (latest_ > 0) steps_.add(std::abs(std::log(sample / latest_)));
  latest_ = sample;
  if (!isFar(sample)) {
    ++nearInARow_;
    fasterInARow_ = 0;
    near_.add(sample);
    findLevel();
    return Seen::near;
  }
  if (isCalm()) farInARow_ = 0;
  nearInARow_ = 0;
  ++farInARow_;
  const bool isFaster = sample < level();
  if (farInARow_ == 1 || isFaster != (fasterInARow_ > 0)) far_.clear();
  far_.add(sample);
  fasterInARow_ = isFaster ? fasterInARow_ + 1 : 0;
  if (fasterInARow_ < thresholds_.fasterLasts && farInARow_ < thresholds_.slowerLasts) return Seen::far;
  near_ = far_;
  findLevel();
  calmDown();
  return Seen::newLevel;
}

void Yardstick::findLevel() {
  level_ = near_.medianOfLatest(kLevelSamples);
  nearMedian_ = near_.median();
}

void Yardstick::calmDown() {
  far_.clear();
  nearInARow_ = thresholds_.calmSamples;
  farInARow_ = 0;
  fasterInARow_ = 0;
}

}  // namespace hone::detail
