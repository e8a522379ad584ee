#include "marching_cubes/application.h"

#include <optional>
#include <string>

#include "errors.h"
#include "json_file.h"
#include "launch_check.h"
#include "marching_cubes/grid.h"
#include "marching_cubes/mesh.h"
#include "marching_cubes/space.h"
#include "marching_cubes/surface.h"
#include "section.h"
#include "summary.h"

namespace hone::apps::marching_cubes {

namespace {

constexpr const char* kDefaultField = "gyroid";

const Program kProgram{
    "marching_cubes",
    "tunes the extraction of a scalar field's surface from a grid of X x Y x Z cells",
    {"X", "Y", "Z"},
    {256, 256, 256},
    {{"field", "NAME", "blobs, gyroid, sphere or torus (default: gyroid)", fieldNames()},
     {"out", "FILE", "write the surface to FILE, which ends with .obj or .ply"},
     {"space", "NAME", "narrow, or wide with more parameters (default: narrow)", {"narrow", "wide"}}}};

/// Every launch's triangles against the host's.
class SurfaceCheck {
 public:
  SurfaceCheck(const OpenedDevice& on, const Surface& surface, std::vector<float> expected)
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
  const Surface& surface_;
  std::size_t count_;
  LaunchCheck vertices_;
};

class Extraction final : public Workload {
 public:
  Extraction(const Setup& setup, const Grid& grid)
      : on_(setup.on),
        runtime_(setup.runtime),
        grid_(grid),
        isWide_(setup.options.value("space", "narrow") == "wide"),
        isChecked_(setup.options.isChecked),
        out_(setup.options.value("out", "")),
        samples_(sampleField(setup.options.value("field", kDefaultField), grid)),
        surface_(on_, grid, samples_) {}

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto program = std::make_shared<opencl::TunedProgram>(runtime_, kernelSource(), "marching_cubes", options);
    const Space space(*program, runtime_.facts(), scan::whyNoLookBack(on_.device, runtime_.facts()), isWide_);
    restrictCandidates(restrictions, *program);
    program->build();

    TunedWork work;
    work.problem = {static_cast<std::int64_t>(grid_.x), static_cast<std::int64_t>(grid_.y),
                    static_cast<std::int64_t>(grid_.z)};
    work.launch = [this, program, space, problem = surface_.problem()] {
      return measured(*program, problem, [&] { return surface_.extract(*program, space.configuration(*program)); });
    };
    work.report = [program, problem = surface_.problem()] { return program->report(problem); };
    work.settle = settling(program, runtime_);
    work.launch();  // how many triangles there are is known after the first extraction
    const bool hasMoved = surface_.makeRoom();
    if (isChecked_) {
      if (hasMoved || !check_) check_.emplace(on_, surface_, referenceTriangles(grid_, samples_, makeTriangleTable()));
      work.prepare = [this] { check_->clear(); };
      work.check = [this](std::uint64_t launch) { check_->verify(launch); };
    }
    work.complete = [this](Summary& summary) { complete(summary); };
    return {work};
  }

 private:
  // Of the last launch.
  void complete(Summary& summary) {
    const Mesh mesh = weld(surface_.triangles());
    if (isChecked_) {
      if (const auto leak = findLeak(mesh)) throw CheckFailure("check failed: the surface is not closed, " + *leak);
    }
    if (!out_.empty()) write(mesh, out_);
    const std::size_t triangles = surface_.triangleCount();
    summary.own = {{"triangles", std::to_string(triangles), static_cast<double>(triangles)}};
  }

  const OpenedDevice& on_;
  opencl::Runtime& runtime_;
  Grid grid_;
  bool isWide_, isChecked_;
  std::string out_;  // empty: the surface is not written
  std::vector<float> samples_;
  Surface surface_;
  std::optional<SurfaceCheck> check_;
};

void validate(const RunOptions& options) {
  if (!options.has("out")) return;
  requireMeshFile(options.value("out", ""));
  requireWritable(options.value("out", ""));
}

std::unique_ptr<Workload> open(const Setup& setup) {
  const std::vector<std::int64_t>& sizes = setup.options.problem;
  const Grid grid{static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]),
                  static_cast<std::size_t>(sizes[2])};
  requireFits(setup.on.device, grid, setup.options.isChecked);
  return std::make_unique<Extraction>(setup, grid);
}

}  // namespace

Application application() { return {kProgram, open, validate}; }

}  // namespace hone::apps::marching_cubes
