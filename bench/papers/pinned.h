// One configuration of a workload, by itself: built, launched, timed.
//
//   Pinned fast(workload, {{"BLOCK", 128}, {"UNROLL", 4}});
//   const double ms = fast.sampleMs();
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "hone/report.h"
#include "workload.h"

namespace hone::bench {

/// A configuration that does not build, or does not run with its arguments.
class DoesNotRun : public std::runtime_error {
 public:
  DoesNotRun(const std::string& stage, const std::string& why) : std::runtime_error(why), stage_(stage) {}

  /// "compile" or "runtime", as tables of measured configurations have it.
  const std::string& stage() const { return stage_; }

 private:
  std::string stage_;
};

/// Of the workload's first problem. Refers to the workload.
/// Thread safety: externally synchronised.
class Pinned {
 public:
  /// Builds it. Throws DoesNotRun. Parameters that are left out have their defaults.
  Pinned(apps::Workload& workload, const NamedConfiguration& configuration);

  /// Launches it twice, once: where kernels are compiled at their first launch, that is over then. Throws DoesNotRun.
  void start();

  /// A sample of its device time, of one launch, or the mean of several where one is short beside the timer's tick.
  /// Starts it. Throws DoesNotRun.
  double sampleMs();

  /// All parameters. REQUIRES: it was started
  NamedConfiguration configuration() const { return work_.report().best; }

 private:
  double launchMs(std::size_t launches);

  std::shared_ptr<std::string> trouble_;  // what the library has said
  apps::TunedWork work_;
  std::size_t launches_ = 0;  // of a sample; 0: it was not started
};

}  // namespace hone::bench
