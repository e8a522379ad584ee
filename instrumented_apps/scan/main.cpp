// The prefix sums of random integers, again and again, while Hone looks for the fastest way to get them.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "buffers.h"
#include "console.h"
#include "device.h"
#include "exact_check.h"
#include "json_file.h"
#include "measuring_loop.h"
#include "options.h"
#include "random_data.h"
#include "run_program.h"
#include "scan/scan.h"
#include "section.h"
#include "summary.h"

namespace hone::apps {
namespace {

const Program kProgram{
    "scan",
    "tunes the prefix sums of n random integers",
    {"n"},
    {1 << 24},
    {{"kind", "NAME", "inclusive or exclusive sums (default: inclusive)", {"inclusive", "exclusive"}},
     {"space", "NAME", "narrow, or wide with more parameters (default: narrow)", {"narrow", "wide"}}}};

void requireMemory(const OpenedDevice& on, std::size_t n, bool isChecked) {
  const double in = 4.0 * static_cast<double>(n), out = in + 4.0 * kGuard;
  apps::requireMemory(on.device, {in, out, static_cast<double>(scan::scratchBytes(n))}, in + (isChecked ? 2 * out : 0));
}

void run(const std::vector<std::string>& arguments) {
  RunOptions options = parseOptions(kProgram, arguments);
  if (answers(kProgram, options, std::cout)) return;
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  const OpenedDevice on = openDevice(options.device);
  const auto n = static_cast<std::size_t>(options.problem[0]);
  const scan::Kind kind =
      options.value("kind", "inclusive") == "exclusive" ? scan::Kind::exclusive : scan::Kind::inclusive;
  requireMemory(on, n, options.isChecked);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  opencl::TunedProgram program(runtime, scan::kernelSource(), "scan", options.tuning);
  const scan::Space space(program, runtime.facts(), scan::whyNoLookBack(on.device, runtime.facts()),
                          options.value("space", "narrow") == "wide");
  restrictCandidates(options.restrictions, program);
  program.build();

  const std::vector<std::uint32_t> numbers = randomIntegers(n, 1ull << 32, 1);
  const cl::Buffer in = upload(on, numbers), out = makeOutput(on, n);
  scan::Scan scan(on, n);

  TunedWork work;
  work.launch = [&] {
    return measured(program, {{"n", n}},
                    [&] { return scan.enqueue(program, space.configuration(program), in, out, n, kind); });
  };
  work.report = [&] { return program.report({{"n", n}}); };
  work.settle = [&] {
    program.settle();
    runtime.waitUntilIdle();
  };
  std::optional<ExactCheck> check;
  if (options.isChecked) {
    check.emplace(on, out, ExpectedIntegers{"out", scan::referenceSums(numbers, kind)});
    work.prepare = [&] { check->clear(); };
    work.check = [&](std::uint64_t launch) { check->verify(launch); };
  }
  const RunFigures figures = runLaunches(work, {options.launches, options.seconds, options.endsSettled}, console);

  Summary summary = summarise(kProgram, options, on, figures);
  summary.bytesPerLaunch = 8.0 * static_cast<double>(n);  // each element read once and written once
  publish(summary, options, std::cout);
}

}  // namespace
}  // namespace hone::apps

int main(int argc, char** argv) {
  return hone::apps::runProgram("scan", std::cerr, [&] { hone::apps::run({argv + 1, argv + argc}); });
}
