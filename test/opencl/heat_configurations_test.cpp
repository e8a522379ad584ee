// heat.cl in configurations drawn from its spaces, for CPUs and for GPUs, in two and in three dimensions, each on grids
// around its tiles, against plain loops on the host; refinement; and that a checkpoint goes on as if nothing had been.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "device.h"
#include "errors.h"
#include "format.h"
#include "heat/checkpoint.h"
#include "heat/diffusion.h"
#include "heat/section_check.h"
#include "heat/simulation.h"
#include "opencl/program_configurations.h"
#include "problem_size.h"
#include "random_data.h"
#include "section.h"
#include "support/temporary_file.h"

namespace hone::apps::heat {
namespace {

ConfigurationSettings settings;  // set by main()

// Every cell differs from its neighbours, so that no mistake goes unseen.
Field rough(const Grid& grid) {
  Field field = randomFloats(grid.size(), 1);
  for (float& temperature : field) temperature = (temperature + 1) / 2;
  return field;
}

/// One configuration's program, on one device.
struct Bench {
  Bench(opencl::Runtime& runtime, opencl::DeviceType type, int gridDimensions, Options options)
      : dimensions(gridDimensions),
        program(runtime, kernelSource(), "heat", std::move(options)),
        space(program, ofType(runtime.facts(), type), dimensions) {}

  /// Any device runs the configurations of both.
  static opencl::DeviceFacts ofType(opencl::DeviceFacts facts, opencl::DeviceType type) {
    facts.type = type;
    facts.preferredWorkGroupMultiple = 32;
    return facts;
  }

  void advance(Simulation& simulation) {
    program.startMeasurement(kProblem);
    const Launched section = simulation.section(program, space.configuration(program));
    program.stopMeasurement(section.elapsed());
    section.wait();
  }

  static inline const std::vector<NamedSize> kProblem{{"X", 1}};  // any: it is in no macro and no constraint
  int dimensions;
  opencl::TunedProgram program;
  Space space;
};

Field advancedByReference(const Grid& grid, Field field, std::int64_t steps) {
  Field next = field;
  for (std::int64_t step = 0; step < steps; ++step) {
    referenceStep(grid, field, next);
    field.swap(next);
  }
  return field;
}

/// To the bit: all configurations round alike, and as the host does.
void expectRightSections(const OpenedDevice& on, Bench& bench, const Grid& grid) {
  SCOPED_TRACE(problemText(problemOf(grid)));
  const Field begin = rough(grid);
  Simulation simulation(on, grid, begin);
  SectionCheck check(simulation);
  for (std::uint64_t section = 1; section <= 2; ++section) {
    check.before();
    bench.advance(simulation);
    check.after(section);
  }
  EXPECT_EQ(simulation.field(), advancedByReference(grid, begin, 2 * kSectionSteps));
}

std::vector<Grid> gridsOf(int dimensions) {
  if (dimensions == 2) return {gridOf({1, 1}), gridOf({67, 45}), gridOf({1, 70}), gridOf({16, 16}), gridOf({523, 131})};
  return {gridOf({1, 1, 1}), gridOf({19, 23, 17}), gridOf({16, 16, 1}), gridOf({70, 35, 41})};
}

void expectEveryConfigurationIsRight(opencl::DeviceType type, int dimensions, std::int64_t local) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench declared(runtime, type, dimensions, {});
  declared.program.restrictTo("LOCAL", {local});
  ConfigurationSettings quarter = settings;  // two devices, two numbers of dimensions
  quarter.count = (settings.count + 3) / 4;
  for (const NamedConfiguration& configuration : drawConfigurations(declared.program, quarter)) {
    SCOPED_TRACE(configurationText(configuration));
    try {
      Bench bench(runtime, type, dimensions, pinned(configuration));
      for (const Grid& grid : gridsOf(dimensions)) {
        if (grid.size() <= settings.longest) expectRightSections(on, bench, grid);
      }
      EXPECT_EQ(bench.program.report(Bench::kProblem).best, configuration);  // this one ran
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

constexpr auto kCpu = opencl::DeviceType::cpu, kGpu = opencl::DeviceType::gpu;

TEST(Heat, EveryConfigurationInLocalMemoryIsRight) {
  for (const int dimensions : {2, 3}) {
    expectEveryConfigurationIsRight(kCpu, dimensions, 1);
    expectEveryConfigurationIsRight(kGpu, dimensions, 1);
  }
}

TEST(Heat, EveryConfigurationWithoutItIsRight) {
  for (const int dimensions : {2, 3}) {
    expectEveryConfigurationIsRight(kCpu, dimensions, 0);
    expectEveryConfigurationIsRight(kGpu, dimensions, 0);
  }
}

TEST(Heat, EveryNumberOfFusedStepsIsRight) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  for (const std::int64_t fuse : {1, 2, 3, 4, 6, 12}) {
    SCOPED_TRACE(fuse);
    Bench bench(
        runtime, kGpu, 2,
        pinned({{"BLOCK_X", 16}, {"BLOCK_Y", 8}, {"TILE_X", 64}, {"TILE_Y", 64}, {"LOCAL", 1}, {"FUSE", fuse}}));
    expectRightSections(on, bench, gridOf({50, 41}));
  }
}

// What the device's other tests cannot show: half of the steps, a cell that is left out, a write behind the end.
TEST(Heat, ASectionThatIsNoneIsFound) {
  const OpenedDevice on = openDevice(settings.device);
  const Grid grid = gridOf({5, 4});
  Simulation simulation(on, grid, rough(grid));
  SectionCheck check(simulation);
  check.before();
  try {
    check.after(7);
    FAIL() << "nothing was found";
  } catch (const CheckFailure& failure) {
    const std::string text = failure.what();
    EXPECT_EQ(text.find("check failed at launch 7: 20 of 42 elements are wrong"), 0u) << text;
    EXPECT_NE(text.find("(x = "), std::string::npos) << text;
  }
}

TEST(Heat, ARefinedGridIsLinearBetweenTheCells) {
  const OpenedDevice on = openDevice(settings.device);
  // Places 0 .. 4 along x, 0 .. 2 along y; on 7 x 3 cells each second place is an old one.
  const Grid coarse = gridOf({3, 1}), fine = gridOf({7, 3});
  Field field(coarse.size());
  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t x = 0; x < 5; ++x) field[coarse.at(x, y, 0)] = static_cast<float>(x * x + 100 * y);
  }
  Simulation simulation(on, coarse, field);
  simulation.refine(fine);
  const Field refined = simulation.field();
  ASSERT_EQ(refined.size(), fine.size());
  for (std::size_t y = 0; y < 5; ++y) {
    const float squares[] = {0, 0.5f, 1, 2.5f, 4, 6.5f, 9, 12.5f, 16};
    for (std::size_t x = 0; x < 9; ++x)
      EXPECT_FLOAT_EQ(refined[fine.at(x, y, 0)], squares[x] + 50 * static_cast<float>(y)) << x << ' ' << y;
  }
}

TEST(Heat, ARefinedGridKeepsWhatIsLinear) {
  const OpenedDevice on = openDevice(settings.device);
  const Grid coarse = gridOf({5, 3, 2}), fine = gridOf({9, 8, 7});
  const auto linear = [](const Grid& grid) {
    const auto [width, height, depth] = grid.stored();
    Field field(grid.size());
    for (std::size_t z = 0; z < depth; ++z) {
      for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
          const auto part = [](std::size_t place, std::size_t places) {
            return static_cast<double>(place) / static_cast<double>(places - 1);
          };
          field[grid.at(x, y, z)] =
              static_cast<float>(0.25 * part(x, width) + 0.5 * part(y, height) - 0.75 * part(z, depth));
        }
      }
    }
    return field;
  };
  Simulation simulation(on, coarse, linear(coarse));
  simulation.refine(fine);
  const Field refined = simulation.field(), expected = linear(fine);
  ASSERT_EQ(refined.size(), expected.size());
  for (std::size_t i = 0; i < refined.size(); ++i) EXPECT_NEAR(refined[i], expected[i], 1e-6) << i;
}

TEST(Heat, TheMiddlePlaneIsTheSlice) {
  const OpenedDevice on = openDevice(settings.device);
  const Grid grid = gridOf({2, 1, 3});  // planes 0 .. 4 of 4 x 3 places
  const Field field = rough(grid);
  EXPECT_EQ(Simulation(on, grid, field).middlePlane(), Field(field.begin() + 24, field.begin() + 36));
}

/// Sections on each of two levels, as works do them.
struct Journey {
  Journey(opencl::Runtime& runtime, const OpenedDevice& on, const RunOptions& options, const std::vector<Grid>& levels,
          const std::optional<Checkpoint>& checkpoint = {})
      : diffusion({options, on, runtime}, levels, checkpoint), works(diffusion.tune(options.tuning, {})) {}

  void advance(std::size_t level, int sections) {
    for (int section = 0; section < sections; ++section) works[level].launch().wait();
  }

  Diffusion diffusion;
  std::vector<TunedWork> works;
};

TEST(Heat, ACheckpointGoesOnAsIfNothingHadBeen) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  RunOptions options;
  options.tuning.mode = Mode::off;
  const std::vector<Grid> levels = levelsUpTo(gridOf({20, 13}), 2);
  const test::TemporaryFile file;
  const std::string path = file.path();

  Journey whole(runtime, on, options, levels);
  whole.advance(0, 3);
  whole.advance(1, 4);

  Journey first(runtime, on, options, levels);
  first.advance(0, 3);
  first.advance(1, 1);
  saveCheckpoint(path, {levels.back(), 2, 1, 1, 48, 0.5, first.diffusion.simulation().field()});
  const std::optional<Checkpoint> checkpoint = loadCheckpoint(path);
  ASSERT_TRUE(checkpoint);
  Journey second(runtime, on, options, levels, checkpoint);
  EXPECT_EQ(second.diffusion.level(), 1u);
  second.advance(1, 3);
  EXPECT_EQ(second.diffusion.simulation().field(), whole.diffusion.simulation().field());
}

TEST(Heat, EachLevelIsAProblemOfItsOwn) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  RunOptions options;
  options.tuning.slowdownBudget = 0;
  Journey journey(runtime, on, options, levelsUpTo(gridOf({10, 10, 10}), 2));
  EXPECT_EQ(journey.works[0].problem, (std::vector<std::int64_t>{8, 8, 8}));
  EXPECT_EQ(journey.works[1].problem, (std::vector<std::int64_t>{10, 10, 10}));
  journey.advance(0, 2);
  journey.advance(1, 3);
  EXPECT_EQ(journey.works[0].report().launches, 2u);
  EXPECT_EQ(journey.works[1].report().launches, 3u);
  EXPECT_EQ(journey.diffusion.simulation().grid(), gridOf({10, 10, 10}));
  journey.advance(0, 1);  // begins anew there
  EXPECT_EQ(journey.diffusion.simulation().grid(), gridOf({8, 8, 8}));
}

}  // namespace
}  // namespace hone::apps::heat

int main(int argc, char** argv) { return hone::apps::runConfigurationTests(argc, argv, hone::apps::heat::settings); }
