#include "metrics.h"

#include <benchmark/benchmark.h>

#include <vector>

#include "errors.h"

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

Medians runBenchmarks(const BenchOptions& options) {
  std::vector<std::string> arguments{"benchmarks"};  // the program's name, which is not looked at
  arguments.insert(arguments.end(), options.line.others().begin(), options.line.others().end());
  arguments.push_back("--benchmark_enable_random_interleaving=true");
  arguments.push_back(options.isQuick ? "--benchmark_repetitions=5" : "--benchmark_repetitions=25");
  arguments.push_back(options.isQuick ? "--benchmark_min_time=0.02" : "--benchmark_min_time=0.1");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (count > 1) throw apps::InputError("unrecognised option '" + std::string(pointers[1]) + "'");

  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.medians;
}

}  // namespace hone::bench
