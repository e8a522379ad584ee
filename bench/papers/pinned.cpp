#include "papers/pinned.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace hone::bench {

namespace {

// Of a sample: 300 ticks of the 1 us with which NVIDIA's timers run.
constexpr double kSampleMs = 0.3;
constexpr std::size_t kMostLaunches = 32;

}  // namespace

Pinned::Pinned(apps::Workload& workload, const NamedConfiguration& configuration)
    : trouble_(std::make_shared<std::string>()) {
  Options options;
  options.pins = {{"", {}, configuration}};
  // A pinned configuration that cannot be launched is replaced by the default, and the library says so.
  options.diagnostics = [trouble = trouble_](const Diagnostic& diagnostic) { *trouble = diagnostic.message; };
  try {
    work_ = workload.tune(options, {}).front();
  } catch (const UsageError& error) {
    throw DoesNotRun("compile", error.what());
  } catch (const opencl::Error& error) {
    throw DoesNotRun(error.code() == CL_BUILD_PROGRAM_FAILURE ? "compile" : "runtime", error.what());
  } catch (const cl::Error& error) {
    throw DoesNotRun("runtime", error.what());
  }
}

void Pinned::start() {
  if (launches_ > 0) return;
  launchMs(1);
  const double ms = launchMs(1);
  launches_ = static_cast<std::size_t>(std::clamp(std::ceil(kSampleMs / ms), 1.0, double{kMostLaunches}));
}

double Pinned::sampleMs() {
  start();
  return launchMs(launches_);
}

double Pinned::launchMs(std::size_t launches) {
  std::vector<apps::Launched> launched;
  try {
    for (std::size_t i = 0; i < launches; ++i) launched.push_back(work_.launch());
    launched.back().wait();
  } catch (const opencl::Error& error) {
    throw DoesNotRun("runtime", error.what());
  } catch (const cl::Error& error) {
    throw DoesNotRun("runtime", error.what());
  }
  if (!trouble_->empty()) throw DoesNotRun("runtime", *trouble_);
  double sum = 0;
  for (const apps::Launched& each : launched) {
    const auto ms = each.deviceMs();
    if (!ms) throw DoesNotRun("runtime", "the driver's timestamps are no times");
    sum += *ms;
  }
  return sum / static_cast<double>(launches);
}

}  // namespace hone::bench
