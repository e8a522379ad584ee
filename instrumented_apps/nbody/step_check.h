// --check: every step against Newton's law on the host.
//
//   StepCheck check(simulation);
//   check.before();           // before each step
//   check.after(launch);      // after it: throws CheckFailure
#pragma once

#include <cstdint>
#include <random>

#include "nbody/simulation.h"

namespace hone::apps::nbody {

/// Of up to kSample bodies the new velocities and positions are computed from the old state in double; of the others it
/// is checked that they were moved at all. Up to that many bodies, all are computed. Thread safety: externally
/// synchronised.
class StepCheck {
 public:
  static constexpr std::size_t kSample = 256;

  explicit StepCheck(Simulation& simulation) : simulation_(simulation) {}

  void before();
  /// Throws CheckFailure, with `launch`, naming the body.
  void after(std::uint64_t launch);

 private:
  Simulation& simulation_;
  Bodies old_;
  std::mt19937 engine_;  // draws the sample
};

}  // namespace hone::apps::nbody
