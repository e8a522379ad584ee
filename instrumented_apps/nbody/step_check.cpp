#include "nbody/step_check.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "errors.h"

namespace hone::apps::nbody {

namespace {

// What a sum of n terms in single precision may be off, relative to the sum of their absolute values: each of its
// roundings by 6e-8 of that at most, and they add up like a random walk, to 2e-5 for 131,072 of them; a term itself by
// some 1e-6, because of the reciprocal square root's third power. One missing body of n changes the sum by 1/n.
double tolerance(std::size_t n) { return 2e-6 + 6e-8 * std::sqrt(static_cast<double>(n)); }

// Of one rounding of a velocity or a position, which are of the order of 1; two roundings each.
constexpr double kRounding = 2.5e-7;

[[noreturn]] void fail(std::uint64_t launch, std::size_t body, const char* what, double actual, double expected) {
  throw CheckFailure("check failed at launch " + std::to_string(launch) + ": body " + std::to_string(body) + " has " +
                     what + ' ' + std::to_string(actual) + " instead of " + std::to_string(expected));
}

bool isFinite(const Vector4& vector) {
  return std::all_of(vector.begin(), vector.end(), [](float number) { return std::isfinite(number); });
}

}  // namespace

void StepCheck::before() {
  old_ = simulation_.state();
  simulation_.clearNext();
}

void StepCheck::after(std::uint64_t launch) {
  const Bodies now = simulation_.state();
  const std::size_t n = simulation_.size();
  for (std::size_t body = 0; body < n; ++body) {
    if (!isFinite(now.positions[body]) || !isFinite(now.velocities[body]) ||
        now.positions[body][3] != old_.positions[body][3]) {
      throw CheckFailure("check failed at launch " + std::to_string(launch) + ": body " + std::to_string(body) +
                         " was not moved");
    }
  }
  if (!simulation_.isGuardUntouched()) {
    throw CheckFailure("check failed at launch " + std::to_string(launch) +
                       ": something was written behind the end of the positions");
  }
  const std::size_t sample = std::min(n, kSample);
  for (std::size_t i = 0; i < sample; ++i) {
    const std::size_t body = n <= kSample ? i : engine_() % n;
    const Acceleration acceleration = accelerationOf(body, old_.positions, kSoftening * kSoftening);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double velocity = old_.velocities[body][axis] + kStep * acceleration.sum[axis];
      const double allowed = kStep * tolerance(n) * acceleration.magnitude[axis];
      const double actual = now.velocities[body][axis];
      if (!(std::abs(actual - velocity) <= allowed + kRounding * std::abs(velocity)))
        fail(launch, body, "velocity", actual, velocity);
      const double position = old_.positions[body][axis] + kStep * actual;
      if (!(std::abs(now.positions[body][axis] - position) <=
            kRounding * (std::abs(position) + std::abs(kStep * actual))))
        fail(launch, body, "position", now.positions[body][axis], position);
    }
  }
}

}  // namespace hone::apps::nbody
