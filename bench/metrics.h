// How the programs that use Google Benchmark run it.
#pragma once

#include <map>
#include <string>

#include "bench_options.h"

namespace hone::bench {

/// The medians over repetitions, by benchmark name: real time in ns, and each user counter as "name/counter".
using Medians = std::map<std::string, double>;

/// Runs the registered Google Benchmarks several times in random order, so that disturbances of the machine meet all of
/// them alike, and prints their medians. --benchmark_filter=... and the like are passed on; throws InputError for what
/// Google Benchmark does not know either. REQUIRES: the program's unknown options are kept
Medians runBenchmarks(const BenchOptions& options);

}  // namespace hone::bench
