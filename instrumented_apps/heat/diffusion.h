// The program's work as the tuner sees it: one tuned program, and a problem for each of the simulation's grids.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "heat/checkpoint.h"
#include "heat/section_check.h"
#include "heat/simulation.h"
#include "workload.h"

namespace hone::apps::heat {

/// A simulation on grids from coarse to fine.
/// Thread safety: externally synchronised.
class Diffusion final : public Workload {
 public:
  /// Begins on the coarsest grid, or goes on from the checkpoint, which must be of these grids. Throws InputError if
  /// the device cannot hold the finest one.
  Diffusion(const Setup& setup, std::vector<Grid> levels, const std::optional<Checkpoint>& checkpoint = {});

  /// A work for each grid, from coarse to fine. Each launch advances a section of steps, on the grid of its work:
  /// another one is gone to before. A section of which the device refuses a launch is done again, all of it.
  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override;

  /// The present grid's temperatures on a finer one, with seeds of its own set into them; a coarser one begins anew.
  void goTo(std::size_t level);
  std::size_t level() const { return level_; }
  const std::vector<Grid>& levels() const { return levels_; }
  Simulation& simulation() { return simulation_; }

 private:
  opencl::Runtime& runtime_;
  std::vector<Grid> levels_;
  std::size_t level_;
  Simulation simulation_;
  std::optional<SectionCheck> check_;
};

/// The grids that the options ask for, on this device. Throws InputError for a number of levels that there cannot be.
std::vector<Grid> levelsFor(const RunOptions& options, const cl::Device& device, int dimensions);

}  // namespace hone::apps::heat
