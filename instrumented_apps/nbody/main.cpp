// A star cluster moves, step by step, while Hone looks for the fastest way to compute its forces.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "device.h"
#include "errors.h"
#include "format.h"
#include "json_file.h"
#include "measuring_loop.h"
#include "nbody/bodies.h"
#include "nbody/simulation.h"
#include "nbody/space.h"
#include "nbody/step_check.h"
#include "options.h"
#include "run_program.h"
#include "summary.h"

namespace hone::apps {
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

void run(const std::vector<std::string>& arguments) {
  RunOptions options = parseOptions(kProgram, arguments);
  if (answers(kProgram, options, std::cout)) return;
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  const OpenedDevice on = openDevice(options.device);
  if (options.isDefaultProblem && on.device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU)
    options.problem = {kBodiesOnCpu};
  const auto n = static_cast<std::size_t>(options.problem[0]);
  nbody::requireMemory(on.device, n, options.isChecked);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  opencl::TunedKernel kernel(runtime, nbody::kernelSource(), "leapfrog", options.tuning);
  nbody::declareSpace(kernel, runtime.facts(), options.value("space", "narrow") == "wide");
  restrictCandidates(options.restrictions, kernel);
  kernel.build();

  nbody::Simulation simulation(on, nbody::plummerSphere(n, 1));
  simulation.begin(kernel);
  const nbody::Energy first = simulation.energy();

  TunedWork work;
  std::uint64_t steps = 0;
  work.launch = [&] {
    ++steps;
    return simulation.step(kernel);
  };
  work.report = [&] { return kernel.report({n}); };
  work.settle = [&] {
    kernel.settle();
    runtime.waitUntilIdle();
  };
  std::optional<nbody::StepCheck> check;
  if (options.isChecked) {
    check.emplace(simulation);
    work.prepare = [&] { check->before(); };
    work.check = [&](std::uint64_t launch) { check->after(launch); };
  }
  const RunFigures figures = runLaunches(work, {options.launches, options.seconds, options.endsSettled}, console);
  const double drift = nbody::drift(first, simulation.energy());

  Summary summary = summarise(kProgram, options, on, figures);
  summary.flopPerLaunch = flop(n);
  summary.own = {{"steps", std::to_string(steps) + ", time " + fixed(static_cast<double>(steps) * nbody::kStep, 2),
                  static_cast<double>(steps)},
                 {"energy drift", scientific(drift), drift}};
  publish(summary, options, std::cout);
  if (!(drift <= kMaximumDrift))
    throw CheckFailure("the energy has drifted by " + scientific(drift) + ", which is above " +
                       scientific(kMaximumDrift));
}

}  // namespace
}  // namespace hone::apps

int main(int argc, char** argv) {
  return hone::apps::runProgram("nbody", std::cerr, [&] { hone::apps::run({argv + 1, argv + argc}); });
}
