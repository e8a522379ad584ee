// What a run has found: a table for people, JSON for scripts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device.h"
#include "hone/report.h"
#include "measuring_loop.h"
#include "nlohmann/json.hpp"
#include "options.h"

namespace hone::apps {

/// A figure of one program alone.
struct OwnFigure {
  std::string name;  // of its row in the table; in JSON, with _ for spaces
  std::string text;
  double value;
};

struct Summary {
  std::string program;
  std::string device;
  std::string driver;
  std::string problem;  // "1024x1024x1024"
  std::string strategy;
  std::uint64_t seed = 0;
  bool isTuned = true;  // false: tuning is off, or the configuration is pinned
  bool isChecked = false;

  std::optional<double> defaultMs;  // median device time
  std::optional<double> bestMs;     // likewise
  std::size_t trials = 0;
  std::size_t failed = 0;
  std::uint64_t launches = 0;
  std::optional<std::uint64_t> settledAt;
  double totalSeconds = 0;            // wall clock
  double deviceSeconds = 0;           // sum of the launches' device times
  std::optional<double> stallMaxMs;   // the longest time that a launch call kept the host, without the first launch
  std::optional<double> stallMeanMs;  // the mean of these times
  NamedConfiguration best;

  /// What tuning was allowed to cost, as a part of the default's time, and what it has cost, in ms of device time.
  double budget = 0;      // may be infinite
  AccountReport account;  // likewise its balance

  double flopPerLaunch = 0;   // floating-point operations; 0: not a figure of this program
  double bytesPerLaunch = 0;  // of global memory, each read or written once; 0: likewise
  std::optional<double> openblasGflops;
  std::vector<OwnFigure> own;
  std::string failure;  // what the run as a whole came to is wrong, in one line; empty: it is not

  /// defaultMs / bestMs; empty where one is unknown.
  std::optional<double> speedup() const;
  /// Of the best configuration, and of the default; empty where the time is unknown.
  std::optional<double> gflops() const;
  std::optional<double> defaultGflops() const;
  /// Likewise, in 1e9 bytes per second.
  std::optional<double> gigabytesPerSecond() const;
  std::optional<double> defaultGigabytesPerSecond() const;
  /// gflops() / openblasGflops
  std::optional<double> versusOpenblas() const;
};

/// Without tuning, the best time is the median of the latest launches; with tuning off, it is also the default's.
Summary summarise(const Program& program, const RunOptions& options, const OpenedDevice& device,
                  const RunFigures& figures);

/// Several lines, the last one ended.
std::string table(const Summary& summary);
/// Of a run with several problems, a line for each; with one, that one's.
std::string table(const std::vector<Summary>& summaries);

/// default_ms, best_ms, speedup, trials, failed, launches, settled_at, total_s, stall_ms_max, best (parameter ->
/// value), device, driver, problem, strategy, seed, gflops, default_gflops, budget, spent_ms, saved_ms, balance_ms;
/// unknown numbers are null. gb_per_s and
/// default_gb_per_s only where they are figures of the program, openblas_gflops and vs_openblas only where measured; at
/// the end the program's own figures.
nlohmann::ordered_json toJson(const Summary& summary);
/// Of a run with several problems, {"problems": [...]}; with one, that one's.
nlohmann::ordered_json toJson(const std::vector<Summary>& summaries);

}  // namespace hone::apps
