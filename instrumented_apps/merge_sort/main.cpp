// Random keys are sorted, again and again, while Hone looks for the fastest way to do it.
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
#include "merge_sort/merge_sort.h"
#include "options.h"
#include "run_program.h"
#include "section.h"
#include "summary.h"

namespace hone::apps {
namespace {

const Program kProgram{
    "merge_sort",
    "tunes a stable merge sort of n random keys",
    {"n"},
    {1 << 22},
    {{"values", "", "sort keys with a value each (default: keys alone)"},
     {"space", "NAME", "narrow, or wide with more parameters (default: narrow)", {"narrow", "wide"}}}};

void requireMemory(const OpenedDevice& on, std::size_t n, bool hasValues, bool isChecked) {
  const double in = 4.0 * static_cast<double>(n), out = in + 4.0 * kGuard;
  std::vector<double> buffers = merge_sort::scratchBytes(n, hasValues);
  const int parts = hasValues ? 2 : 1;
  for (int i = 0; i < parts; ++i) buffers.insert(buffers.end(), {in, out});
  apps::requireMemory(on.device, buffers, in * parts + (isChecked ? 2 * out * parts : 0));
}

/// What the outputs of a launch are to be: sorted keys, and the values that came with them.
class SortCheck {
 public:
  SortCheck(const OpenedDevice& on, const merge_sort::Elements& out, const std::vector<std::uint32_t>& keys,
            bool hasValues) {
    // A value is its key's position.
    std::vector<std::uint32_t> values = merge_sort::stableOrder(keys), sorted;
    for (const std::uint32_t position : values) sorted.push_back(keys[position]);
    checks_.emplace_back(on, out.keys, ExpectedIntegers{"keys", std::move(sorted)});
    if (hasValues) checks_.emplace_back(on, out.values, ExpectedIntegers{"values", std::move(values)});
  }

  void clear() const {
    for (const ExactCheck& check : checks_) check.clear();
  }
  void verify(std::uint64_t launch) {
    for (ExactCheck& check : checks_) check.verify(launch);
  }

 private:
  std::vector<ExactCheck> checks_;
};

void run(const std::vector<std::string>& arguments) {
  RunOptions options = parseOptions(kProgram, arguments);
  if (answers(kProgram, options, std::cout)) return;
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  const OpenedDevice on = openDevice(options.device);
  const auto n = static_cast<std::size_t>(options.problem[0]);
  const bool hasValues = options.has("values");
  requireMemory(on, n, hasValues, options.isChecked);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  opencl::TunedProgram program(runtime, merge_sort::kernelSource(), "merge_sort", options.tuning);
  const merge_sort::Space space(program, runtime.facts(), hasValues, options.value("space", "narrow") == "wide");
  restrictCandidates(options.restrictions, program);
  program.build();

  const std::vector<std::uint32_t> keys = merge_sort::randomKeys(n, 1);
  merge_sort::Elements in{upload(on, keys), {}}, out{makeOutput(on, n), {}};
  if (hasValues) {
    in.values = upload(on, merge_sort::positions(n));
    out.values = makeOutput(on, n);
  }
  merge_sort::MergeSort sort(on, n, hasValues);

  TunedWork work;
  work.launch = [&] {
    return measured(program, {{"n", n}},
                    [&] { return sort.enqueue(program, space.configuration(program), in, out, n); });
  };
  work.report = [&] { return program.report({{"n", n}}); };
  work.settle = [&] {
    program.settle();
    runtime.waitUntilIdle();
  };
  std::optional<SortCheck> check;
  if (options.isChecked) {
    check.emplace(on, out, keys, hasValues);
    work.prepare = [&] { check->clear(); };
    work.check = [&](std::uint64_t launch) { check->verify(launch); };
  }
  const RunFigures figures = runLaunches(work, {options.launches, options.seconds, options.endsSettled}, console);
  publish(summarise(kProgram, options, on, figures), options, std::cout);
}

}  // namespace
}  // namespace hone::apps

int main(int argc, char** argv) {
  return hone::apps::runProgram("merge_sort", std::cerr, [&] { hone::apps::run({argv + 1, argv + argc}); });
}
