// main() of a bench program: --quick, --json FILE, --help and the program's own options in, metrics out.
//
//   int main(int argc, char** argv) {
//     return hone::bench::runBench({"search_step", "times one step of each strategy"}, argc, argv,
//                                  [](const hone::bench::BenchOptions& options) { return measure(options.isQuick); });
//   }
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "command_line.h"

namespace hone::bench {

using Metrics = std::map<std::string, double>;

struct BenchProgram {
  std::string name;
  std::string summary;                                                       // one line for --help
  std::vector<std::pair<std::string, std::string>> ownOptions = {};          // name and help; each has a value
  apps::CommandLine::Unknown unknown = apps::CommandLine::Unknown::refused;  // or kept, for Google Benchmark
};

struct BenchOptions {
  bool isQuick;            // a look instead of figures to keep
  apps::CommandLine line;  // for the program's own options
};

/// Measures, and writes {"metrics": {...}} where --json FILE asks for it; the file is tried before the run. Returns the
/// exit code: 0, or 2 with one line on standard error where something was thrown, as for wrong options.
int runBench(const BenchProgram& program, int argc, char** argv,
             const std::function<Metrics(const BenchOptions&)>& measure);

/// A line each, on standard output.
void printMetrics(const Metrics& metrics);

}  // namespace hone::bench
