// Heat spreads over grids from coarse to fine, while Hone looks for the fastest steps on each.
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "console.h"
#include "device.h"
#include "errors.h"
#include "heat/application.h"
#include "heat/checkpoint.h"
#include "heat/diffusion.h"
#include "heat/plan.h"
#include "heat/report.h"
#include "heat/run.h"
#include "json_file.h"
#include "options.h"
#include "problem_size.h"
#include "run_program.h"

namespace hone::apps::heat {
namespace {

void requireFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw InputError("--frames '" + folder + "': there is no such folder, and it cannot be made");
}

Outputs outputsOf(const RunOptions& options) {
  Outputs outputs{options.value("frames", ""), options.value("checkpoint", "")};
  if (options.has("frames")) requireFolder(outputs.frames);
  if (options.has("checkpoint")) requireCheckpointWritable(outputs.checkpoint);
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  return outputs;
}

Limits limitsOf(const RunOptions& options, const std::vector<Grid>& levels) {
  Limits limits;
  if (options.launches) {
    if (*options.launches < levels.size()) {
      throw InputError("--launches '" + std::to_string(*options.launches) + "': expected one for each of " +
                       std::to_string(levels.size()) + " levels, or more");
    }
    limits.sections = sectionsOf(levels, *options.launches);
  }
  if (options.seconds) limits.secondsPerLevel = *options.seconds / static_cast<double>(levels.size());
  limits.endsSettled = options.endsSettled;
  return limits;
}

std::optional<Checkpoint> checkpointFor(const std::vector<Grid>& levels, const std::string& path) {
  if (path.empty()) return std::nullopt;
  std::optional<Checkpoint> checkpoint = loadCheckpoint(path);
  if (checkpoint && (checkpoint->finest != levels.back() || checkpoint->levels != levels.size())) {
    const auto text = [](const Grid& grid, std::size_t count) {
      return problemText(problemOf(grid)) + " with " + std::to_string(count) + " levels";
    };
    throw InputError("--checkpoint '" + path + "': is of " + text(checkpoint->finest, checkpoint->levels) +
                     ", and not of " + text(levels.back(), levels.size()));
  }
  return checkpoint;
}

void run(const std::vector<std::string>& arguments) {
  const int dimensions = dimensionsIn(arguments);
  const Program program = application(dimensions).program;
  RunOptions options = parseOptions(program, arguments);
  if (answers(program, options, std::cout)) return;
  const OpenedDevice on = openDevice(options.device);
  const std::vector<Grid> levels = levelsFor(options, on.device, dimensions);
  const Limits limits = limitsOf(options, levels);
  const Outputs outputs = outputsOf(options);
  const std::optional<Checkpoint> checkpoint = checkpointFor(levels, outputs.checkpoint);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  Diffusion diffusion({options, on, runtime}, levels, checkpoint);
  const std::vector<TunedWork> works = diffusion.tune(options.tuning, options.restrictions);
  const SimulationFigures figures = runLevels(diffusion, works, limits, outputs, checkpoint, console);
  if (figures.levels.empty()) {
    std::cout << "the simulation in '" << outputs.checkpoint << "' has come to its end, after " << figures.steps
              << " steps\n";
    return;
  }
  publish(program, options, on, figures, std::cout);
}

}  // namespace
}  // namespace hone::apps::heat

int main(int argc, char** argv) {
  return hone::apps::runProgram("heat", std::cerr, [&] { hone::apps::heat::run({argv + 1, argv + argc}); });
}
