// Sweeps with all cores: compiling is most of them, and one process compiles one configuration at a time. So several
// processes fill the driver's cache, and when they have ended this one measures.
#pragma once

#include "papers/bench_context.h"

namespace hone::bench {

/// Measures all configurations of the program's space, and leaves their table at context.sweepFile(). Starts this
/// program again, several times, with its options and --sweep-job. Throws InputError if one of these processes fails.
void sweepInProcesses(const BenchContext& context, const StudiedProgram& program, apps::Workload& workload);

/// What such a process does.
void doSweepJob(const BenchContext& context, const StudiedProgram& program, const SweepJob& job);

}  // namespace hone::bench
