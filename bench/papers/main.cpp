// The tables of the papers on autotuning, measured on a device: what tuning gains, how long it takes, and how far it is
// from the best there is.
//
//   papers --quick                                    a look, on two cores in minutes
//   papers --programs scan,nbody --json papers.json   a part; the file keeps the others' figures
//   papers --pictures DIR --best here.json --other there.json
//   papers --only-other --best here.json --other there.json     once both are known
//
// Tables go to standard output, as Markdown, each row when it is known; the files are written after each program. What
// is studied of each program on which kind of device stands in papers/studied_program.cpp.
//
// Of the programs, a row tells
//   space            configurations that are valid on the device, of the part that is studied
//   default, tuned   medians of one match, launched in turns; tuned by `auto`, seed 1, without a budget
//   tuned / optimum  of the same match; the optimum won another one, between the sweep's six fastest and what the
//                    searches found
//   trials           until one was within 3 % of the optimum by the sweep's times / in all / the first of these once
//                    more, as the median of 101 searches that are replayed on the sweep's times
//   Nelder-Mead      the same of AtuneRT's search
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "errors.h"
#include "format.h"
#include "json_file.h"
#include "papers/bench_context.h"
#include "papers/convolution_tables.h"
#include "papers/device_tables.h"
#include "papers/markdown.h"
#include "papers/options.h"
#include "papers/other_device.h"
#include "papers/program_study.h"
#include "papers/result_files.h"
#include "papers/studied_program.h"
#include "papers/sweep_processes.h"
#include "run_program.h"

namespace hone::bench {
namespace {

/// Where sweeps are kept, which is nowhere for long unless the options say so.
class SweepFolder {
 public:
  explicit SweepFolder(const std::string& chosen)
      : isTemporary_(chosen.empty()),
        path_(isTemporary_ ? std::filesystem::temp_directory_path() / ("papers_" + std::to_string(getpid()))
                           : std::filesystem::path(chosen)) {
    std::filesystem::create_directories(path_);
  }
  ~SweepFolder() {
    std::error_code ignored;
    if (isTemporary_) std::filesystem::remove_all(path_, ignored);
  }
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  bool isTemporary_;
  std::filesystem::path path_;
};

Scale scaleFor(const PapersOptions& options, const apps::OpenedDevice& on) {
  if (options.isQuick) return Scale::quick;
  return on.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU ? Scale::gpu : Scale::cpu;
}

opencl::RuntimeOptions compilingOptions(const apps::OpenedDevice& on) {
  opencl::RuntimeOptions options;
  if (on.device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) options.workers = 0;
  return options;
}

std::vector<StudiedProgram> chosenPrograms(const PapersOptions& options, Scale scale) {
  std::vector<StudiedProgram> programs = studiedPrograms(scale);
  std::erase_if(programs, [&](const StudiedProgram& program) {
    const auto& chosen = options.programs;
    return !chosen.empty() && std::find(chosen.begin(), chosen.end(), program.name) == chosen.end();
  });
  if (!options.problem.empty()) programs.front().problem = options.problem;
  if (!options.restrictions.empty()) programs.front().restrictions = options.restrictions;
  return programs;
}

const StudiedProgram& programWithName(const std::vector<StudiedProgram>& programs, const std::string& name) {
  for (const StudiedProgram& program : programs) {
    if (program.name == name) return program;
  }
  throw apps::InputError("--sweep-job '" + name + "': there is no such program");
}

void show(const std::string& title, const std::string& table) {
  std::cout << "\n" << title << "\n\n" << table << std::flush;
}

void showEmptyLaunches(const BenchContext& context) {
  std::string text = markdownHead({"work-group", "launch and finish, ms", "standard deviation", "event, ms"});
  for (const EmptyLaunches& launches : measureEmptyLaunches(context.on)) {
    const std::string name = std::to_string(launches.workGroup);
    context.metrics["empty_" + name + "_ms"] = launches.medianMs;
    text += markdownRow({name, cell(launches.medianMs, 4), cell(launches.deviationMs, 4), cell(launches.eventMs, 4)});
  }
  show("An empty kernel, 2^20 work-items, 20 launches, medians:", text);
}

void save(const BenchContext& context) {
  if (!context.options.jsonFile.empty()) writeMetrics(context.options.jsonFile, context.metrics);
  if (!context.options.bestFile.empty()) writeBest(context.options.bestFile, context.best);
}

void studyAll(const BenchContext& context, const std::vector<StudiedProgram>& programs) {
  showEmptyLaunches(context);
  save(context);  // whether that works is known before the sweeps
  show("Programs. Searches without a budget; times are medians of one match between default, results and optimum:",
       studyHead());
  const StudiedProgram* convolution = nullptr;
  std::optional<ProgramFigures> ofConvolution;
  for (const StudiedProgram& program : programs) {
    const ProgramFigures figures = studyProgram(context, program);
    std::cout << studyRow(figures) << std::flush;
    save(context);
    if (program.name != "conv2d") continue;
    convolution = &program;
    ofConvolution = figures;
  }
  if (convolution) {
    show("Convolution and what the device can do:", ceilingsTable(context, *ofConvolution));
    save(context);
    show("Searches replayed on the convolution's sweep, means:", sensitivityTable(context, *convolution));
    show("The best parameters for a filter, used on another, relative to the best there:",
         filtersTable(context, *convolution));
    save(context);
  }
}

void compareWithOther(const BenchContext& context, const std::vector<StudiedProgram>& programs) {
  show("Another device's best parameters, used here, relative to the best here:",
       otherDeviceTable(context, readBest(context.options.otherFile), programs));
  save(context);
}

// Before the run, so that a wrong path does not cost one.
void tryFiles(const PapersOptions& options) {
  for (const std::string& file : {options.jsonFile, options.bestFile}) {
    if (!file.empty()) apps::requireWritable(file);
  }
  if (!options.otherFile.empty()) readBest(options.otherFile);
  if (!options.pictureFolder.empty()) std::filesystem::create_directories(options.pictureFolder);
}

void run(const std::vector<std::string>& arguments) {
  const PapersOptions options = parsePapersOptions(arguments);
  if (options.help) {
    std::cout << *options.help;
    return;
  }
  if (!options.sweepJob) tryFiles(options);

  const apps::OpenedDevice on = apps::openDevice(options.device);
  apps::Console console = apps::Console::ofProcess();
  opencl::Runtime runtime(on.context, on.device), compilingRuntime(on.context, on.device, compilingOptions(on));
  const SweepFolder sweeps(options.sweepFolder);
  DeviceBest best = readOwnBest(options.bestFile, on.name, on.driver);
  std::map<std::string, double> metrics;
  const Scale scale = scaleFor(options, on);
  const BenchContext context{options, on, runtime, compilingRuntime, console, scale, sweeps.path(), best, metrics};
  const std::vector<StudiedProgram> programs = chosenPrograms(options, scale);
  if (options.sweepJob)
    return doSweepJob(context, programWithName(programs, options.sweepJob->program), *options.sweepJob);
  std::cout << "# " << on.name << " (" << on.driver << ")\n";
  if (!options.isOnlyOther) studyAll(context, programs);
  if (!options.otherFile.empty()) compareWithOther(context, programs);
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  return hone::apps::runProgram("papers", std::cerr, [&] { hone::bench::run({argv + 1, argv + argc}); });
}
