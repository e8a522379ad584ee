// What the heat simulation is made of on the host: grids, shares, fields, the physics that they are checked by,
// colours, checkpoints, and the search that learns from grid to grid.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include "errors.h"
#include "heat/application.h"
#include "heat/checkpoint.h"
#include "heat/field.h"
#include "heat/from_grid_to_grid.h"
#include "heat/grid.h"
#include "heat/picture.h"
#include "heat/plan.h"
#include "heat/space.h"
#include "hone/declarations.h"
#include "hone/error.h"
#include "support/temporary_file.h"

namespace hone::apps::heat {
namespace {

TEST(HeatGrid, HasARimWhereThereAreDimensions) {
  const Grid flat = gridOf({3, 2});
  EXPECT_EQ(flat.stored(), (std::array<std::size_t, 3>{5, 4, 1}));
  EXPECT_EQ(flat.size(), 20u);
  EXPECT_EQ(flat.at(4, 3, 0), 19u);
  EXPECT_DOUBLE_EQ(flat.spacing(), 0.25);
  const Grid deep = gridOf({3, 2, 1});
  EXPECT_EQ(deep.stored(), (std::array<std::size_t, 3>{5, 4, 3}));
  EXPECT_EQ(deep.at(1, 2, 1), 31u);
  EXPECT_EQ(problemOf(deep), (std::vector<std::int64_t>{3, 2, 1}));
}

TEST(HeatGrid, LevelsHaveTwiceTheCellsOfTheOneBefore) {
  const auto cells = [](const std::vector<Grid>& levels) {
    std::vector<std::vector<std::int64_t>> problems;
    for (const Grid& level : levels) problems.push_back(problemOf(level));
    return problems;
  };
  using Problems = std::vector<std::vector<std::int64_t>>;
  EXPECT_EQ(cells(levelsUpTo(gridOf({64, 32}), 3)), (Problems{{32, 16}, {45, 23}, {64, 32}}));
  EXPECT_EQ(cells(levelsUpTo(gridOf({100, 10, 1}), 4)), (Problems{{50, 5, 1}, {63, 6, 1}, {79, 8, 1}, {100, 10, 1}}));
}

TEST(HeatPlan, SharesAreInverseToTheCellsAndAddUp) {
  const std::vector<Grid> levels = levelsUpTo(gridOf({64, 64}), 3);  // 1024, 2025 and 4096 cells
  EXPECT_EQ(sectionsOf(levels, 700), (std::vector<std::uint64_t>{399, 201, 100}));
  EXPECT_EQ(sectionsOf(levels, 3), (std::vector<std::uint64_t>{1, 1, 1}));
  EXPECT_EQ(sectionsOf(levels, 4), (std::vector<std::uint64_t>{2, 1, 1}));
  EXPECT_EQ(sectionsOf({levels[0]}, 5), (std::vector<std::uint64_t>{5}));
}

TEST(HeatField, IsBetweenAColdAndAWarmEdge) {
  const Grid grid = gridOf({9, 3});
  const Field field = equilibrium(grid);
  for (std::size_t x = 0; x < 11; ++x) {
    for (std::size_t y = 0; y < 5; ++y) EXPECT_FLOAT_EQ(field[grid.at(x, y, 0)], 0.125f * static_cast<float>(y));
  }
}

TEST(HeatField, SeedsAreInsideTheRim) {
  for (const Grid& grid : {gridOf({1, 1}), gridOf({97, 61}), gridOf({33, 29, 31})}) {
    for (const std::size_t level : {0, 4}) {
      const Field before = equilibrium(grid);
      Field field = before;
      setSeeds(grid, level, field);
      const auto [width, height, depth] = grid.stored();
      std::size_t hot = 0, cold = 0;
      for (std::size_t i = 0; i < field.size(); ++i) {
        const std::size_t x = i % width, y = i / width % height, z = i / width / height;
        const bool isRim = x == 0 || x == width - 1 || y == 0 || y == height - 1 ||
                           (grid.dimensions == 3 && (z == 0 || z == depth - 1));
        if (isRim) {
          EXPECT_EQ(field[i], before[i]) << i;
        } else if (field[i] != before[i]) {
          ++(field[i] == 1 ? hot : cold);
          EXPECT_TRUE(field[i] == 1 || field[i] == 0) << field[i];
        }
      }
      if (grid.cellCount() == 1) continue;
      EXPECT_GT(hot, cold);
      EXPECT_GT(cold, 0u);
    }
  }
}

TEST(HeatField, AStepIsTheSumOfTheNeighboursDifferences) {
  const Grid grid = gridOf({2, 1});
  // A rim of 1, cells of 0 and 0.5: 3 * 1 + 0.5 - 0 and 3 * 1 + 0 - 4 * 0.5, times 0.2.
  Field field(grid.size(), 1.0f);
  field[grid.at(1, 1, 0)] = 0;
  field[grid.at(2, 1, 0)] = 0.5f;
  Field later = field;
  referenceStep(grid, field, later);
  EXPECT_FLOAT_EQ(later[grid.at(1, 1, 0)], 0.7f);
  EXPECT_FLOAT_EQ(later[grid.at(2, 1, 0)], 0.7f);
  EXPECT_EQ(later[0], 1);

  const Grid deep = gridOf({1, 1, 1});
  Field cube(deep.size(), 0.0f);
  cube[deep.at(1, 1, 1)] = 0.5f;
  cube[deep.at(1, 1, 2)] = 1;
  cube[deep.at(0, 1, 1)] = 1;
  Field next = cube;
  referenceStep(deep, cube, next);  // 0.5 + 0.125 * (2 - 6 * 0.5)
  EXPECT_FLOAT_EQ(next[deep.at(1, 1, 1)], 0.375f);
}

TEST(HeatField, Extremes) {
  const Extremes extremes = extremesOf({0.5f, -1, 3, 2});
  EXPECT_EQ(extremes.least, -1);
  EXPECT_EQ(extremes.most, 3);
}

TEST(FirstMode, OfASineDecaysAsTheSineDoes) {
  const Grid grid = gridOf({3, 2});
  const double pi = std::numbers::pi;
  Field field(grid.size());
  for (std::size_t y = 1; y <= 2; ++y) {
    for (std::size_t x = 1; x <= 3; ++x)
      field[grid.at(x, y, 0)] =
          static_cast<float>(std::sin(pi * static_cast<double>(x) / 4) * std::sin(pi * static_cast<double>(y) / 3));
  }
  const FirstMode mode(grid, field);
  // 1 - 0.2 * (4 sin^2(pi/8) + 4 sin^2(pi/6)) = 1 - 0.2 * (2 - sqrt(2) + 1)
  const double factor = 1 - 0.2 * (3 - std::sqrt(2.0));  // in float, 0.2 is 3e-9 more
  EXPECT_NEAR(mode.temperatureAfter(1), factor * mode.temperature(), 1e-8);
  EXPECT_NEAR(mode.temperatureAfter(5), std::pow(factor, 5) * mode.temperature(), 1e-8);
  Field later = field;
  referenceStep(grid, field, later);
  for (std::size_t i = 0; i < field.size(); ++i) EXPECT_NEAR(later[i], factor * field[i], 1e-7);
}

TEST(FirstMode, OfAnyFieldIsKnownWhateverTheRim) {
  for (const Grid& grid : {gridOf({23, 14}), gridOf({7, 12, 9}), gridOf({1, 1})}) {
    Field field = equilibrium(grid);
    setSeeds(grid, 0, field);
    const FirstMode before(grid, field);
    Field next = field;
    for (int step = 0; step < 50; ++step) {
      referenceStep(grid, field, next);
      field.swap(next);
    }
    const double now = FirstMode(grid, field).temperature();
    EXPECT_NEAR(now, before.temperatureAfter(50), 1e-6);
    if (grid.cellCount() == 1) continue;                           // long since at rest
    EXPECT_GT(std::abs(now - before.temperatureAfter(49)), 1e-5);  // a step less is noticed
  }
}

TEST(FirstMode, OfAnEvenPlateIsItsTemperature) {
  const Grid grid = gridOf({5, 4});
  EXPECT_NEAR(FirstMode(grid, Field(grid.size(), 0.75f)).temperature(), 0.75, 1e-12);
  EXPECT_NEAR(FirstMode(grid, Field(grid.size(), 0.75f)).temperatureAfter(1000), 0.75, 1e-12);
}

TEST(HeatColours, GrowBrighterFromBlackToLightYellow) {
  const auto luminance = [](const Colour& colour) {
    const auto light = [](std::uint8_t stored) {
      const double part = stored / 255.0;
      return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * light(colour[0]) + 0.7152 * light(colour[1]) + 0.0722 * light(colour[2]);
  };
  EXPECT_EQ(colourOf(0), (Colour{0, 0, 0}));
  EXPECT_EQ(colourOf(1), (Colour{255, 248, 208}));
  EXPECT_EQ(colourOf(-1), colourOf(0));
  EXPECT_EQ(colourOf(std::nanf("")), colourOf(0));
  EXPECT_EQ(colourOf(INFINITY), colourOf(1));
  EXPECT_EQ(colourOf(1.0f / 14), (Colour{23, 10, 42}));  // half of the way to the first of seven steps
  for (int step = 0; step < 64; ++step) {
    EXPECT_LT(luminance(colourOf(static_cast<float>(step) / 64)),
              luminance(colourOf(static_cast<float>(step + 1) / 64)))
        << step;
  }
}

TEST(HeatPicture, HasThePixelsOfTheFinestGridUpToASize) {
  const auto size = [](const std::vector<std::int64_t>& problem) {
    const PictureSize picture = pictureSizeOf(gridOf(problem));
    return std::pair(picture.width, picture.height);
  };
  EXPECT_EQ(size({300, 200}), std::pair(std::size_t{300}, std::size_t{200}));
  EXPECT_EQ(size({4096, 2048, 5}), std::pair(std::size_t{1024}, std::size_t{512}));
  EXPECT_EQ(size({1, 1000000}), std::pair(std::size_t{1}, std::size_t{1024}));
}

TEST(HeatPicture, TakesTheNearestPlaces) {
  // 2 x 2 pixels of 4 x 4 places: those at 1 and 3.
  Field plane(16, 0.0f);
  plane[1 * 4 + 3] = 1;
  const ColourImage image = picture(plane, 4, 4, {2, 2});
  EXPECT_EQ(image.width, 2u);
  EXPECT_EQ(image.height, 2u);
  EXPECT_EQ(image.pixels, (std::vector<Colour>{colourOf(0), colourOf(1), colourOf(0), colourOf(0)}));
}

class HeatCheckpoint : public testing::Test {
 protected:
  static Checkpoint some() {
    Checkpoint checkpoint{gridOf({8, 6}), 3, 1, 17, 12345, 0.25, {}};
    for (std::size_t i = 0; i < levelsUpTo(checkpoint.finest, 3)[1].size(); ++i)
      checkpoint.field.push_back(static_cast<float>(i) / 7);
    return checkpoint;
  }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  std::string complaint() const {
    try {
      loadCheckpoint(path_);
    } catch (const InputError& error) {
      const std::string text = error.what(), prefix = "--checkpoint '" + path_ + "': ";
      EXPECT_EQ(text.find(prefix), 0u) << text;
      return text.substr(prefix.size());
    }
    return "";
  }

  test::TemporaryFile file_;
  const std::string path_ = file_.path();
};

TEST_F(HeatCheckpoint, ComesBackAsItWas) {
  EXPECT_FALSE(loadCheckpoint(path_));
  const Checkpoint saved = some();
  for (int time = 0; time < 2; ++time) {  // the second time over the first
    saveCheckpoint(path_, saved);
    const std::optional<Checkpoint> loaded = loadCheckpoint(path_);
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->finest, saved.finest);
    EXPECT_EQ(loaded->levels, 3u);
    EXPECT_EQ(loaded->level, 1u);
    EXPECT_EQ(loaded->sections, 17u);
    EXPECT_EQ(loaded->steps, 12345u);
    EXPECT_EQ(loaded->time, 0.25);
    EXPECT_EQ(loaded->field, saved.field);
  }
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(HeatCheckpoint, EveryDamageIsFound) {
  saveCheckpoint(path_, some());
  const std::string whole = bytes();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    flipped[i] ^= 0x10;
    write(flipped);
    EXPECT_NE(complaint(), "") << "byte " << i;
    write(whole.substr(0, i));
    EXPECT_NE(complaint(), "") << i << " bytes";
  }
  write(whole + 'x');
  EXPECT_EQ(complaint(), "is damaged: it is not as long as it should be");
}

TEST_F(HeatCheckpoint, SaysWhatIsWrong) {
  write("some text");
  EXPECT_EQ(complaint(), "is no checkpoint of heat");
  write("");
  EXPECT_EQ(complaint(), "is no checkpoint of heat");
  saveCheckpoint(path_, some());
  const std::string whole = bytes();
  const auto changed = [&](std::size_t at, char to) {
    std::string copy = whole;
    copy[at] = to;
    return copy;
  };
  write(changed(8, 2));
  EXPECT_EQ(complaint(), "is of version 2, this program reads 1");
  write(changed(12, 4));  // dimensions
  EXPECT_EQ(complaint(), "is damaged: no simulation has such sizes");
  write(changed(whole.size() - 20, 'x'));  // a temperature
  EXPECT_EQ(complaint(), "is damaged: its checksum is wrong");
  write(whole.substr(0, 20));
  EXPECT_EQ(complaint(), "is damaged: it ends too early");
}

TEST_F(HeatCheckpoint, WhereNothingCanBeWrittenSaysSo) {
  for (const auto& attempt : {std::function<void()>([] { saveCheckpoint("/nowhere/x", some()); }),
                              std::function<void()>([] { requireCheckpointWritable("/nowhere/x"); })}) {
    try {
      attempt();
      ADD_FAILURE() << "it was written";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()), "--checkpoint '/nowhere/x': cannot write: No such file or directory");
    }
  }
  requireCheckpointWritable(path_);
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST(HeatApplication, DimensionsAreKnownBeforeTheOtherOptions) {
  EXPECT_EQ(dimensionsIn({"--seconds", "3"}), 2);
  EXPECT_EQ(dimensionsIn({"--dimensions", "3", "--check"}), 3);
  EXPECT_EQ(dimensionsIn({"--check", "--dimensions=3"}), 3);
  EXPECT_EQ(dimensionsIn({"--dimensions", "2"}), 2);
  EXPECT_EQ(dimensionsIn({"--dimensions"}), 2);
  EXPECT_EQ(application(3).program.problemNames, (std::vector<std::string>{"X", "Y", "Z"}));
  EXPECT_EQ(application().program.defaultProblem.size(), 2u);
}

TEST(HeatSpace, LaunchSizesFollowFromTheConfiguration) {
  const Configuration standard;
  EXPECT_EQ(launchSizes(standard, 2).inside, (std::array<std::size_t, 3>{16, 16, 1}));
  EXPECT_EQ(launchSizes(standard, 2).local, (std::array<std::size_t, 3>{16, 16, 1}));
  const Configuration fused{8, 4, 2, 64, 32, 16, 1, 3};
  EXPECT_EQ(launchSizes(fused, 2).inside, (std::array<std::size_t, 3>{58, 26, 16}));
  EXPECT_EQ(launchSizes(fused, 3).inside, (std::array<std::size_t, 3>{58, 26, 10}));
  for (const std::int64_t fuse : {1, 2, 3, 4, 6, 12}) EXPECT_EQ(kSectionSteps % fuse, 0);
}

/// A space of 100 configurations; of rank 0 is the default.
class FromGridToGridTest : public testing::Test {
 protected:
  FromGridToGridTest() {
    declarations_.addParameter("A", range(0, 99), 0);
    space_.emplace(declarations_);
  }

  struct SpaceDeclarations : Declarations {
    SpaceDeclarations() : Declarations("test") {}
  };
  static Evidence evidence(const std::vector<Trial>& trials) {
    Evidence evidence;
    for (const Trial& trial : trials) evidence.add(trial);
    return evidence;
  }

  SpaceDeclarations declarations_;
  std::optional<SearchSpace> space_;
};

TEST_F(FromGridToGridTest, TriesFirstWhatBeatTheDefaultBefore) {
  const auto make = fromGridToGrid("exhaustive", {2, 40, 8});
  const auto first = make(1), exhaustive = makeStrategy("exhaustive", 1);
  const Evidence none = evidence({});
  EXPECT_EQ(first->propose(*space_, none, 3).candidates, exhaustive->propose(*space_, none, 3).candidates);
  first->propose(*space_, evidence({{0, 1.0}, {7, 0.5}, {8, {}}, {9, 1.5}, {4, 0.7}, {5, 0.6}}), 1);

  const auto second = make(2);
  const Evidence start = evidence({{0, 1.0}});
  const std::vector<Rank> proposed = second->propose(*space_, start, 4).candidates;
  ASSERT_EQ(proposed.size(), 4u);
  EXPECT_EQ(proposed[0], 7u);  // the best, then the second, then the strategy's own
  EXPECT_EQ(proposed[1], 5u);
  EXPECT_EQ(second->propose(*space_, start, 2).candidates, (std::vector<Rank>{7, 5}));  // a longer list begins alike
  const Proposal next = second->propose(*space_, evidence({{0, 1.0}, {7, 0.9}}), 1);
  EXPECT_EQ(next.candidates, (std::vector<Rank>{5}));
  EXPECT_FALSE(next.isConverged);
  const auto third = make(3);
  EXPECT_EQ(third->propose(*space_, start, 1).candidates, (std::vector<Rank>{7}));
}

TEST_F(FromGridToGridTest, ProposesNothingTwice) {
  const auto make = fromGridToGrid("exhaustive", {2, 40, 8});
  const auto first = make(1);
  const std::vector<Rank> all = first->propose(*space_, evidence({}), 3).candidates;
  first->propose(*space_, evidence({{all[1], 0.5}}), 1);
  std::vector<Rank> proposed = make(2)->propose(*space_, evidence({}), 3).candidates;
  EXPECT_EQ(proposed.front(), all[1]);
  std::sort(proposed.begin(), proposed.end());
  EXPECT_EQ(std::unique(proposed.begin(), proposed.end()), proposed.end());
}

TEST(FromGridToGrid, IsLessPatientLater) {
  const auto make = fromGridToGrid("random", {4, 12, 5});
  EXPECT_EQ(make(1)->patience(), 12u);
  EXPECT_EQ(make(2)->patience(), 5u);
  EXPECT_EQ(fromGridToGrid("auto", {4, 12, 5})(1)->patience(), 12u);
  const auto exhaustive = fromGridToGrid("exhaustive", {4, 12, 5});
  EXPECT_EQ(exhaustive(1)->patience(), makeStrategy("exhaustive", 1)->patience());
  EXPECT_THROW(fromGridToGrid("astrology", {}), UsageError);
}

}  // namespace
}  // namespace hone::apps::heat
