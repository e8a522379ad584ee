// How long does each configuration of conv2d take on a device? Measures its whole space, the larger part of which is
// compiling: several processes share the work, a slice each, and take turns on the device.
//
//   for i in 0 1 2 3; do record_space --device H200 --slice $i/4 --lock lock --out $i.csv & done; wait
//   record_space --merge 0.csv --merge 1.csv --merge 2.csv --merge 3.csv --out conv2d.csv.gz
//
// The format is that of recorded spaces. A run that was ended goes on where it was when it is started again.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <optional>

#include "command_line.h"
#include "console.h"
#include "conv2d/convolution.h"
#include "device.h"
#include "errors.h"
#include "hone/search_space.h"
#include "parse_number.h"
#include "problem_size.h"
#include "recording/file_lock.h"
#include "recording/measurement_table.h"
#include "restriction.h"
#include "run_program.h"
#include "space/declaration_data.h"

namespace hone::bench {
namespace {

using apps::InputError;
using Clock = std::chrono::steady_clock;

// Those of common GPUs, with which CLTune's space for 7x7 filters has its 3424 configurations; a device may have less.
constexpr std::int64_t kMaxWorkGroup = 1024, kLocalBytes = 48 * 1024;

struct Arguments {
  std::string device;
  apps::conv2d::Shape shape{4096, 2048, 7};
  std::vector<apps::Restriction> restrictions;
  std::size_t slice = 0, slices = 1;
  std::size_t samples = 32;
  std::string lockFile;
  std::filesystem::path out;
  std::vector<std::filesystem::path> merged;  // where not empty, nothing is measured
};

apps::OptionList describe() {
  apps::OptionList description("Options");
  auto add = description.add_options();
  add("device", apps::textOption("D"),
      "index or part of the name or of the platform's (default: the first GPU, else the first)");
  add("problem", apps::textOption("XxYxFS"), "default: 4096x2048x7");
  add("restrict", apps::textOption("P=V:V,..."), "only these values of parameters");
  add("slice", apps::textOption("I/N"), "only the I-th of N equal parts, from 0 (default: 0/1)");
  add("samples", apps::textOption("N"), "launches of each configuration, after one that is not counted (default: 32)");
  add("lock", apps::textOption("FILE"), "take turns on the device with all that have the same FILE");
  add("out", apps::textOption("FILE"), "the table; where it exists, what it lacks is measured");
  add("merge", apps::textsOption("FILE"), "make one gzip'ed table of these instead; may be repeated");
  add("help", "show this");
  return description;
}

void readSlice(const apps::CommandLine& line, Arguments& arguments) {
  const std::string text = line.text("slice");
  const auto parts = apps::split(text, '/');
  const auto slice = apps::parseNumber<std::size_t>(parts[0]);
  const auto slices = parts.size() == 2 ? apps::parseNumber<std::size_t>(parts[1]) : std::nullopt;
  if (!slice || !slices || *slice >= *slices) line.fail("slice", "expected I/N with I below N");
  arguments.slice = *slice;
  arguments.slices = *slices;
}

std::optional<Arguments> parse(const std::vector<std::string>& texts) {
  const apps::OptionList options = describe();
  const apps::CommandLine line(options, texts);
  if (line.has("help")) {
    std::cout << "record_space --out FILE [options]: measures all configurations of conv2d\n\n" << options;
    return std::nullopt;
  }

  Arguments arguments;
  if (line.has("device")) arguments.device = line.text("device");
  if (line.has("problem")) {
    const std::vector<std::int64_t> sizes = apps::parseProblem(line.text("problem"), {"X", "Y", "FS"});
    const bool isFilter = sizes[2] % 2 == 1 && sizes[2] / 2 >= apps::conv2d::kMinimumHalfSize &&
                          sizes[2] / 2 <= apps::conv2d::kMaximumHalfSize;
    if (!isFilter) line.fail("problem", "the filter size FS must be odd, from 3 to 11");
    arguments.shape = {static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]),
                       static_cast<std::size_t>(sizes[2])};
  }
  if (line.has("restrict")) arguments.restrictions = apps::parseRestrictions(line.text("restrict"));
  if (line.has("slice")) readSlice(line, arguments);
  if (line.has("samples")) arguments.samples = line.whole("samples", 1);
  if (line.has("lock")) arguments.lockFile = line.text("lock");
  if (line.has("out")) arguments.out = line.text("out");
  if (arguments.out.empty()) throw InputError("--out is missing");
  if (line.has("merge")) {
    for (const std::string& file : line.texts("merge")) arguments.merged.emplace_back(file);
  }
  return arguments;
}

struct NamedSpace {
  std::vector<std::string> names;
  SearchSpace space;
};

NamedSpace spaceFor(const Arguments& arguments, const opencl::DeviceFacts& facts) {
  SpaceDeclarations declarations("conv2d");
  const apps::conv2d::Space space =
      apps::conv2d::declareSpace(declarations, static_cast<std::int64_t>(arguments.shape.halfSize()));
  apps::restrictCandidates(arguments.restrictions, declarations);
  const auto smaller = [](std::int64_t limit, std::uint64_t ofDevice) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(static_cast<std::uint64_t>(limit), ofDevice));
  };
  declarations.require(space.threadsX * space.threadsY <= smaller(kMaxWorkGroup, facts.maxWorkGroupSize));
  declarations.require(space.localBytes <= smaller(kLocalBytes, facts.localMemoryBytes));
  std::vector<std::string> names;
  for (const hone::detail::ParameterDeclaration& parameter : declarations.data().parameters)
    names.push_back(parameter.name);
  return {std::move(names), SearchSpace(declarations)};
}

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// A configuration is the kernel's default, with tuning off: what is launched is exactly that.
class Recorder {
 public:
  Recorder(const Arguments& arguments, const apps::OpenedDevice& on)
      : arguments_(arguments),
        on_(on),
        runtime_(on.context, on.device),
        buffers_(apps::conv2d::makeBuffers(on, arguments.shape, apps::conv2d::makeInputs(arguments.shape))),
        lock_(arguments.lockFile) {
    options_.mode = Mode::off;
  }

  opencl::Runtime& runtime() { return runtime_; }

  MeasuredRow measure(const std::vector<std::int64_t>& c) {
    MeasuredRow row;
    row.configuration = c;
    const Clock::time_point start = Clock::now();
    try {
      const apps::conv2d::Shape& shape = arguments_.shape;
      opencl::TunedKernel kernel(runtime_, apps::conv2d::kernelSource(), "conv2d", options_);
      apps::conv2d::declareFor(kernel, shape.width, shape.height, shape.halfSize(),
                               {c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]});
      kernel.build();
      row.compileMs = millisecondsSince(start);
      const std::lock_guard lock(lock_);
      const Clock::time_point benchStart = Clock::now();
      launchMs(kernel);  // carries one-time costs; on PoCL the compiling of the work-group function, too
      for (std::size_t i = 0; i < arguments_.samples; ++i) row.samplesMs.push_back(launchMs(kernel));
      row.benchMs = millisecondsSince(benchStart);
    } catch (const cl::Error& error) {
      fail(row, error.err());
    } catch (const opencl::Error& error) {
      fail(row, error.code());
    }
    if (row.compileMs == 0) row.compileMs = millisecondsSince(start);
    return row;
  }

 private:
  static void fail(MeasuredRow& row, cl_int code) {
    row.error = code == CL_BUILD_PROGRAM_FAILURE ? "compile" : "runtime";
    row.samplesMs.clear();
  }

  double launchMs(opencl::TunedKernel& kernel) {
    const apps::conv2d::Shape& shape = arguments_.shape;
    const auto width = static_cast<cl_int>(shape.width), height = static_cast<cl_int>(shape.height);
    const cl::Event done = kernel(on_.queue, {}, width, height, static_cast<cl_int>(shape.pitch()), buffers_.image,
                                  buffers_.filter, buffers_.output);
    done.wait();
    const auto start = done.getProfilingInfo<CL_PROFILING_COMMAND_START>();
    const auto end = done.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    return static_cast<double>(end - start) * 1e-6;
  }

  const Arguments& arguments_;
  const apps::OpenedDevice& on_;
  opencl::Runtime runtime_;
  apps::conv2d::Buffers buffers_;
  FileLock lock_;
  Options options_;
};

void record(const Arguments& arguments) {
  const apps::OpenedDevice on = apps::openDevice(arguments.device);
  apps::conv2d::requireMemory(on.device, {arguments.shape}, false);
  Recorder recorder(arguments, on);
  const NamedSpace named = spaceFor(arguments, recorder.runtime().facts());
  MeasurementTable table(arguments.out, named.names);
  std::printf("%s, %s: %llu configurations, slice %zu of %zu\n", on.name.c_str(), on.driver.c_str(),
              static_cast<unsigned long long>(named.space.size()), arguments.slice, arguments.slices);

  apps::Console console = apps::Console::ofProcess();
  std::size_t failed = 0;
  // Every N-th one, so that slices are alike: neighbours in rank take alike long.
  for (Rank rank = arguments.slice; rank < named.space.size(); rank += arguments.slices) {
    const std::vector<std::int64_t> configuration = named.space.configuration(rank);
    if (table.has(configuration)) continue;
    const MeasuredRow row = recorder.measure(configuration);
    failed += row.error.empty() ? 0 : 1;
    table.append(row);
    console.status(std::to_string(table.rows()) + " measured, " + std::to_string(failed) + " failed");
  }
  console.clearStatus();
  std::printf("%zu rows, %zu failed in this run\n", table.rows(), failed);
}

void run(const std::vector<std::string>& texts) {
  const std::optional<Arguments> arguments = parse(texts);
  if (!arguments) return;
  if (arguments->merged.empty()) {
    record(*arguments);
  } else {
    std::printf("%zu rows\n", mergeTables(arguments->merged, arguments->out));
  }
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  return hone::apps::runProgram("record_space", std::cerr, [&] { hone::bench::run({argv + 1, argv + argc}); });
}
