// Bodies on the host: what a simulation begins with, and what a step of it must come to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hone::apps::nbody {

/// x, y, z, and for positions the mass: OpenCL's float4.
using Vector4 = std::array<float, 4>;

struct Bodies {
  std::vector<Vector4> positions;
  std::vector<Vector4> velocities;
};

/// A cluster of stars in equilibrium: Plummer's model in units in which the gravitational constant and the total mass
/// are 1 and the energy is -1/4 (Aarseth, Henon, Wielen, A Comparison of Numerical Methods for the Study of Star
/// Cluster Dynamics, 1974). All masses are equal; the centre of mass rests in the origin. The same on every machine up
/// to rounding. REQUIRES: n >= 1
Bodies plummerSphere(std::size_t n, std::uint32_t seed);

struct Acceleration {
  std::array<double, 3> sum;
  std::array<double, 3> magnitude;  // the sum of the terms' absolute values: what rounding errors are relative to
};

/// Of one body by all, in double.
Acceleration accelerationOf(std::size_t body, const std::vector<Vector4>& positions, double softening2);

}  // namespace hone::apps::nbody
