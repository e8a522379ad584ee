#include "support/virtual_device/models/recorded_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "support/temporary_file.h"
#include "support/test_data.h"
#include "support/virtual_device/models/noise.h"

namespace hone::test {
namespace {

using Failure = RecordedRow::Failure;

std::shared_ptr<const RecordedSpace> tinySpace() {
  const TemporaryFile file(
      "WG,UNROLL,time_ms,error,compile_ms,bench_ms,samples_ms\n"
      "16,1,3,,,,3.5;3;2.5\n"
      "16,2,1,,,,\n"
      "32,1,,compile,,,\n"
      "32,2,,runtime,,,\n");
  return std::make_shared<const RecordedSpace>(file.path());
}

VirtualLaunch launchOf(std::int64_t workGroup, std::int64_t unroll, std::uint64_t numberInProgram = 0) {
  VirtualLaunch launch;
  launch.kernel = "tiny";
  launch.macros = {{"UNROLL", unroll}, {"WG", workGroup}, {"WIDTH", 4096}};
  launch.numberInProgram = numberInProgram;
  return launch;
}

TEST(RecordedModel, TakesTheRowsTime) {
  ComposedModel model = recorded(tinySpace());
  EXPECT_EQ(model.durationNs(launchOf(16, 1)), 3e6);
  EXPECT_EQ(model.durationNs(launchOf(16, 1, 1)), 3e6);
  EXPECT_EQ(model.durationNs(launchOf(16, 2)), 1e6);
}

TEST(RecordedModel, ReplaysSamplesInTheirOrderAgainAndAgain) {
  ComposedModel model = recorded(tinySpace(), Replay::samples);
  const std::vector<double> expected{3.5e6, 3e6, 2.5e6, 3.5e6, 3e6};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(model.durationNs(launchOf(16, 1, i)), expected[i]);
  EXPECT_EQ(model.durationNs(launchOf(16, 2, 5)), 1e6);  // without samples: its time
}

TEST(RecordedModel, ComposesWithNoise) {
  ComposedModel model = recorded(tinySpace()).with(coldStart(10, 2));
  EXPECT_EQ(model.durationNs(launchOf(16, 2)), 2e6);
}

TEST(RecordedModel, KnowsWhatFailedAndHow) {
  const auto space = tinySpace();
  const auto failsToCompile = failsIn(space, Failure::compile), failsToRun = failsIn(space, Failure::runtime);
  EXPECT_TRUE(failsToCompile(launchOf(32, 1).macros, 1));
  EXPECT_FALSE(failsToCompile(launchOf(32, 2).macros, 1));
  EXPECT_FALSE(failsToCompile(launchOf(16, 1).macros, 1));
  EXPECT_TRUE(failsToRun(launchOf(32, 2).macros, 1));
  EXPECT_FALSE(failsToRun(launchOf(32, 1).macros, 1));
  EXPECT_FALSE(failsToRun(launchOf(16, 1).macros, 1));
  EXPECT_THROW(failsToRun({{"WG", 16}}, 1), std::out_of_range);
}

TEST(RecordedModel, RefusesLaunchesThatCannotBe) {
  ComposedModel model = recorded(tinySpace());
  EXPECT_THROW(model.durationNs(launchOf(32, 1)), std::out_of_range);  // it failed
  EXPECT_THROW(model.durationNs(launchOf(16, 3)), std::out_of_range);  // it does not exist
  EXPECT_THROW(model.durationNs({}), std::out_of_range);               // no macros
}

TEST(RecordedNoise, GivesEachConfigurationTheSamplesOfSomeRow) {
  // Relative to their medians: 1.5 1 0.5, and 0.75 1.25; the third row has none.
  const TemporaryFile file("N,time_ms,error,compile_ms,bench_ms,samples_ms\n1,2,,,,3;2;1\n2,4,,,,3;5\n3,1,,,,\n");
  const RecordedSpace space(file.path());
  const std::vector<double> first{1.5, 1, 0.5, 1.5, 1, 0.5}, second{0.75, 1.25, 0.75, 1.25, 0.75, 1.25};
  int firsts = 0;
  for (std::int64_t workGroup = 0; workGroup < 1000; ++workGroup) {
    ComposedModel model = lasting(std::chrono::nanoseconds(100)).with(recordedNoise(space, 7));
    std::vector<double> factors;
    for (std::uint64_t i = 0; i < 6; ++i) factors.push_back(model.durationNs(launchOf(workGroup, 1, i)) / 100);
    firsts += factors == first;
    ASSERT_TRUE(factors == first || factors == second) << workGroup;
  }
  EXPECT_NEAR(firsts, 500, 64);  // four standard deviations of a fair coin
}

TEST(RecordedNoise, RefusesASpaceWithoutSamples) {
  EXPECT_THROW(recordedNoise(*recordedSpace("coulomb3d_rtx2080ti"), 1), std::invalid_argument);
}

TEST(RecordedModel, ReplaysTheDataOfTheTests) {
  // Some lines of the files, as they stand there.
  ComposedModel coulomb = recorded(recordedSpace("coulomb3d_rtx2080ti"), Replay::samples);
  VirtualLaunch launch;
  launch.macros = {{"WORK_GROUP_SIZE_X", 32},
                   {"WORK_GROUP_SIZE_Y", 4},
                   {"INNER_UNROLL_FACTOR", 8},
                   {"Z_ITERATIONS", 32},
                   {"USE_SOA", 0}};
  EXPECT_DOUBLE_EQ(coulomb.durationNs(launch), 2.42851e6);

  ComposedModel polygon = recorded(recordedSpace("pnpoly_rtx3090"), Replay::samples);
  launch.macros = {{"between_method", 0}, {"block_size_x", 32}, {"tile_size", 1}, {"use_method", 0}};
  for (double expected : {43.2937e6, 43.2863e6, 43.604e6}) {
    EXPECT_DOUBLE_EQ(polygon.durationNs(launch), expected);
    ++launch.numberInProgram;
  }

  const auto convolution = recordedSpace("conv15old_rtx3090");
  const std::map<std::string, std::int64_t> notCompiled{{"block_size_x", 8}, {"block_size_y", 32}, {"read_only", 0},
                                                        {"tile_size_x", 4},  {"tile_size_y", 5},   {"use_padding", 1}};
  EXPECT_TRUE(failsIn(convolution, Failure::compile)(notCompiled, 1));
}

/// Rows, and those that failed to compile and to run, as test/data/README.md and the data's authors have them.
struct ExpectedSpace {
  const char* name;
  std::size_t rows, notCompiled, notRun;
  double optimumMs;
};

class SpacesOfTheTests : public testing::TestWithParam<ExpectedSpace> {};

TEST_P(SpacesOfTheTests, AreThoseOfTheTable) {
  const ExpectedSpace& expected = GetParam();
  const auto space = recordedSpace(expected.name);
  EXPECT_EQ(space->rows().size(), expected.rows);
  const auto failed = [&](Failure kind) {
    const auto isOfKind = [&](const RecordedRow& row) { return row.failure == kind; };
    return static_cast<std::size_t>(std::count_if(space->rows().begin(), space->rows().end(), isOfKind));
  };
  EXPECT_EQ(failed(Failure::compile), expected.notCompiled);
  EXPECT_EQ(failed(Failure::runtime), expected.notRun);
  EXPECT_NEAR(*space->best().timeNs, expected.optimumMs * 1e6, 0.0005 * expected.optimumMs * 1e6);
  const SearchSpace searched = space->searchSpace(space->typical());
  EXPECT_TRUE(searched.isCounted());
  EXPECT_EQ(searched.size(), expected.rows);
}

INSTANTIATE_TEST_SUITE_P(Data, SpacesOfTheTests,
                         testing::Values(ExpectedSpace{"coulomb3d_rtx2080ti", 210, 0, 0, 0.7697},
                                         ExpectedSpace{"pnpoly_rtx3090", 4092, 0, 318, 8.733},
                                         ExpectedSpace{"conv15old_rtx3090", 6768, 1426, 122, 0.5222},
                                         ExpectedSpace{"conv15_w6600", 4362, 0, 0, 1.462}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace hone::test
