#include "nbody/bodies.h"

#include <cmath>
#include <random>

namespace hone::apps::nbody {

namespace {

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : engine_(seed) {}

  /// Uniform in (0, 1). (std::uniform_real_distribution differs between libraries.)
  double uniform() { return (static_cast<double>(engine_()) + 0.5) * 0x1p-32; }

  /// Uniform on the sphere of this radius.
  std::array<double, 3> onSphere(double radius) {
    const double z = (2 * uniform() - 1) * radius;
    const double angle = 2 * M_PI * uniform();
    const double across = std::sqrt(radius * radius - z * z);
    return {across * std::cos(angle), across * std::sin(angle), z};
  }

 private:
  std::mt19937 engine_;
};

// The mass within radius r is r^3 / (r^2 + 1)^(3/2); solved for r. The outermost hundredth of the mass, which reaches
// to infinity, is left out.
double plummerRadius(Draw& draw) {
  const double mass = 0.99 * draw.uniform();
  return 1 / std::sqrt(std::pow(mass, -2.0 / 3) - 1);
}

// As a part of the escape velocity: its density is q^2 (1 - q^2)^(7/2), never above 0.1; by rejection.
double plummerSpeed(Draw& draw) {
  for (;;) {
    const double q = draw.uniform();
    if (0.1 * draw.uniform() < q * q * std::pow(1 - q * q, 3.5)) return q;
  }
}

void removeMean(std::vector<std::array<double, 3>>& vectors) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double mean = 0;
    for (const auto& vector : vectors) mean += vector[axis] / static_cast<double>(vectors.size());
    for (auto& vector : vectors) vector[axis] -= mean;
  }
}

std::vector<Vector4> rounded(const std::vector<std::array<double, 3>>& vectors, double scale, double fourth) {
  std::vector<Vector4> result;
  for (const auto& vector : vectors) {
    result.push_back({static_cast<float>(scale * vector[0]), static_cast<float>(scale * vector[1]),
                      static_cast<float>(scale * vector[2]), static_cast<float>(fourth)});
  }
  return result;
}

}  // namespace

Bodies plummerSphere(std::size_t n, std::uint32_t seed) {
  Draw draw(seed);
  std::vector<std::array<double, 3>> positions, velocities;
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = plummerRadius(draw);
    const double escape = std::sqrt(2.0) * std::pow(1 + radius * radius, -0.25);
    positions.push_back(draw.onSphere(radius));
    velocities.push_back(draw.onSphere(escape * plummerSpeed(draw)));
  }
  removeMean(positions);
  removeMean(velocities);
  constexpr double kLength = 3 * M_PI / 16;  // from Plummer's radius to units in which the energy is -1/4
  return {rounded(positions, kLength, 1.0 / static_cast<double>(n)), rounded(velocities, 1 / std::sqrt(kLength), 0)};
}

Acceleration accelerationOf(std::size_t body, const std::vector<Vector4>& positions, double softening2) {
  const Vector4& self = positions[body];
  Acceleration acceleration{};
  for (const Vector4& other : positions) {
    const std::array<double, 3> d{double{other[0]} - self[0], double{other[1]} - self[1], double{other[2]} - self[2]};
    const double distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening2;
    const double weight = other[3] / (distance2 * std::sqrt(distance2));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      acceleration.sum[axis] += weight * d[axis];
      acceleration.magnitude[axis] += std::abs(weight * d[axis]);
    }
  }
  return acceleration;
}

}  // namespace hone::apps::nbody
