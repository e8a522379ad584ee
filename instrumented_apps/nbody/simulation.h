// The simulation that the program tunes: bodies on a device, moved on by one launch a step.
//
//   Simulation simulation(on, plummerSphere(n, 1));
//   simulation.begin(kernel);
//   cl::Event done = simulation.step(kernel);
//   const Energy now = simulation.energy();
#pragma once

#include <cstdint>
#include <vector>

#include "device.h"
#include "nbody/bodies.h"

namespace hone::apps::nbody {

/// The text of nbody.cl; its kernel is "leapfrog".
const char* kernelSource();

/// Closer than this, bodies attract each other less and less: the model is one of a smooth cluster, not of double
/// stars.
inline constexpr double kSoftening = 0.1;

/// The time from one position to the next: two bodies that hold half of the mass each and fall into each other, which
/// is the fastest that happens, need 6 steps for the way of the softening length.
inline constexpr double kStep = 1.0 / 256;

struct Energy {
  double kinetic = 0;
  double potential = 0;
  double total() const { return kinetic + potential; }
};

/// Of the total, as a part of what has gone to and fro: |now - then| / (kinetic + |potential|) of then.
double drift(const Energy& then, const Energy& now);

/// Throws InputError if the device does not have the memory, or the host where they share it.
void requireMemory(const cl::Device& device, std::size_t n, bool isChecked);

/// Velocities are half a step older than positions: a leapfrog.
/// Thread safety: externally synchronised.
class Simulation {
 public:
  Simulation(const OpenedDevice& on, const Bodies& bodies);

  /// Sets the velocities back by half a step: once, before the first.
  void begin(opencl::TunedKernel& kernel);
  /// Moves all bodies on by kStep.
  cl::Event step(opencl::TunedKernel& kernel);

  /// Waits. Adds up in double what energy.cl computes.
  Energy energy();

  /// What the next step reads. Waits.
  Bodies state() const;
  /// Fills what the next step writes with NaN, so that a body which is not moved is found.
  void clearNext() const;
  /// Whether anything was written behind the present positions. Waits.
  bool isGuardUntouched() const;

  std::size_t size() const { return n_; }

 private:
  cl::Event launch(opencl::TunedKernel& kernel, double kick, double drift);
  std::vector<Vector4> read(const cl::Buffer& buffer, std::size_t first, std::size_t count) const;

  cl::CommandQueue queue_;
  std::size_t n_;
  cl::Buffer bodies_, next_;  // positions now, and where the next step writes; padding behind them
  cl::Buffer velocities_;
  cl::Buffer energies_;
  cl::Kernel energy_;
};

}  // namespace hone::apps::nbody
