// Whole runs of the library on simulated launches: no device, no thread, no time but the simulated one. What is decided
// can be compared with what is true, since the law of the costs is known.
//
//   SimulatedDevice device = ...;
//   SimulatedRun run(declare, device, options);
//   run.untilDecided(100'000);
//   const double regret = device.median(run.chosen()) / best - 1;
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "background.h"
#include "hone/measurement.h"
#include "hone/options.h"
#include "hone/search_space.h"
#include "support/manual_clock.h"
#include "support/virtual_device/models/composed_model.h"
#include "tuner_core.h"

namespace hone::test {

using Configuration = std::vector<std::int64_t>;

/// One configuration's noise: by what its launches are multiplied, one after the other.
struct NoiseOfConfiguration {
  std::function<double(std::uint64_t launch)> factor;  // the configuration's launches, from 0
  double median = 1;                                   // of the law
  double mean = 1;
};

/// What launches cost, in ns.
struct SimulatedDevice {
  std::function<double(const Configuration&)> cost;  // without noise
  std::function<NoiseOfConfiguration(const Configuration&)> noise;
  Noise state;  // of the device, which all configurations share: a function of the launch's number and start. May be
                // empty
  double timerResolutionNs = 0;  // start and end of a launch are read from a clock that ticks so
  /// Where not 0, candidates are built one after the other, each for so long, and a launch that begins meanwhile takes
  /// so many times as long.
  double buildNs = 0;
  double slowdownByBuild = 1;

  /// Without the device's state.
  double median(const Configuration& configuration) const;
};

/// What has been spent, in mean times: each launch counts what its configuration costs in the mean at that moment, the
/// default's cost without what builds take from it.
struct Spending {
  double total = 0;
  double byDefault = 0;  // what the default would have cost
  double largest = 0;    // launch so far

  /// Promise P3: at most (1 + budget) times the default's cost, plus one launch.
  bool keeps(double budget) const { return total <= (1 + budget) * byDefault + largest * (1 + 1e-9); }
};

/// Thread safety: externally synchronised; runs are independent of each other.
class SimulatedRun {
 public:
  /// `declare` adds the parameters. The options' diagnostics and own thread are not used.
  SimulatedRun(const std::function<void(Declarations&)>& declare, SimulatedDevice device, Options options,
               const detail::Thresholds& thresholds = {});
  ~SimulatedRun();

  /// One launch, and one step of what a background thread would do. Returns the configuration that ran.
  Configuration launch();

  /// Launches until exploring has ended and nothing is compared any more, or `atMost` times. Returns whether it has.
  bool untilDecided(std::uint64_t atMost);

  std::uint64_t launches() const { return launches_; }
  Configuration chosen() const;
  Report report() const;
  const Spending& spending() const { return spending_; }
  /// Prefixes of the run at which promise P3 was broken.
  std::uint64_t violations() const { return violations_; }
  const SimulatedDevice& device() const { return device_; }

 private:
  struct State;
  double measured(double durationNs);

  SimulatedDevice device_;
  const double budget_;
  std::unique_ptr<State> state_;
  std::uint64_t launches_ = 0;
  double nowNs_ = 0;
  Spending spending_;
  std::uint64_t violations_ = 0;
  bool isSampled_ = true;  // the latest launch
};

}  // namespace hone::test
