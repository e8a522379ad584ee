// Temperatures on the host: what a simulation begins with, and what physics says about any of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heat/grid.h"

namespace hone::apps::heat {

/// One temperature for each place of a grid, its rim included.
using Field = std::vector<float>;

/// How much of its neighbours' difference a cell takes over in a step: below 1 / (2 * dimensions), above which explicit
/// steps become unstable, and at which each cell would forget its own temperature.
float rateOf(int dimensions);

/// A plate (or a block) between a cold edge, of temperature 0, and a warm one, of 1/2, in equilibrium.
Field equilibrium(const Grid& grid);

/// Sets discs (balls) into it, hot ones of temperature 1 and cold ones of 0, as the seeds in a sunflower's head;
/// smaller ones on later levels, since a finer grid has less time to blur them.
void setSeeds(const Grid& grid, std::size_t level, Field& field);

/// What every step keeps: no temperature is beyond those that there were. That of all places.
struct Extremes {
  float least;
  float most;
};
Extremes extremesOf(const Field& field);

/// One step by plain loops, with the operations and the order of heat.cl. `now` and `later` have the grid's size and
/// the same rim.
void referenceStep(const Grid& grid, const Field& now, Field& later);

/// How much of a field is in the slowest mode of decay, the product of half a sine over each dimension: what becomes of
/// that is known exactly, whatever the field. Each step multiplies it by 1 - rate * (sum over the dimensions of
/// 4 * sin^2(pi / (2 * (n + 1)))) and adds what the rim gives, which is always the same. In exact arithmetic: here with
/// sums in double, of temperatures that were rounded in each step.
/// Thread safety: immutable.
class FirstMode {
 public:
  /// Cost: one pass over the field.
  FirstMode(const Grid& grid, const Field& field);

  /// The temperature of an even plate that has as much of the mode.
  double temperature() const { return temperature_; }
  /// What that will be after more steps with the same rim.
  double temperatureAfter(std::uint64_t steps) const;

 private:
  double temperature_;
  double factor_;  // of a step
  double inflow_;  // likewise
};

}  // namespace hone::apps::heat
