// The surface of a scalar field becomes triangles, again and again, while Hone looks for the fastest way to get them.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "console.h"
#include "device.h"
#include "errors.h"
#include "json_file.h"
#include "launch_check.h"
#include "marching_cubes/grid.h"
#include "marching_cubes/mesh.h"
#include "marching_cubes/space.h"
#include "marching_cubes/surface.h"
#include "measuring_loop.h"
#include "options.h"
#include "run_program.h"
#include "section.h"
#include "summary.h"

namespace hone::apps {
namespace {

constexpr const char* kDefaultField = "gyroid";

const Program kProgram{
    "marching_cubes",
    "tunes the extraction of a scalar field's surface from a grid of X x Y x Z cells",
    {"X", "Y", "Z"},
    {256, 256, 256},
    {{"field", "NAME", "blobs, gyroid, sphere or torus (default: gyroid)", marching_cubes::fieldNames()},
     {"out", "FILE", "write the surface to FILE, which ends with .obj or .ply"},
     {"space", "NAME", "narrow, or wide with more parameters (default: narrow)", {"narrow", "wide"}}}};

/// Every launch's triangles against the host's.
class SurfaceCheck {
 public:
  SurfaceCheck(const OpenedDevice& on, const marching_cubes::Surface& surface, std::vector<float> expected)
      : surface_(surface),
        count_(expected.size() / 9),
        // A division may be off by 2.5 units in the last place, and a coordinate is rounded once more.
        vertices_(on, surface.buffer(), {"coordinates", std::move(expected), {1e-6, 1}, {"number", "triangle"}, 9}) {}

  void clear() const { vertices_.clear(); }

  void verify(std::uint64_t launch) {
    const std::size_t count = surface_.triangleCount();
    if (count != count_) {
      throw CheckFailure("check failed at launch " + std::to_string(launch) + ": there are " + std::to_string(count) +
                         " triangles instead of " + std::to_string(count_));
    }
    vertices_.verify(launch);
  }

 private:
  const marching_cubes::Surface& surface_;
  std::size_t count_;
  LaunchCheck vertices_;
};

// Of the last launch.
void finish(const marching_cubes::Surface& surface, const RunOptions& options) {
  const marching_cubes::Mesh mesh = marching_cubes::weld(surface.triangles());
  if (options.isChecked) {
    if (const auto leak = marching_cubes::findLeak(mesh))
      throw CheckFailure("check failed: the surface is not closed, " + *leak);
  }
  if (options.has("out")) marching_cubes::write(mesh, options.value("out", ""));
}

void run(const std::vector<std::string>& arguments) {
  RunOptions options = parseOptions(kProgram, arguments);
  if (answers(kProgram, options, std::cout)) return;
  if (options.has("out")) {
    marching_cubes::requireMeshFile(options.value("out", ""));
    requireWritable(options.value("out", ""));
  }
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  const OpenedDevice on = openDevice(options.device);
  const marching_cubes::Grid grid{static_cast<std::size_t>(options.problem[0]),
                                  static_cast<std::size_t>(options.problem[1]),
                                  static_cast<std::size_t>(options.problem[2])};
  marching_cubes::requireFits(on.device, grid, options.isChecked);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  opencl::TunedProgram program(runtime, marching_cubes::kernelSource(), "marching_cubes", options.tuning);
  const marching_cubes::Space space(program, runtime.facts(), scan::whyNoLookBack(on.device, runtime.facts()),
                                    options.value("space", "narrow") == "wide");
  restrictCandidates(options.restrictions, program);
  program.build();

  const std::vector<float> samples = marching_cubes::sampleField(options.value("field", kDefaultField), grid);
  marching_cubes::Surface surface(on, grid, samples);
  const std::vector<NamedSize> problem = surface.problem();

  TunedWork work;
  work.launch = [&] {
    return measured(program, problem, [&] { return surface.extract(program, space.configuration(program)); });
  };
  work.report = [&] { return program.report(problem); };
  work.settle = [&] {
    program.settle();
    runtime.waitUntilIdle();
  };
  work.launch();  // how many triangles there are is known after the first extraction
  surface.makeRoom();
  std::optional<SurfaceCheck> check;
  if (options.isChecked) {
    check.emplace(on, surface, marching_cubes::referenceTriangles(grid, samples, marching_cubes::makeTriangleTable()));
    work.prepare = [&] { check->clear(); };
    work.check = [&](std::uint64_t launch) { check->verify(launch); };
  }
  const RunFigures figures = runLaunches(work, {options.launches, options.seconds, options.endsSettled}, console);
  finish(surface, options);

  Summary summary = summarise(kProgram, options, on, figures);
  const std::size_t triangles = surface.triangleCount();
  summary.own = {{"triangles", std::to_string(triangles), static_cast<double>(triangles)}};
  publish(summary, options, std::cout);
}

}  // namespace
}  // namespace hone::apps

int main(int argc, char** argv) {
  return hone::apps::runProgram("marching_cubes", std::cerr, [&] { hone::apps::run({argv + 1, argv + argc}); });
}
