// Sweeps with all cores: compiling is most of them, and one process compiles one configuration at a time.
//
// On a GPU each process compiles and measures its part, and they take turns on the device. On a CPU, where a compiler
// beside a launch slows it down, they fill the driver's cache, and this process measures then.
#pragma once

#include "papers/bench_context.h"

namespace hone::bench {

/// The table of the program's whole space, of so many configurations, at context.sweepFile(). Starts this program
/// again, several times, with its options and --sweep-job. Throws InputError if one of these processes fails.
void sweepInProcesses(const BenchContext& context, const StudiedProgram& program, std::size_t configurations);

/// What such a process does.
void doSweepJob(const BenchContext& context, const StudiedProgram& program, const SweepJob& job);

}  // namespace hone::bench
