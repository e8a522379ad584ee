// What a simulation has found: a row for each of its grids, and the table and JSON of every program for the finest.
#pragma once

#include <ostream>

#include "device.h"
#include "heat/run.h"
#include "options.h"

namespace hone::apps::heat {

/// The tables to `out`, and the JSON file where --json asks for one: what the programs' JSON has, of the finest grid
/// but for launches, trials, failed, total_s and stall_ms_max, which are of all; then steps, simulated_time,
/// first_mode_error, temperature_min and temperature_max; and "levels", for each grid its problem, sections, steps,
/// seconds, default_ms, best_ms, speedup, trials, failed, settled_at and best. REQUIRES: at least one level
void publish(const Program& program, RunOptions options, const OpenedDevice& on, const SimulationFigures& figures,
             std::ostream& out);

}  // namespace hone::apps::heat
