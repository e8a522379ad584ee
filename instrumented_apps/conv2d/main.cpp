// An image is filtered, again and again, while Hone looks for the fastest variant of conv2d.cl.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "conv2d/convolution.h"
#include "device.h"
#include "errors.h"
#include "json_file.h"
#include "launch_check.h"
#include "measuring_loop.h"
#include "options.h"
#include "problem_size.h"
#include "run_program.h"
#include "summary.h"

namespace hone::apps {
namespace {

const Program kProgram{"conv2d",
                       "tunes a 2-D convolution of an image of X x Y floats with a filter of FS x FS",
                       {"X", "Y", "FS"},
                       {4096, 2048, 7}};

conv2d::Shape shapeOf(const std::vector<std::int64_t>& problem) {
  const std::int64_t filterSize = problem[2];
  constexpr std::int64_t smallest = 2 * conv2d::kMinimumHalfSize + 1, largest = 2 * conv2d::kMaximumHalfSize + 1;
  if (filterSize % 2 == 0 || filterSize < smallest || filterSize > largest) {
    throw InputError("--problem '" + problemText(problem) + "': the filter size FS must be odd, from " +
                     std::to_string(smallest) + " to " + std::to_string(largest));
  }
  return {static_cast<std::size_t>(problem[0]), static_cast<std::size_t>(problem[1]),
          static_cast<std::size_t>(filterSize)};
}

void run(const std::vector<std::string>& arguments) {
  RunOptions options = parseOptions(kProgram, arguments);
  if (answers(kProgram, options, std::cout)) return;
  const conv2d::Shape shape = shapeOf(options.problem);
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  const OpenedDevice on = openDevice(options.device);
  conv2d::requireMemory(on.device, shape, options.isChecked);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  opencl::TunedKernel kernel(runtime, conv2d::kernelSource(), "conv2d", options.tuning);
  conv2d::declare(kernel, shape.halfSize());
  restrictCandidates(options.restrictions, kernel);
  kernel.build();

  const conv2d::Inputs inputs = conv2d::makeInputs(shape);
  const conv2d::Buffers buffers = conv2d::makeBuffers(on, shape, inputs);

  TunedWork work;
  work.launch = [&] { return conv2d::launch(kernel, on.queue, shape, buffers); };
  work.report = [&] { return kernel.report({shape.width, shape.height}); };
  work.settle = [&] {
    kernel.settle();
    runtime.waitUntilIdle();
  };
  std::optional<LaunchCheck> check;
  if (options.isChecked) {
    check.emplace(on, buffers.output, conv2d::expectedOutput(shape, inputs));
    work.prepare = [&] { check->clear(); };
    work.check = [&](std::uint64_t launch) { check->verify(launch); };
  }
  const RunFigures figures = runLaunches(work, {options.launches, options.seconds, options.endsSettled}, console);

  Summary summary = summarise(kProgram, options, on, figures);
  summary.flopPerLaunch = shape.flop();
  summary.bytesPerLaunch = shape.bytes();
  publish(summary, options, std::cout);
}

}  // namespace
}  // namespace hone::apps

int main(int argc, char** argv) {
  return hone::apps::runProgram("conv2d", std::cerr, [&] { hone::apps::run({argv + 1, argv + argc}); });
}
