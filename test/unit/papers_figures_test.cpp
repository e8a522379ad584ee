// What bench/papers computes and writes, apart from devices.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "errors.h"
#include "papers/cross_table.h"
#include "papers/markdown.h"
#include "papers/result_files.h"
#include "papers/trials.h"
#include "support/temporary_file.h"

namespace hone::bench {
namespace {

using test::RecordedSpace;
using test::TemporaryFile;

/// x = 0, 1, ... with these times in ms; an empty one has failed.
std::string tableOf(const std::vector<std::string>& times) {
  std::string text = "x,time_ms,error,compile_ms,bench_ms,samples_ms\n";
  for (std::size_t x = 0; x < times.size(); ++x)
    text += std::to_string(x) + "," + times[x] + "," + (times[x].empty() ? "compile" : "") + ",1,1,\n";
  return text;
}

TEST(PapersTrials, TheDefaultIsNoTrial) {
  EXPECT_EQ(trialsUntilGood({1.0, 0.9}, 1.0), 0u);
  EXPECT_EQ(trialsUntilGood({2.0, 1.5, 1.0, 1.0}, 1.0), 2u);
}

TEST(PapersTrials, ThreePerCentMoreIsGoodEnoughAndNoMore) {
  EXPECT_EQ(trialsUntilGood({2.0, 1.031, 1.029}, 1.0), 2u);
  EXPECT_EQ(trialsUntilGood({2.0, 1.031}, 1.0), std::nullopt);
  EXPECT_EQ(trialsUntilGood({}, 1.0), std::nullopt);
}

TEST(PapersTrials, FailuresCountAsTrials) {
  EXPECT_EQ(trialsUntilGood({2.0, std::nullopt, std::nullopt, 1.0}, 1.0), 3u);
}

TEST(PapersTrials, AReplayBeginsAtTheDefault) {
  const TemporaryFile file(tableOf({"5", "1"}));
  const RecordedSpace space(file.path());
  EXPECT_EQ(replayedTrials(space, space.rows()[1], 1e6, "random", 1, 10), 0u);
  EXPECT_EQ(replayedTrials(space, space.rows()[0], 1e6, "random", 1, 10), 1u);  // there is one other
  EXPECT_EQ(medianReplayedTrials(space, space.rows()[0], 1e6, "nelder-mead", 3), 1u);
}

TEST(PapersTrials, AReplayTriesNothingTwiceAndEndsWithTheSpace) {
  const TemporaryFile file(tableOf({"5", "", "4", "3", "2"}));
  const RecordedSpace space(file.path());
  for (const char* strategy : {"auto", "exhaustive", "nelder-mead", "random"}) {
    const auto trials = replayedTrials(space, space.rows()[0], 2e6, strategy, 1, 10);
    ASSERT_TRUE(trials) << strategy;
    EXPECT_LE(*trials, 4u) << strategy;
    EXPECT_EQ(replayedTrials(space, space.rows()[0], 1e6, strategy, 1, 10), std::nullopt) << strategy;
  }
}

TEST(PapersTrials, AFailureCostsAReplayATrial) {
  const TemporaryFile file(tableOf({"5", "", "1"}));
  const RecordedSpace space(file.path());
  std::set<std::size_t> counts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    counts.insert(replayedTrials(space, space.rows()[0], 1e6, "exhaustive", seed, 10).value());
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 2}));  // before the failure, and after it
}

TEST(PapersTrials, AReplayEndsWithItsLimit) {
  const TemporaryFile file(tableOf({"5", "4", "4", "4", "4", "4", "4", "4", "4", "1"}));
  const RecordedSpace space(file.path());
  // Exhaustive search has no favourites: with nine to try, some seed needs more than four and none more than nine.
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto trials = replayedTrials(space, space.rows()[0], 1e6, "exhaustive", seed, 4);
    found += trials ? 1 : 0;
    EXPECT_LE(trials.value_or(0), 4u);
    EXPECT_TRUE(replayedTrials(space, space.rows()[0], 1e6, "exhaustive", seed, 9)) << seed;
  }
  EXPECT_LT(found, 20u);
}

CrossTimes threeFilters() {
  CrossTimes cross;
  cross.places = {"3x3", "7x7"};
  cross.times = {{1.0, 8.0}, {std::nullopt, 4.0}};
  return cross;
}

TEST(PapersCrossTable, IsRelativeToTheBestOfEachPlace) {
  const CrossTimes cross = threeFilters();
  EXPECT_EQ(cross.performance(0, 0), 1.0);
  EXPECT_EQ(cross.performance(0, 1), 0.5);
  EXPECT_EQ(cross.performance(1, 0), std::nullopt);
  EXPECT_EQ(cross.worst(), 0.5);
  EXPECT_EQ(crossTable(cross),
            "| best of | used on 3x3 | used on 7x7 |\n"
            "|---|---|---|\n"
            "| 3x3 | 100.0 % | 50.0 % |\n"
            "| 7x7 | does not run | 100.0 % |\n");
}

TEST(PapersCrossTable, OnePlaceAloneHasNoWorst) {
  CrossTimes cross;
  cross.places = {"3x3"};
  cross.times = {{1.0}};
  EXPECT_EQ(cross.worst(), std::nullopt);
}

TEST(PapersMarkdown, AnUnknownNumberIsADash) {
  EXPECT_EQ(cell(1.25, 1) + cell(std::nullopt, 1), "1.2-");
  EXPECT_EQ(markdownHead({"a", "b"}) + markdownRow({"1", "2"}), "| a | b |\n|---|---|\n| 1 | 2 |\n");
}

DeviceBest bestOf(const std::string& device, const std::string& program) {
  DeviceBest best{device, "driver 1", {}};
  best.programs[program] = {{64, 32}, {{"TBX", 8}, {"A", -1}}, 1.5};
  return best;
}

TEST(PapersResultFiles, TheBestAreReadBackInTheirOrder) {
  const TemporaryFile file;
  writeBest(file.path(), bestOf("cpu", "conv2d"));
  const DeviceBest read = readBest(file.path());
  EXPECT_EQ(read.device + "/" + read.driver, "cpu/driver 1");
  const KnownBest& best = read.programs.at("conv2d");
  EXPECT_EQ(best.problem, (std::vector<std::int64_t>{64, 32}));
  EXPECT_EQ(best.configuration, (NamedConfiguration{{"TBX", 8}, {"A", -1}}));
  EXPECT_EQ(best.ms, 1.5);
}

TEST(PapersResultFiles, APartOfTheProgramsKeepsTheOthers) {
  const TemporaryFile file, metrics("");
  writeBest(file.path(), bestOf("cpu", "conv2d"));
  DeviceBest best = readOwnBest(file.path(), "cpu", "driver 2");
  EXPECT_EQ(best.driver, "driver 2");
  best.programs.merge(bestOf("cpu", "scan").programs);
  writeBest(file.path(), best);
  EXPECT_EQ(readBest(file.path()).programs.size(), 2u);
  EXPECT_TRUE(readOwnBest("", "cpu", "driver 1").programs.empty());
  writeMetrics(metrics.path(), {{"scan_speedup", 1}, {"gemm_speedup", 2}});
  writeMetrics(metrics.path(), {{"scan_speedup", 3}});
  std::ifstream in(metrics.path());
  EXPECT_EQ(nlohmann::json::parse(in), (nlohmann::json{{"metrics", {{"scan_speedup", 3.0}, {"gemm_speedup", 2.0}}}}));
}

TEST(PapersResultFiles, OfAnotherDeviceOrKindAreRefused) {
  const TemporaryFile file, other("{\"a\": 1}"), none("no JSON");
  writeBest(file.path(), bestOf("cpu", "conv2d"));
  EXPECT_THROW(readOwnBest(file.path(), "gpu", "driver 1"), apps::InputError);
  EXPECT_THROW(readBest(other.path()), apps::InputError);
  EXPECT_THROW(readBest(none.path()), apps::InputError);
  EXPECT_THROW(readBest(file.path() + "_missing"), apps::InputError);
  EXPECT_THROW(writeMetrics(other.path(), {}), apps::InputError);
}

}  // namespace
}  // namespace hone::bench
