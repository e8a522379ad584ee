// What bench/decisions plays: whole runs on simulated launches whose law is known, and what becomes of many of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "session/thresholds.h"
#include "support/simulated_run.h"

namespace hone::bench {

constexpr double kEager = std::numeric_limits<double>::infinity();

/// Configurations of the runs that choose among costs 1 % apart.
constexpr std::int64_t kConfigurations = 20;

// ---- noise of configurations

struct RecordedSamples {
  std::vector<double> samples;  // relative to their median
  double mean;
};
using Recording = std::vector<RecordedSamples>;

/// Of every configuration of a recorded space.
Recording recording(const std::string& space);

enum class Order {
  recorded,
  drawn
};

/// Each configuration has a law of its own, which depends on the seed.
using NoiseLaw = std::function<test::NoiseOfConfiguration(std::uint64_t seed, std::uint64_t configuration)>;

/// The recording outlives the law.
NoiseLaw recordedNoise(const Recording& rows, Order order);

/// A normal jitter, and now and then a launch that takes `tail` times as long.
NoiseLaw tailedNoise(double sigma, double probability, double tail);

// ---- runs

enum class Costs {
  onePercentApart,  // 20 configurations; the default is any of them
  scattered,        // 216, most of them slower than the default by up to 20 times
  needles           // 1000, of which one in 50 takes 0.6 times as long as the default, and the others more by up to 20
};

struct Scenario {
  std::string name;
  NoiseLaw noise;
  test::Noise state = {};
  double budget = kEager;
  double bestNs = 1e6;
  double timerResolutionNs = 0;
  std::string strategy = "random";
  Costs costs = Costs::onePercentApart;
  /// Builds beside the launches; see SimulatedDevice.
  double buildNs = 0;
  double slowdownByBuild = 1;
  detail::Thresholds thresholds = {};
};

struct Outcome {
  bool isDecided = false;
  double regret = 0;
  double chosenMedian = 0;
  double launches = 0;
  double violations = 0;
  bool isFaster = false;  // what was chosen, than the default
};

Outcome play(const Scenario& scenario, std::uint64_t seed);

/// What a tuner would choose that takes the smallest median of so many samples each, on a device that never changes.
double regretOfSamples(const NoiseLaw& law, std::uint64_t samplesEach, std::uint64_t seed);

// ---- many runs

/// Of seeds 1, 2, 3 ..., on two threads.
template <class Result>
std::vector<Result> forSeeds(std::uint64_t seeds, const std::function<Result(std::uint64_t)>& of);

double meanOf(const std::vector<double>& values);
double quantile(std::vector<double> values, double q);

struct Row {
  double regretMean, regretP99;  // %
  double launches;               // a configuration
  double undecided;              // %
  double violations;             // runs
  double faster;                 // %, whose choice is faster than the default
};

Row measure(const Scenario& scenario, std::uint64_t seeds);

/// How many runs, in %, choose within 1 % of what they choose when launches 60 to 560 do not take three times as long.
double disturbedWithinOnePercent(const Scenario& calm, std::uint64_t seeds);

// ---- details

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

}  // namespace hone::bench
