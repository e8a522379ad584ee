#include "session/yardstick.h"

#include <algorithm>
#include <cmath>

namespace hone::detail {

namespace {

// Away from the level by a tenth, or by 6 times the spread where that is more: of recorded launches on an RTX 3090, one
// in 500 is. A device's clock steps are a tenth and more.
constexpr double kFarAtLeast = 0.1;
constexpr double kFarSpreads = 6;
constexpr double kStepToSigma = 1.4826 / 1.4142;  // a difference of two has sqrt(2) times the spread of one
// So many samples say how noisy it is; fewer are all near.
constexpr std::size_t kSamplesForNoise = 5;

}  // namespace

double Yardstick::noise() const { return steps_.size() == 0 ? 0 : kStepToSigma * steps_.median(); }

double Yardstick::cautiousLevel() const { return std::min(level(), latest_); }

bool Yardstick::isFar(double sample) const {
  if (near_.size() < kSamplesForNoise) return false;
  const double tolerance = std::max(kFarAtLeast, kFarSpreads * noise());
  return std::abs(std::log(sample / level())) > tolerance;
}

Yardstick::Seen Yardstick::add(double sample) {
  if (latest_ > 0) steps_.add(std::abs(std::log(sample / latest_)));
  latest_ = sample;
  if (!isFar(sample)) {
    ++nearInARow_;
    fasterInARow_ = 0;
    near_.add(sample);
    return Seen::near;
  }
  if (isCalm()) farInARow_ = 0;
  nearInARow_ = 0;
  ++farInARow_;
  const bool isFaster = sample < level();
  if (farInARow_ == 1 || isFaster != (fasterInARow_ > 0)) far_.clear();
  far_.add(sample);
  fasterInARow_ = isFaster ? fasterInARow_ + 1 : 0;
  if (fasterInARow_ < kFasterLasts && farInARow_ < kSlowerLasts) return Seen::far;
  near_ = far_;
  calmDown();
  return Seen::newLevel;
}

void Yardstick::calmDown() {
  far_.clear();
  nearInARow_ = kCalmSamples;
  farInARow_ = 0;
  fasterInARow_ = 0;
}

}  // namespace hone::detail
