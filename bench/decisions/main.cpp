// Do decisions survive noise, and does tuning stay within its budget?
//
//   decisions [--quick] [--json FILE]
//
// Runs the library on simulated launches, whose law is known: 20 configurations 1 % apart, in an order and with a
// default by chance, tried one after the other. Regret is the chosen configuration's median above the best one's. Each
// line is 4000 runs (--quick: 50) with a seed each, or fewer where it says so.
//
// "drawn" draws a configuration's recorded samples by chance, so that their median is the law's. "in order" replays
// them as they were taken, the slow first ones included, and again from the first after the last: where a
// configuration's first ten samples are all 10 % below those that follow, no ten launches can tell. choice_regret_* and
// launches_per_configuration are the worst of the drawn ones, in_order_regret_* of the others, both without a budget;
// single_sample_regret_pct is what it would be to take the smallest of one drawn sample each. "smallest median of 12"
// spends 12 launches a configuration on a device that never changes, with nothing to compare with in between.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bench_options.h"
#include "hone/hone.h"
#include "scenario.h"
#include "support/virtual_device/models/noise.h"
#include "trades.h"

namespace {

using namespace hone::bench;
using hone::test::Noise;
using namespace std::chrono_literals;

void print(const std::string& name, const Row& row, bool hasRegret = true) {
  if (hasRegret) {
    std::printf("%-40s %8.3f %8.2f %10.1f %10.1f %8.0f\n", name.c_str(), row.regretMean, row.regretP99, row.launches,
                row.undecided, row.violations);
  } else {
    std::printf("%-40s %8s %8s %10.1f %10.1f %8.0f\n", name.c_str(), "", "", row.launches, row.undecided,
                row.violations);
  }
  std::fflush(stdout);
}

std::string percent(double budget) { return std::to_string(std::lround(100 * budget)) + " %"; }

Metrics measureAll(bool isQuick) {
  const std::uint64_t seeds = isQuick ? 50 : 4000;
  const std::uint64_t fewer = std::max<std::uint64_t>(seeds / 4, 50);
  Metrics metrics;
  const Recording pnpoly = recording("pnpoly_rtx3090"), conv3090 = recording("conv15old_rtx3090"),
                  conv6600 = recording("conv15_w6600");
  const std::vector<std::pair<std::string, const Recording*>> recordings{
      {"pnpoly, RTX 3090", &pnpoly}, {"convolution, RTX 3090", &conv3090}, {"convolution, W6600", &conv6600}};

  std::printf("%-40s %8s %8s %10s %10s %8s\n%-40s %8s %8s %10s %10s %8s\n", "", "regret", "p99", "launches",
              "undecided", "P3", "", "%", "%", "a config.", "%", "broken");
  double& regretMean = metrics["choice_regret_mean_pct"];
  double& regretP99 = metrics["choice_regret_p99_pct"];
  double& inOrderMean = metrics["in_order_regret_mean_pct"];
  double& inOrderP99 = metrics["in_order_regret_p99_pct"];
  double& singleSample = metrics["single_sample_regret_pct"];
  double& launches = metrics["launches_per_configuration"];
  double& violations = metrics["budget_violations"];
  const auto choose = [&](const Scenario& scenario) {
    const Row row = measure(scenario, seeds);
    print(scenario.name, row);
    violations += row.violations;
    return row;
  };
  for (const auto& [name, rows] : recordings) {
    for (Order order : {Order::recorded, Order::drawn}) {
      const std::string title = name + (order == Order::drawn ? ", drawn" : ", in order");
      const Row row = choose({title, recordedNoise(*rows, order)});
      double& mean = order == Order::drawn ? regretMean : inOrderMean;
      double& p99 = order == Order::drawn ? regretP99 : inOrderP99;
      mean = std::max(mean, row.regretMean);
      p99 = std::max(p99, row.regretP99);
      launches = std::max(launches, row.launches);
      choose({title + ", budget 10 %", recordedNoise(*rows, order), {}, 0.1});
    }
  }
  for (const std::uint64_t samples : {1u, 12u, 40u}) {
    for (const auto& [name, rows] : recordings) {
      const NoiseLaw law = recordedNoise(*rows, Order::drawn);
      const auto regrets =
          forSeeds<double>(seeds, [&](std::uint64_t seed) { return regretOfSamples(law, samples, seed); });
      const std::string title = "smallest median of " + std::to_string(samples) + ": " + name;
      std::printf("%-40s %8.3f %8.2f %10.1f\n", title.c_str(), 100 * meanOf(regrets), 100 * quantile(regrets, 0.99),
                  static_cast<double>(samples));
      if (samples == 1) singleSample = std::max(singleSample, 100 * meanOf(regrets));
    }
  }
  const NoiseLaw noise = recordedNoise(conv3090, Order::drawn);
  metrics["cold_start_regret_pct"] = choose({"cold start", noise, hone::test::coldStart(10, 2.0), 0.1}).regretMean;
  metrics["throttling_regret_pct"] =
      choose({"periodic throttling", noise, hone::test::throttling({1s, 200ms, 1.5}), 0.1}).regretMean;
  metrics["bimodal_regret_pct"] =
      choose({"bimodal clocks", noise, hone::test::bimodalClocks({0.5, 1.9, 20ms}, 1), 0.1}).regretMean;
  metrics["drift_regret_pct"] = choose({"drift", noise, hone::test::drift({0s, 1s, 1.3}), 0.1}).regretMean;
  metrics["coarse_timer_regret_pct"] = choose({"timer of 1 us, kernels of 6 us", noise, {}, 0.1, 6e3, 1e3}).regretMean;

  // Disturbed while exploring: launches 60 to 560 of some 200 take three times as long.
  double worstDisturbed = 100;
  for (const auto& [name, rows] : recordings) {
    for (double budget : {kEager, 0.1}) {
      const double within = disturbedWithinOnePercent({name, recordedNoise(*rows, Order::drawn), {}, budget}, fewer);
      std::printf("%-40s within 1 %% of the undisturbed choice: %.1f %%\n",
                  ("disturbed: " + name + (budget == kEager ? "" : ", budget 10 %")).c_str(), within);
      worstDisturbed = std::min(worstDisturbed, within);
    }
  }
  metrics["disturbed_within_1pct"] = worstDisturbed;

  std::printf("\nP3 in a space of 216 configurations, most of them slow\n");
  const std::vector<std::pair<std::string, NoiseLaw>> laws{
      {"RTX 3090, in order", recordedNoise(pnpoly, Order::recorded)},
      {"W6600, in order", recordedNoise(conv6600, Order::recorded)},
      {"W6600, drawn", recordedNoise(conv6600, Order::drawn)},
      {"one launch of 100 takes 10 times as long", tailedNoise(0.02, 0.01, 10)}};
  const std::vector<std::pair<std::string, Noise>> states{
      {"steady", {}},
      {"throttling", hone::test::throttling({1s, 200ms, 1.5})},
      {"bimodal", hone::test::bimodalClocks({0.5, 1.9, 20ms}, 2)},
      {"slow from 300 to 800", hone::test::slowLaunches(300, 800, 3.0)},
      {"fast from 300 on", hone::test::slowLaunches(0, 300, 3.0)}};
  const std::vector<double> budgets{0.02, 0.1};
  const auto runs = static_cast<double>(states.size() * budgets.size());
  for (const std::string& strategy : hone::strategyNames()) {
    for (const auto& [lawName, law] : laws) {
      Row sum{};
      for (const auto& [stateName, state] : states) {
        for (double budget : budgets) {
          const Row row = measure({"", law, state, budget, 1e6, 0, strategy, Costs::scattered},
                                  std::max<std::uint64_t>(fewer / 20, 10));
          if (row.violations > 0)
            std::printf("  broken: %s, %s, budget %s: %.0f\n", lawName.c_str(), stateName.c_str(),
                        percent(budget).c_str(), row.violations);
          sum.violations += row.violations;
          sum.launches += row.launches / runs;
          sum.undecided += row.undecided / runs;
        }
      }
      violations += sum.violations;
      print(strategy + ": " + lawName, sum, false);
    }
  }
  for (const auto& [name, slowdown, buildNs] : {std::tuple{"launches take 2 % longer beside builds", 1.02, 300e6},
                                                std::tuple{"launches take twice as long beside builds", 2.0, 300e6}}) {
    Scenario scenario{name, recordedNoise(conv3090, Order::drawn), {}, 0.1};
    scenario.costs = Costs::scattered;
    scenario.buildNs = buildNs;
    scenario.slowdownByBuild = slowdown;
    const Row row = measure(scenario, std::max<std::uint64_t>(fewer / 5, 10));
    violations += row.violations;
    print(name, row, false);
  }

  std::printf("\nWhat each threshold trades, on the W6600's noise\n");
  printTrades(conv6600, isQuick ? 20 : 1000);
  printMetrics(metrics);
  return metrics;
}

}  // namespace

int main(int argc, char** argv) {
  return runBench({"decisions", "plays whole runs on recorded noise"}, argc, argv,
                  [](const BenchOptions& options) { return measureAll(options.isQuick); });
}
