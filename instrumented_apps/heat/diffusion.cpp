#include "heat/diffusion.h"

#include <algorithm>
#include <utility>

#include "errors.h"
#include "heat/from_grid_to_grid.h"
#include "parse_number.h"
#include "section.h"
#include "summary.h"

namespace hone::apps::heat {

namespace {

constexpr std::size_t kLevels = 5;

// On CPUs, where a section of as many cells would take minutes.
std::vector<std::int64_t> defaultOnCpu(int dimensions) {
  return dimensions == 2 ? std::vector<std::int64_t>{4096, 4096} : std::vector<std::int64_t>{256, 256, 256};
}

// None of the grids compiles anew what one before has compiled.
constexpr std::size_t kVariants = 64;

// Where compilers and launches share the cores, a candidate takes seconds, of which a grid has few.
FromGridToGrid onCpu() {
  FromGridToGrid rule;
  rule.patienceFirst = 8;
  rule.patienceLater = 6;
  return rule;
}

std::size_t levelCount(const RunOptions& options) {
  if (!options.has("levels")) return kLevels;
  const std::string text = options.value("levels", "");
  const auto count = parseNumber<std::size_t>(text);
  if (!count || *count < 1 || *count > kMaximumLevels) {
    throw InputError("--levels '" + text + "': expected a whole number from 1 to " + std::to_string(kMaximumLevels));
  }
  return *count;
}

std::vector<NamedSize> sizesOf(const Grid& grid) {
  std::vector<NamedSize> sizes{{"X", grid.cells[0]}, {"Y", grid.cells[1]}};
  if (grid.dimensions == 3) sizes.push_back({"Z", grid.cells[2]});
  return sizes;
}

Field beginningOn(const Grid& grid, std::size_t level) {
  Field field = equilibrium(grid);
  setSeeds(grid, level, field);
  return field;
}

const std::vector<Grid>& checkedForMemory(const Setup& setup, const std::vector<Grid>& levels) {
  requireMemory(setup.on.device, levels, setup.options.isChecked);
  return levels;
}

}  // namespace

std::vector<Grid> levelsFor(const RunOptions& options, const cl::Device& device, int dimensions) {
  const std::size_t count = levelCount(options);
  const bool isCpu = device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU;
  return levelsUpTo(gridOf(options.isDefaultProblem && isCpu ? defaultOnCpu(dimensions) : options.problem), count);
}

Diffusion::Diffusion(const Setup& setup, std::vector<Grid> levels, const std::optional<Checkpoint>& checkpoint)
    : runtime_(setup.runtime),
      levels_(checkedForMemory(setup, levels)),
      level_(checkpoint ? checkpoint->level : 0),
      simulation_(setup.on, levels_[level_], checkpoint ? checkpoint->field : beginningOn(levels_[0], 0)) {
  if (setup.options.isChecked) check_.emplace(simulation_);
}

void Diffusion::goTo(std::size_t level) {
  if (level == level_) return;
  const Grid& grid = levels_[level];
  if (level > level_) {
    simulation_.refine(grid);
    Field field = simulation_.field();
    setSeeds(grid, level, field);
    simulation_.reset(grid, field);
  } else {
    simulation_.reset(grid, beginningOn(grid, level));
  }
  level_ = level;
}

std::vector<TunedWork> Diffusion::tune(const hone::Options& options, const std::vector<Restriction>& restrictions) {
  const bool isCpu = runtime_.facts().type == opencl::DeviceType::cpu;
  hone::Options tuning = options;
  tuning.maxVariants = std::max(tuning.maxVariants, kVariants);
  if (!tuning.makeStrategy && levels_.size() > 1)
    tuning.makeStrategy = fromGridToGrid(tuning.strategy, isCpu ? onCpu() : FromGridToGrid());
  const auto program = std::make_shared<opencl::TunedProgram>(runtime_, kernelSource(), "heat", tuning);
  const Space space(*program, runtime_.facts(), levels_.back().dimensions);
  restrictCandidates(restrictions, *program);
  program->build();

  std::vector<TunedWork> works;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const Grid& grid = levels_[level];
    TunedWork work;
    work.problem = problemOf(grid);
    work.launch = [this, program, space, level, sizes = sizesOf(grid)] {
      goTo(level);
      return measured(*program, sizes, [&] { return simulation_.section(*program, space.configuration(*program)); });
    };
    work.report = [program, sizes = sizesOf(grid)] { return program->report(sizes); };
    work.settle = settling(program, runtime_);
    if (check_) {
      work.prepare = [this, level] {
        goTo(level);
        check_->before();
      };
      work.check = [this](std::uint64_t launch) { check_->after(launch); };
    }
    work.complete = [operations = flopOfSection(grid)](Summary& summary) { summary.flopPerLaunch = operations; };
    works.push_back(std::move(work));
  }
  return works;
}

}  // namespace hone::apps::heat
