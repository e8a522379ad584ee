#include "metrics.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

namespace hone::bench {

namespace {

class MedianReporter final : public benchmark::ConsoleReporter {
 public:
  MedianReporter() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    std::vector<Run> shown;
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Aggregate || run.aggregate_name != "median") continue;
      const std::string name = run.run_name.function_name;
      medians[name] = run.GetAdjustedRealTime() * benchmark::GetTimeUnitMultiplier(benchmark::kNanosecond) /
                      benchmark::GetTimeUnitMultiplier(run.time_unit);
      for (const auto& [counter, value] : run.counters) medians[name + "/" + counter] = value.value;
      shown.push_back(run);
    }
    if (!shown.empty()) ConsoleReporter::ReportRuns(shown);
  }

  Medians medians;
};

}  // namespace

int runBenchmarks(int argc, char** argv, const std::function<Metrics(const Medians&)>& toMetrics) {
  bool isQuick = false;
  std::string jsonPath;
  std::vector<std::string> arguments{argv[0]};
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick") {
      isQuick = true;
    } else if (argument == "--json" && i + 1 < argc) {
      jsonPath = argv[++i];
    } else {
      arguments.push_back(argument);
    }
  }
  std::ofstream json;
  if (!jsonPath.empty()) {
    json.open(jsonPath);
    if (!json) {
      std::cerr << "cannot write '" << jsonPath << "'\n";
      return 2;
    }
  }
  arguments.push_back("--benchmark_enable_random_interleaving=true");
  arguments.push_back(isQuick ? "--benchmark_repetitions=5" : "--benchmark_repetitions=25");
  arguments.push_back(isQuick ? "--benchmark_min_time=0.02" : "--benchmark_min_time=0.1");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;

  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  const Metrics metrics = toMetrics(reporter.medians);
  for (const auto& [name, value] : metrics) std::printf("%-36s %12.4g\n", name.c_str(), value);
  if (json.is_open()) json << nlohmann::json{{"metrics", metrics}}.dump(2) << "\n";
  return 0;
}

}  // namespace hone::bench
