// --check: every section against the same steps on the host.
//
//   SectionCheck check(simulation);
//   check.before();           // before each section
//   check.after(launch);      // after it: throws CheckFailure
#pragma once

#include <cstdint>

#include "heat/simulation.h"

namespace hone::apps::heat {

/// What a temperature may differ from the reference's. Both round alike where a device keeps to what heat.cl says; one
/// that contracts all the same rounds less, by 6e-8 at most for each of the terms of temperatures up to 1, twelve
/// times, of which each step averages. A neighbour that is missing or a step too old changes a temperature by much more
/// where heat flows.
inline constexpr float kTolerance = 1e-6f;

/// Thread safety: externally synchronised.
class SectionCheck {
 public:
  explicit SectionCheck(Simulation& simulation) : simulation_(simulation) {}

  void before();
  /// Throws CheckFailure, with `launch`, naming the cell that is most wrong.
  void after(std::uint64_t launch);

 private:
  Simulation& simulation_;
  Field expected_, next_;
};

}  // namespace hone::apps::heat
