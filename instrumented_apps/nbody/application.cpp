#include "nbody/application.h"

#include <optional>

#include "format.h"
#include "nbody/bodies.h"
#include "nbody/simulation.h"
#include "nbody/space.h"
#include "nbody/step_check.h"
#include "summary.h"

namespace hone::apps::nbody {

namespace {

const Program kProgram{
    "nbody",
    "tunes a simulation of n bodies that attract each other; on a CPU, 8192 by default",
    {"n"},
    {131072},
    {{"space", "NAME", "narrow, or wide with more parameters (default: narrow)", {"narrow", "wide"}}}};

// A step of 8192 takes a CPU with two cores 0.1 s with the default, one of 131,072 would take 256 times as long.
constexpr std::int64_t kBodiesOnCpu = 8192;

// What a run may drift before it counts as wrong: thirty times the most that was measured, by 3 bodies that meet
// closely.
constexpr double kMaximumDrift = 1e-3;

// The usual count: 20 operations for each pair.
double flop(std::size_t n) { return 20.0 * static_cast<double>(n) * static_cast<double>(n); }

class Cluster final : public Workload {
 public:
  Cluster(const Setup& setup, std::size_t n)
      : runtime_(setup.runtime),
        n_(n),
        isWide_(setup.options.value("space", "narrow") == "wide"),
        simulation_(setup.on, plummerSphere(n, 1)) {
    if (setup.options.isChecked) check_.emplace(simulation_);
  }

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto kernel = std::make_shared<opencl::TunedKernel>(runtime_, kernelSource(), "leapfrog", options);
    declareSpace(*kernel, runtime_.facts(), isWide_);
    restrictCandidates(restrictions, *kernel);
    kernel->build();
    if (!first_) {
      simulation_.begin(*kernel);
      first_ = simulation_.energy();
    }

    TunedWork work;
    work.problem = {static_cast<std::int64_t>(n_)};
    work.launch = [this, kernel]() -> Launched {
      ++steps_;
      return simulation_.step(*kernel);
    };
    work.report = [this, kernel] { return kernel->report({n_}); };
    work.settle = settling(kernel, runtime_);
    if (check_) {
      work.prepare = [this] { check_->before(); };
      work.check = [this](std::uint64_t launch) { check_->after(launch); };
    }
    work.complete = [this](Summary& summary) { complete(summary); };
    return {work};
  }

 private:
  void complete(Summary& summary) {
    const double drift = nbody::drift(*first_, simulation_.energy());
    summary.flopPerLaunch = flop(n_);
    summary.own = {{"steps", std::to_string(steps_) + ", time " + fixed(static_cast<double>(steps_) * kStep, 2),
                    static_cast<double>(steps_)},
                   {"energy drift", scientific(drift), drift}};
    if (!(drift <= kMaximumDrift)) {
      summary.failure =
          "the energy has drifted by " + scientific(drift) + ", which is above " + scientific(kMaximumDrift);
    }
  }

  opencl::Runtime& runtime_;
  std::size_t n_;
  bool isWide_;
  Simulation simulation_;
  std::optional<Energy> first_;  // before the first step
  std::uint64_t steps_ = 0;
  std::optional<StepCheck> check_;
};

std::unique_ptr<Workload> open(const Setup& setup) {
  const bool isCpu = setup.on.device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU;
  const auto n =
      static_cast<std::size_t>(setup.options.isDefaultProblem && isCpu ? kBodiesOnCpu : setup.options.problem[0]);
  requireMemory(setup.on.device, n, setup.options.isChecked);
  return std::make_unique<Cluster>(setup, n);
}

}  // namespace

Application application() { return {kProgram, open}; }

}  // namespace hone::apps::nbody
