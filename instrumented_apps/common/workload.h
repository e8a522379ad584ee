// What an instrumented program is made of: work that can be launched, its data, and how it is described.
//
//   const Application scan = scan::application();
//   const std::unique_ptr<Workload> sums = scan.open({options, on, runtime});   // its data, on the device
//   const std::vector<TunedWork> work = sums->tune(options.tuning, options.restrictions);
//   work.front().launch();
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "device.h"
#include "hone/report.h"
#include "launched.h"
#include "options.h"

namespace hone::apps {

struct Summary;

/// A tuned kernel or section with its arguments, for one problem. Copies share it.
struct TunedWork {
  std::vector<std::int64_t> problem;  // its sizes, as --problem takes them
  std::function<Launched()> launch;   // the tuned launch and nothing else: how long it keeps the host is measured
  /// Of this problem; where launches change their problem size as they go, of the one that was launched last.
  std::function<Report()> report;
  std::function<void()> settle;  // ends the search and waits until nothing is being compiled any more
  /// Where set, called before each launch and once it has completed; then launches do not overlap. The number counts
  /// launches from 1.
  std::function<void()> prepare = {};
  std::function<void(std::uint64_t launch)> check = {};
  /// Where set, called after the last launch: adds what only this program knows. Throws CheckFailure where the run as a
  /// whole came to something wrong.
  std::function<void(Summary&)> complete = {};
};

/// For TunedWork::settle, of a TunedKernel or a TunedProgram.
template <class Tuned>
std::function<void()> settling(std::shared_ptr<Tuned> tuned, opencl::Runtime& runtime) {
  return [tuned, &runtime] {
    tuned->settle();
    runtime.waitUntilIdle();
  };
}

/// The data that a program's launches work on, on the device.
/// Thread safety: externally synchronised.
class Workload {
 public:
  virtual ~Workload() = default;

  /// A tuner with the default built: one piece of work for each problem of the program's list, all of the same tuner.
  /// Works of several calls may be launched in turns, each with its own options; none may outlive the workload. Throws
  /// UsageError for a restriction or a pin that does not fit, Error if the default does not compile.
  virtual std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) = 0;
};

/// Where a workload is opened. All of it must outlive the workload.
struct Setup {
  const RunOptions& options;
  const OpenedDevice& on;
  opencl::Runtime& runtime;
};

/// One of the programs, to be run by runApplication() or launched by another program.
struct Application {
  Program program;
  /// Throws InputError for a problem that the device cannot hold.
  std::function<std::unique_ptr<Workload>(const Setup&)> open;
  /// Where set, looks at the options before any device is opened: throws InputError for what no device could do.
  std::function<void(const RunOptions&)> validate = {};
};

}  // namespace hone::apps
