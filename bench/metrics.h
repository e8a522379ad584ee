// What all bench programs share: the options --quick and --json, the run itself, and the metrics file.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace hone::bench {

using Metrics = std::map<std::string, double>;

/// The medians over repetitions, by benchmark name: real time in ns, and each user counter as "name/counter".
using Medians = std::map<std::string, double>;

/// Runs the registered Google Benchmarks several times in random order, so that disturbances of the machine meet all of
/// them alike, prints their medians and the metrics, and writes {"metrics": {...}} where --json FILE asks for it.
/// --quick shortens the run; --benchmark_filter=... and the like are passed on. Returns the exit code.
int runBenchmarks(int argc, char** argv, const std::function<Metrics(const Medians&)>& toMetrics);

}  // namespace hone::bench
