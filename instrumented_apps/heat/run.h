// A simulation from its coarsest grid to its finest, with all that goes with it: progress, pictures, checkpoints, and
// whether what came out is physics.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "heat/diffusion.h"
#include "hone/report.h"

namespace hone::apps::heat {

/// When a simulation ends. Exactly as many sections are run as `sections` says, if the time allows.
struct Limits {
  std::vector<std::uint64_t> sections;    // on each level; empty: as many as the time allows
  std::optional<double> secondsPerLevel;  // each level runs at least one section
  bool endsSettled = false;               // each level ends as soon as its search has ended
};

/// Where pictures and checkpoints go; empty: nowhere.
struct Outputs {
  std::string frames;
  std::string checkpoint;
};

/// Of what was run of a level now; what a checkpoint holds was run before.
struct LevelFigures {
  Grid grid;
  std::uint64_t sections = 0;
  double seconds = 0;                     // wall clock, first launch call to last completion
  double deviceSeconds = 0;               // sum of the sections' event times
  std::optional<double> sectionMedianMs;  // of the latest ones, whatever their configuration
  Report report;                          // at its end
};

struct SimulationFigures {
  std::vector<LevelFigures> levels;  // without those that a checkpoint has behind it
  std::uint64_t steps = 0;           // of the whole simulation
  double time = 0;                   // simulated, likewise; with a length and a diffusivity of 1
  std::optional<double> stallMaxMs;  // the longest launch call, without the first
  std::optional<double> stallMeanMs;
  double firstModeError = 0;  // the largest of all levels, a temperature
  Extremes extremes{};        // of all levels
};

/// `works` are the diffusion's, `checkpoint` is what it began with. Exceptions pass through; the status line is removed
/// before. Throws CheckFailure where a level's first mode or its extremes are not what they must be.
SimulationFigures runLevels(Diffusion& diffusion, const std::vector<TunedWork>& works, const Limits& limits,
                            const Outputs& outputs, const std::optional<Checkpoint>& checkpoint, Console& console);

}  // namespace hone::apps::heat
