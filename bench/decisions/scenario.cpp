#include "scenario.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hone/hone.h"
#include "search/random_engine.h"
#include "support/recorded_noise.h"
#include "support/test_data.h"
#include "support/virtual_device/models/noise.h"

namespace hone::bench {

using hone::detail::RandomEngine;
using hone::test::Configuration;
using hone::test::NoiseOfConfiguration;
using hone::test::SimulatedDevice;
using hone::test::SimulatedRun;

Recording recording(const std::string& space) {
  Recording rows;
  for (std::vector<double>& samples : hone::test::relativeSamples(*hone::test::recordedSpace(space))) {
    const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
    const double mean = sum / static_cast<double>(samples.size());
    rows.push_back({std::move(samples), mean});
  }
  return rows;
}

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

namespace {

struct Space {
  std::function<void(hone::Declarations&)> declare;
  std::function<double(const Configuration&)> cost;
  std::uint64_t configurations;
};

/// Costs of 1, 1.01, 1.02 ... times `best`, in an order by chance; so the default's is any of them.
Space onePercentApart(std::uint64_t seed, double bestNs) {
  std::vector<double> costs;
  for (int i = 0; i < kConfigurations; ++i) costs.push_back(bestNs * (1 + 0.01 * i));
  RandomEngine engine(seed);
  hone::detail::shuffle(costs, engine);
  return {[](hone::Declarations& d) { d.addParameter("x", hone::range(0, kConfigurations - 1), 0); },
          [costs](const Configuration& c) { return costs[static_cast<std::size_t>(c[0])]; }, kConfigurations};
}

/// Three parameters of so many values each; `cost` is given the configuration's number, which is 0 for the default.
Space cube(std::int64_t values, std::function<double(std::uint64_t)> cost) {
  const auto numberOf = [values](const Configuration& c) {
    return static_cast<std::uint64_t>((c[0] * values + c[1]) * values + c[2]);
  };
  return {[values](hone::Declarations& d) {
            for (const char* name : {"a", "b", "c"}) d.addParameter(name, hone::range(0, values - 1), 0);
          },
          [numberOf, cost = std::move(cost)](const Configuration& c) { return cost(numberOf(c)); },
          static_cast<std::uint64_t>(values * values * values)};
}

Space scattered(std::uint64_t seed, double defaultNs) {
  return cube(6, [seed, defaultNs](std::uint64_t number) {
    if (number == 0) return defaultNs;
    return defaultNs * 0.5 * std::pow(40.0, RandomEngine::derived(seed, number).unit());
  });
}

Space needles(std::uint64_t seed, double defaultNs) {
  return cube(10, [seed, defaultNs](std::uint64_t number) {
    if (number == 0) return defaultNs;
    RandomEngine engine = RandomEngine::derived(seed, number);
    return defaultNs * (engine.unit() < 0.02 ? 0.6 : std::pow(20.0, engine.unit()));
  });
}

Space spaceOf(const Scenario& scenario, std::uint64_t seed) {
  switch (scenario.costs) {
    case Costs::scattered: return scattered(seed, scenario.bestNs);
    case Costs::needles: return needles(seed, scenario.bestNs);
    case Costs::onePercentApart: break;
  }
  return onePercentApart(seed, scenario.bestNs);
}

}  // namespace

Outcome play(const Scenario& scenario, std::uint64_t seed) {
  const Space space = spaceOf(scenario, seed);
  SimulatedDevice device;
  device.cost = space.cost;
  device.noise = [&](const Configuration& c) {
    std::uint64_t number = 0;
    for (std::int64_t value : c) number = number * 32 + static_cast<std::uint64_t>(value);
    return scenario.noise(seed, number);
  };
  device.state = scenario.state;
  device.timerResolutionNs = scenario.timerResolutionNs;
  device.buildNs = scenario.buildNs;
  device.slowdownByBuild = scenario.slowdownByBuild;
  hone::Options options;
  options.strategy = scenario.strategy;
  options.seed = seed;
  options.slowdownBudget = scenario.budget;
  SimulatedRun run(space.declare, device, options, scenario.thresholds);
  constexpr std::uint64_t kEnough = 100'000, kAfterwards = 500;
  Outcome outcome;
  outcome.isDecided = run.untilDecided(kEnough);
  outcome.launches = static_cast<double>(run.launches());
  for (std::uint64_t i = 0; i < kAfterwards; ++i) run.launch();
  outcome.chosenMedian = space.cost(run.chosen());
  outcome.regret = outcome.chosenMedian / scenario.bestNs - 1;
  outcome.violations = static_cast<double>(run.violations());
  outcome.isFaster = outcome.chosenMedian < space.cost(Configuration(run.chosen().size(), 0));
  return outcome;
}

double regretOfSamples(const NoiseLaw& law, std::uint64_t samplesEach, std::uint64_t seed) {
  const Space space = onePercentApart(seed, 1);
  double smallest = kEager, chosen = 1;
  for (std::int64_t x = 0; x < kConfigurations; ++x) {
    const double cost = space.cost({x});
    const NoiseOfConfiguration noise = law(seed, static_cast<std::uint64_t>(x));
    std::vector<double> samples;
    for (std::uint64_t launch = 0; launch < samplesEach; ++launch) samples.push_back(cost * noise.factor(launch));
    const double median = quantile(samples, 0.5);
    if (median < smallest) chosen = cost;
    smallest = std::min(smallest, median);
  }
  return chosen - 1;
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

namespace {

template <class Field>
std::vector<double> column(const std::vector<Outcome>& outcomes, Field field) {
  std::vector<double> values;
  for (const Outcome& outcome : outcomes) values.push_back(static_cast<double>(outcome.*field));
  return values;
}

}  // namespace

Row measure(const Scenario& scenario, std::uint64_t seeds) {
  const auto outcomes = forSeeds<Outcome>(seeds, [&](std::uint64_t seed) { return play(scenario, seed); });
  const auto regrets = column(outcomes, &Outcome::regret);
  const auto violations = column(outcomes, &Outcome::violations);
  const Row row{
      100 * meanOf(regrets),
      100 * quantile(regrets, 0.99),
      meanOf(column(outcomes, &Outcome::launches)) / kConfigurations,
      100 * (1 - meanOf(column(outcomes, &Outcome::isDecided))),
      static_cast<double>(std::count_if(violations.begin(), violations.end(), [](double v) { return v > 0; })),
      100 * meanOf(column(outcomes, &Outcome::isFaster))};
  return row;
}

double disturbedWithinOnePercent(const Scenario& calm, std::uint64_t seeds) {
  Scenario disturbed = calm;
  disturbed.state = test::slowLaunches(60, 560, 3.0);
  const auto isWithin = forSeeds<char>(seeds, [&](std::uint64_t seed) {
    return std::abs(play(disturbed, seed).chosenMedian / play(calm, seed).chosenMedian - 1) <= 0.01 + 1e-9;
  });
  return 100.0 * static_cast<double>(std::count(isWithin.begin(), isWithin.end(), 1)) / static_cast<double>(seeds);
}

}  // namespace hone::bench
