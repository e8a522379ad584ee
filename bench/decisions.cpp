// Do decisions survive noise, and does tuning stay within its budget?
//
//   decisions [--quick] [--json FILE]
//
// Runs the library on simulated launches, whose law is known: 20 configurations 1 % apart, in an order and with a
// default by chance, tried one after the other. Regret is the chosen configuration's median above the best one's. Each
// line is 1000 runs (--quick: 50) with a seed each.
//
// "drawn" draws a configuration's recorded samples by chance, so that their median is the law's. "in order" replays
// them as they were taken, the slow first ones included, and again from the first after the last: where a
// configuration's first ten samples are all 10 % below those that follow, no ten launches can tell. choice_regret_* and
// launches_per_configuration are the worst of the drawn ones, in_order_regret_* of the others, both without a budget;
// single_sample_regret_pct is what it would be to take the smallest of one drawn sample each.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "bench_options.h"
#include "hone/hone.h"
#include "search/random_engine.h"
#include "support/recorded_noise.h"
#include "support/simulated_run.h"
#include "support/test_data.h"
#include "support/virtual_device/models/noise.h"

namespace {

using hone::detail::RandomEngine;
using hone::test::Configuration;
using hone::test::Noise;
using hone::test::NoiseOfConfiguration;
using hone::test::SimulatedDevice;
using hone::test::SimulatedRun;
using namespace std::chrono_literals;

constexpr double kEager = std::numeric_limits<double>::infinity();

// ---- noise of configurations

struct RecordedSamples {
  std::vector<double> samples;  // relative to their median
  double mean;
};
using Recording = std::vector<RecordedSamples>;

Recording recording(const std::string& space) {
  Recording rows;
  for (std::vector<double>& samples : hone::test::relativeSamples(*hone::test::recordedSpace(space))) {
    const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
    const double mean = sum / static_cast<double>(samples.size());
    rows.push_back({std::move(samples), mean});
  }
  return rows;
}

enum class Order {
  recorded,
  drawn
};

/// Each configuration has a law of its own, which depends on the seed.
using NoiseLaw = std::function<NoiseOfConfiguration(std::uint64_t seed, std::uint64_t configuration)>;

NoiseLaw recordedNoise(const Recording& rows, Order order) {
  return [&rows, order](std::uint64_t seed, std::uint64_t configuration) {
    RandomEngine engine = RandomEngine::derived(seed, configuration);
    const RecordedSamples& row = rows[engine.below(rows.size())];
    const std::uint64_t drawing = engine.next();
    const auto factor = [&row, order, drawing](std::uint64_t launch) {
      const std::size_t n = row.samples.size();
      return row.samples[order == Order::recorded ? launch % n : RandomEngine::derived(drawing, launch).below(n)];
    };
    return NoiseOfConfiguration{factor, 1, row.mean};
  };
}

/// A normal jitter, and now and then a launch that takes `tail` times as long.
NoiseLaw tailedNoise(double sigma, double probability, double tail) {
  return [=](std::uint64_t seed, std::uint64_t configuration) {
    const std::uint64_t drawing = RandomEngine::derived(seed, configuration).next();
    const auto factor = [=](std::uint64_t launch) {
      RandomEngine engine = RandomEngine::derived(drawing, launch);
      if (engine.unit() < probability) return tail;
      double sum = -6;  // of 12 uniform numbers: as good as normal, with variance 1
      for (int i = 0; i < 12; ++i) sum += engine.unit();
      return 1 + sigma * sum;
    };
    return NoiseOfConfiguration{factor, 1, 1 + probability * (tail - 1)};
  };
}

// ---- spaces

struct Space {
  std::function<void(hone::Declarations&)> declare;
  std::function<double(const Configuration&)> cost;
  std::uint64_t configurations;
};

constexpr std::int64_t kConfigurations = 20;

/// Costs of 1, 1.01, 1.02 ... times `best`, in an order by chance; so the default's is any of them.
Space onePercentApart(std::uint64_t seed, double bestNs) {
  std::vector<double> costs;
  for (int i = 0; i < kConfigurations; ++i) costs.push_back(bestNs * (1 + 0.01 * i));
  RandomEngine engine(seed);
  hone::detail::shuffle(costs, engine);
  return {[](hone::Declarations& d) { d.addParameter("x", hone::range(0, kConfigurations - 1), 0); },
          [costs](const Configuration& c) { return costs[static_cast<std::size_t>(c[0])]; }, kConfigurations};
}

/// 3 parameters of 6 values; costs by chance, most of them worse than the default's by up to 20 times: what a search
/// has to pay for.
Space scattered(std::uint64_t seed, double defaultNs) {
  const auto cost = [seed, defaultNs](const Configuration& c) {
    const std::uint64_t number = static_cast<std::uint64_t>((c[0] * 6 + c[1]) * 6 + c[2]);
    if (number == 0) return defaultNs;
    RandomEngine engine = RandomEngine::derived(seed, number);
    return defaultNs * 0.5 * std::pow(40.0, engine.unit());
  };
  return {[](hone::Declarations& d) {
            for (const char* name : {"a", "b", "c"}) d.addParameter(name, hone::range(0, 5), 0);
          },
          cost, 216};
}

// ---- scenarios

struct Scenario {
  std::string name;
  NoiseLaw noise;
  Noise state = {};
  double budget = kEager;
  double bestNs = 1e6;
  double timerResolutionNs = 0;
  std::string strategy = "random";
  bool isScattered = false;
};

struct Outcome {
  bool isDecided = false;
  double regret = 0;
  double chosenMedian = 0;
  double launches = 0;
  double violations = 0;
};

Outcome play(const Scenario& scenario, std::uint64_t seed) {
  const Space space = scenario.isScattered ? scattered(seed, scenario.bestNs) : onePercentApart(seed, scenario.bestNs);
  SimulatedDevice device;
  device.cost = space.cost;
  device.noise = [&](const Configuration& c) {
    std::uint64_t number = 0;
    for (std::int64_t value : c) number = number * 32 + static_cast<std::uint64_t>(value);
    return scenario.noise(seed, number);
  };
  device.state = scenario.state;
  device.timerResolutionNs = scenario.timerResolutionNs;
  hone::Options options;
  options.strategy = scenario.strategy;
  options.seed = seed;
  options.slowdownBudget = scenario.budget;
  SimulatedRun run(space.declare, device, options);
  constexpr std::uint64_t kEnough = 100'000, kAfterwards = 500;
  Outcome outcome;
  outcome.isDecided = run.untilDecided(kEnough);
  outcome.launches = static_cast<double>(run.launches());
  for (std::uint64_t i = 0; i < kAfterwards; ++i) run.launch();
  outcome.chosenMedian = space.cost(run.chosen());
  outcome.regret = outcome.chosenMedian / scenario.bestNs - 1;
  outcome.violations = static_cast<double>(run.violations());
  return outcome;
}

/// What a tuner that measures each configuration once would choose.
double singleSampleRegret(const NoiseLaw& law, std::uint64_t seed) {
  const Space space = onePercentApart(seed, 1);
  double smallest = kEager, chosen = 1;
  for (std::int64_t x = 0; x < kConfigurations; ++x) {
    const double cost = space.cost({x});
    const double sample = cost * law(seed, static_cast<std::uint64_t>(x)).factor(0);
    if (sample < smallest) chosen = cost;
    smallest = std::min(smallest, sample);
  }
  return chosen - 1;
}

template <class Result>
std::vector<Result> forSeeds(std::uint64_t seeds, const std::function<Result(std::uint64_t)>& of) {
  std::vector<Result> results(seeds);
  std::atomic<std::uint64_t> next{0};
  const auto work = [&] {
    for (std::uint64_t i = next++; i < seeds; i = next++) results[i] = of(i + 1);
  };
  std::thread second(work);
  work();
  second.join();
  return results;
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

template <class Field>
std::vector<double> column(const std::vector<Outcome>& outcomes, Field field) {
  std::vector<double> values;
  for (const Outcome& outcome : outcomes) values.push_back(static_cast<double>(outcome.*field));
  return values;
}

struct Row {
  double regretMean, regretP99, launches, undecided, violations;
};

Row measure(const Scenario& scenario, std::uint64_t seeds) {
  const auto outcomes = forSeeds<Outcome>(seeds, [&](std::uint64_t seed) { return play(scenario, seed); });
  const auto regrets = column(outcomes, &Outcome::regret);
  const auto violations = column(outcomes, &Outcome::violations);
  const Row row{
      100 * meanOf(regrets), 100 * quantile(regrets, 0.99),
      meanOf(column(outcomes, &Outcome::launches)) / kConfigurations,
      100 * (1 - meanOf(column(outcomes, &Outcome::isDecided))),
      static_cast<double>(std::count_if(violations.begin(), violations.end(), [](double v) { return v > 0; }))};
  return row;
}

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

hone::bench::Metrics measureAll(bool isQuick) {
  const std::uint64_t seeds = isQuick ? 50 : 1000;
  hone::bench::Metrics metrics;
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
  for (const auto& [name, rows] : recordings) {
    const NoiseLaw law = recordedNoise(*rows, Order::drawn);
    const auto regrets = forSeeds<double>(seeds, [&](std::uint64_t seed) { return singleSampleRegret(law, seed); });
    std::printf("%-40s %8.3f\n", ("smallest of one sample each: " + name).c_str(), 100 * meanOf(regrets));
    singleSample = std::max(singleSample, 100 * meanOf(regrets));
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
      const Scenario calm{name, recordedNoise(*rows, Order::drawn), {}, budget};
      Scenario disturbed = calm;
      disturbed.state = hone::test::slowLaunches(60, 560, 3.0);
      const auto isWithin = forSeeds<char>(seeds, [&](std::uint64_t seed) {
        return std::abs(play(disturbed, seed).chosenMedian / play(calm, seed).chosenMedian - 1) <= 0.01 + 1e-9;
      });
      const double within =
          100.0 * static_cast<double>(std::count(isWithin.begin(), isWithin.end(), 1)) / static_cast<double>(seeds);
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
      {"slow from 300 to 800", hone::test::slowLaunches(300, 800, 3.0)}};
  for (const std::string& strategy : hone::strategyNames()) {
    for (const auto& [lawName, law] : laws) {
      Row sum{};
      for (const auto& [stateName, state] : states) {
        for (double budget : {0.02, 0.1}) {
          const Row row =
              measure({"", law, state, budget, 1e6, 0, strategy, true}, std::max<std::uint64_t>(seeds / 20, 10));
          if (row.violations > 0)
            std::printf("  broken: %s, %s, budget %s: %.0f\n", lawName.c_str(), stateName.c_str(),
                        percent(budget).c_str(), row.violations);
          sum.violations += row.violations;
          sum.launches += row.launches / 8;
          sum.undecided += row.undecided / 8;
        }
      }
      violations += sum.violations;
      print(strategy + ": " + lawName, sum, false);
    }
  }
  hone::bench::printMetrics(metrics);
  return metrics;
}

}  // namespace

int main(int argc, char** argv) {
  return hone::bench::runBench({"decisions", "plays whole runs on recorded noise"}, argc, argv,
                               [](const hone::bench::BenchOptions& options) { return measureAll(options.isQuick); });
}
