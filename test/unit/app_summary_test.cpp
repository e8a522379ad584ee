// What the instrumented programs print and write at the end, how they compare outputs, and how they use the terminal.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "console.h"
#include "errors.h"
#include "format.h"
#include "json_file.h"
#include "output_check.h"
#include "progress.h"
#include "random_data.h"
#include "running_figures.h"
#include "summary.h"

namespace hone::apps {
namespace {

Summary fullSummary() {
  Summary summary;
  summary.program = "gemm";
  summary.device = "H200";
  summary.driver = "CUDA, 580";
  summary.problem = "1000x1000x1000";
  summary.strategy = "annealing";
  summary.seed = 7;
  summary.defaultMs = 8.0;
  summary.bestMs = 2.0;
  summary.trials = 40;
  summary.failed = 3;
  summary.launches = 500;
  summary.settledAt = 321;
  summary.totalSeconds = 2.5;
  summary.deviceSeconds = 2.25;
  summary.stallMaxMs = 0.5;
  summary.stallMeanMs = 0.01;
  summary.best = {{"MWG", 128}, {"SA", 1}};
  summary.budget = 0.05;
  summary.account = {125, 500, 1000, 4000};  // balance, spent, saved, byDefault
  summary.flopPerLaunch = 2e9;               // 1000 GFLOP/s at 2 ms
  return summary;
}

std::vector<std::string> keys(const nlohmann::ordered_json& json) {
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  return names;
}

const std::vector<std::string> kKeys{
    "default_ms",     "best_ms", "speedup",  "trials",   "failed",           "launches",  "settled_at", "total_s",
    "stall_ms_max",   "best",    "device",   "driver",   "problem",          "strategy",  "seed",       "gflops",
    "default_gflops", "budget",  "spent_ms", "saved_ms", "default_alone_ms", "balance_ms"};

TEST(AppSummary, JsonHasExactlyTheDocumentedKeys) {
  const auto json = toJson(fullSummary());
  EXPECT_EQ(keys(json), kKeys);
  EXPECT_EQ(json["default_ms"], 8.0);
  EXPECT_EQ(json["best_ms"], 2.0);
  EXPECT_EQ(json["speedup"], 4.0);
  EXPECT_EQ(json["trials"], 40);
  EXPECT_EQ(json["failed"], 3);
  EXPECT_EQ(json["launches"], 500);
  EXPECT_EQ(json["settled_at"], 321);
  EXPECT_EQ(json["total_s"], 2.5);
  EXPECT_EQ(json["stall_ms_max"], 0.5);
  EXPECT_EQ(json["best"].dump(), R"({"MWG":128,"SA":1})");
  EXPECT_EQ(json["device"], "H200");
  EXPECT_EQ(json["driver"], "CUDA, 580");
  EXPECT_EQ(json["problem"], "1000x1000x1000");
  EXPECT_EQ(json["strategy"], "annealing");
  EXPECT_EQ(json["seed"], 7);
  EXPECT_EQ(json["gflops"], 1000.0);
  EXPECT_EQ(json["default_gflops"], 250.0);
  EXPECT_EQ(json["budget"], 0.05);
  EXPECT_EQ(json["spent_ms"], 500.0);
  EXPECT_EQ(json["saved_ms"], 1000.0);
  EXPECT_EQ(json["balance_ms"], 125.0);
}

TEST(AppSummary, NoLimitIsNull) {
  Summary summary = fullSummary();
  summary.budget = summary.account.balance = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(toJson(summary)["budget"].is_null());
  EXPECT_TRUE(toJson(summary)["balance_ms"].is_null());
  EXPECT_NE(table(summary).find("better ones saved 1000 ms; no limit\n"), std::string::npos) << table(summary);
}

TEST(AppSummary, UnknownNumbersAreNull) {
  const auto json = toJson(Summary{});
  EXPECT_EQ(keys(json), kKeys);
  for (const char* key : {"default_ms", "best_ms", "speedup", "settled_at", "stall_ms_max", "gflops", "default_gflops"})
    EXPECT_TRUE(json[key].is_null()) << key;
  EXPECT_EQ(json["best"].dump(), "{}");
}

TEST(AppSummary, OpenblasAppearsWhereItWasMeasured) {
  Summary summary = fullSummary();
  summary.openblasGflops = 250;
  EXPECT_EQ(toJson(summary)["openblas_gflops"], 250.0);
  EXPECT_EQ(toJson(summary)["vs_openblas"], 4.0);
  EXPECT_NE(table(summary).find("250.0 GFLOP/s, best / OpenBLAS 4.00\n"), std::string::npos) << table(summary);
  summary.bestMs.reset();
  EXPECT_TRUE(toJson(summary)["vs_openblas"].is_null());
}

TEST(AppSummary, TableShowsEveryFigure) {
  EXPECT_EQ(table(fullSummary()),
            "gemm 1000x1000x1000 on H200 (CUDA, 580)\n"
            "  default               8.000 ms, 250.0 GFLOP/s\n"
            "  best                  2.000 ms, 1000.0 GFLOP/s\n"
            "  speed-up              4.00\n"
            "  trials                40, 3 failed\n"
            "  launches              500, settled at 321\n"
            "  account               trials have cost 500.0 ms, better ones saved 1000 ms; budget 5 %, left 125.0 ms\n"
            "  total time            2.50 s, 2.25 s of it on the device, the default alone 4.00 s\n"
            "  longest launch call   0.5000 ms, mean 0.01000 ms\n"
            "  best configuration    MWG=128 SA=1\n");
}

TEST(AppSummary, TableSaysWhatIsNotKnown) {
  Summary summary = fullSummary();
  summary.defaultMs.reset();
  summary.account.byDefault = 0;
  summary.settledAt.reset();
  summary.stallMaxMs.reset();
  const std::string text = table(summary);
  EXPECT_NE(text.find("  default               unknown\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  speed-up              unknown\n"), std::string::npos) << text;
  EXPECT_NE(text.find("500, not settled before the end\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  longest launch call   unknown\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("the default alone"), std::string::npos) << text;
}

TEST(AppSummary, ProgramsWithoutFlopHaveNoGflops) {
  Summary summary = fullSummary();
  summary.flopPerLaunch = 0;
  EXPECT_TRUE(toJson(summary)["gflops"].is_null());
  EXPECT_EQ(table(summary).find("GFLOP/s"), std::string::npos) << table(summary);
}

TEST(AppSummary, BandwidthAppearsWhereItIsAFigureOfTheProgram) {
  Summary summary = fullSummary();
  summary.bytesPerLaunch = 4e9;  // 2000 GB/s at 2 ms
  EXPECT_EQ(toJson(summary)["gb_per_s"], 2000.0);
  EXPECT_EQ(toJson(summary)["default_gb_per_s"], 500.0);
  const std::string text = table(summary);
  EXPECT_NE(text.find("  default               8.000 ms, 250.0 GFLOP/s, 500.0 GB/s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  best                  2.000 ms, 1000.0 GFLOP/s, 2000.0 GB/s\n"), std::string::npos) << text;
  summary.defaultMs.reset();
  EXPECT_TRUE(toJson(summary)["default_gb_per_s"].is_null());
}

TEST(AppSummary, InJsonSeveralProblemsAreAList) {
  Summary small = fullSummary(), large = fullSummary();
  small.problem = "8x8x8";
  EXPECT_EQ(toJson(std::vector{small}), toJson(small));
  const nlohmann::ordered_json both = toJson(std::vector{small, large});
  EXPECT_EQ(both["problems"], nlohmann::ordered_json::array({toJson(small), toJson(large)})) << both;
}

TEST(AppSummary, TheTableOfSeveralProblemsHasALineForEach) {
  Summary small = fullSummary(), large = fullSummary(), untuned = fullSummary();
  small.problem = "8x8x8";
  small.flopPerLaunch = 1e6;
  small.best = {{"MWG", 16}, {"SA", 0}};
  large.settledAt.reset();
  large.defaultMs.reset();
  untuned.isTuned = false;
  EXPECT_EQ(table(std::vector{small}), table(small));
  EXPECT_EQ(table(std::vector{small, large, untuned}),
            "gemm, 3 problems on H200 (CUDA, 580)\n"
            "  problem         default   best      speed-up  GFLOP/s  trials  settled at  best configuration\n"
            "  8x8x8           8.000 ms  2.000 ms  4.00      0.5      40      321 of 500  MWG=16 SA=0\n"
            "  1000x1000x1000  unknown   2.000 ms  unknown   1000.0   40      not in 500  MWG=128 SA=1\n"
            "  1000x1000x1000  8.000 ms  2.000 ms  4.00      1000.0   40      not tuned   MWG=128 SA=1\n");
}

TEST(AppSummary, WithoutTuningTheDefaultIsMeasuredByItsLaunches) {
  RunOptions options;
  options.problem = {3, 4};
  options.tuning.mode = Mode::off;
  RunFigures figures;
  figures.launches = 20;
  figures.report.phase = Phase::settled;
  figures.launchMedianMs = 2.5;
  const Summary summary = summarise({"conv2d", "", {"X", "Y"}, {3, 4}}, options, OpenedDevice{}, figures);
  EXPECT_EQ(summary.problem, "3x4");
  EXPECT_EQ(summary.defaultMs, 2.5);
  EXPECT_EQ(summary.speedup(), 1.0);
  EXPECT_EQ(summary.settledAt, std::nullopt);
  EXPECT_NE(table(summary).find("20, not tuned\n"), std::string::npos);
}

TEST(AppSummary, PinnedConfigurationHasNoDefaultBesideIt) {
  RunFigures figures;
  figures.launches = 20;
  figures.report.phase = Phase::settled;  // from the start, so without a launch at which it settled
  figures.report.bestCost = 3e6;
  figures.launchMedianMs = 2.5;
  const Summary summary = summarise({}, RunOptions{}, OpenedDevice{}, figures);
  EXPECT_EQ(summary.bestMs, 2.5);
  EXPECT_EQ(summary.defaultMs, std::nullopt);
  EXPECT_NE(table(summary).find("20, not tuned\n"), std::string::npos);
}

TEST(AppSummary, WithTuningTheLibrarysCostsCount) {
  RunFigures figures;
  figures.report.defaultCost = 3e6;  // ns
  figures.report.bestCost = 1.5e6;
  figures.launchMedianMs = 99;
  const Summary summary = summarise({}, RunOptions{}, OpenedDevice{}, figures);
  EXPECT_EQ(summary.defaultMs, 3.0);
  EXPECT_EQ(summary.bestMs, 1.5);
}

TEST(AppFormat, MillisecondsHaveFourSignificantDigits) {
  EXPECT_EQ(milliseconds(0.0054321), "0.005432 ms");
  EXPECT_EQ(milliseconds(1.23456), "1.235 ms");
  EXPECT_EQ(milliseconds(123.456), "123.5 ms");
  EXPECT_EQ(milliseconds(12345.6), "12346 ms");
  EXPECT_EQ(milliseconds(0), "0.000 ms");
}

TEST(AppRunningFigures, MeanMaximumAndSum) {
  RunningFigures figures;
  EXPECT_EQ(figures.max(), std::nullopt);
  EXPECT_EQ(figures.mean(), std::nullopt);
  for (double number : {1.0, 5.0, 3.0}) figures.add(number);
  EXPECT_EQ(figures.max(), 5.0);
  EXPECT_EQ(figures.mean(), 3.0);
  EXPECT_EQ(figures.sum(), 9.0);
}

TEST(AppRunningFigures, MedianIsExactAndForgets) {
  RecentMedian median;
  EXPECT_EQ(median.value(), std::nullopt);
  for (double number : {5.0, 1.0, 9.0}) median.add(number);
  EXPECT_EQ(median.value(), 5.0);
  median.add(6.0);
  EXPECT_EQ(median.value(), 5.5);
  for (int i = 0; i < 1023; ++i) median.add(2.0);
  EXPECT_EQ(median.value(), 2.0);
}

TEST(AppCheck, AcceptsWhatIsWithinTheTolerance) {
  // Allowed: 0.1 * max(|reference|, 2) = 0.2 and 1.
  EXPECT_EQ(compare(std::vector<float>{0.19f, -10.9f}, std::vector<float>{0, -10}, {0.1, 2}).wrong, 0u);
  EXPECT_EQ(compare(std::vector<float>{1.5f}, std::vector<float>{1.5f}, {0, 0}).wrong, 0u);
}

TEST(AppCheck, SumsOfProductsMayDifferByTheirRoundings) {
  const Tolerance tolerance = toleranceOfSums(9);
  EXPECT_DOUBLE_EQ(tolerance.relative, 3e-6);
  EXPECT_DOUBLE_EQ(tolerance.magnitude, 1);
}

TEST(AppCheck, SumsOfDoublesMayDifferByTheirRoundings) {
  const Tolerance tolerance = toleranceOfDoubleSums(9);
  EXPECT_DOUBLE_EQ(tolerance.relative, 3e-6 / 536870912);
  EXPECT_DOUBLE_EQ(tolerance.magnitude, 1);
  const double near = 1 + 5e-15, far = 1 + 6e-15;  // allowed: 5.6e-15
  EXPECT_EQ(compare(std::vector<double>{near}, std::vector<double>{1}, tolerance).wrong, 0u);
  const Comparison comparison = compare(std::vector<double>{1, far}, std::vector<double>{1, 1}, tolerance);
  EXPECT_EQ(comparison.wrong, 1u);
  EXPECT_EQ(comparison.worst, 1u);
  EXPECT_EQ(
      describe(comparison, "c", std::vector<double>{1, far}, std::vector<double>{1, 1}),
      "1 of 2 elements are wrong; the worst is c[1]: 1.000000000000006 instead of 1, which may differ by 5.59e-15");
}

TEST(AppCheck, NamesTheElementThatExceedsItsToleranceMost) {
  const std::vector<float> reference{0, -10, 1, 7};
  const std::vector<float> actual{0.5f, -11.5f, 1, 7};  // 2.5 and 1.5 times what is allowed
  const Comparison comparison = compare(actual, reference, {0.1, 2});
  EXPECT_EQ(comparison.wrong, 2u);
  EXPECT_EQ(comparison.worst, 0u);
  EXPECT_DOUBLE_EQ(comparison.allowed, 0.2);
  EXPECT_EQ(describe(comparison, "c", actual, reference),
            "2 of 4 elements are wrong; the worst is c[0]: 0.5 instead of 0, which may differ by 0.2");
}

TEST(AppCheck, NaNIsTheWorstOfAll) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Comparison comparison = compare(std::vector<float>{99, nan, 99}, std::vector<float>{1, 1, 1}, {0.1, 1});
  EXPECT_EQ(comparison.wrong, 3u);
  EXPECT_EQ(comparison.worst, 1u);
  EXPECT_EQ(compare(std::vector<float>{nan}, std::vector<float>{nan}, {0.1, 1}).wrong, 0u);
  EXPECT_EQ(compare(std::vector<float>{1}, std::vector<float>{nan}, {0.1, 1}).wrong, 1u);
}

TEST(AppRandomData, IsUniformAndTheSameEverywhere) {
  const auto numbers = randomFloats(1000, 5489);
  EXPECT_EQ(numbers[0], static_cast<float>(3499211612u >> 8) * 0x1p-23f - 1.0f);  // mt19937's first number, seed 5489
  double sum = 0;
  for (float number : numbers) {
    EXPECT_GE(number, -1);
    EXPECT_LT(number, 1);
    sum += number;
  }
  EXPECT_LT(std::abs(sum), 91);  // 5 sigma: a number's variance is 1/3
}

TEST(AppRandomData, DoublesUseAllTheirBits) {
  const std::vector<double> numbers = randomDoubles(1000, 5489);
  // mt19937's first two numbers, seed 5489: 27 bits of the one, 26 of the other.
  const double bits = static_cast<double>(3499211612u >> 5) * 67108864 + static_cast<double>(581869302u >> 6);
  EXPECT_EQ(numbers[0], bits * 0x1p-52 - 1.0);
  EXPECT_NE(numbers[0], static_cast<double>(static_cast<float>(numbers[0])));
  for (double number : numbers) {
    EXPECT_GE(number, -1);
    EXPECT_LT(number, 1);
  }
}

TEST(AppConsole, NothingButNotesWhereThereIsNoTerminal) {
  std::ostringstream out, errors;
  Console console(out, errors, false);
  console.status("exploring");
  console.note("gemm: trouble");
  console.clearStatus();
  EXPECT_EQ(out.str(), "");
  EXPECT_EQ(errors.str(), "gemm: trouble\n");
}

TEST(AppConsole, NotesDoNotRunIntoTheStatusLine) {
  std::ostringstream both;
  Console console(both, both, true);
  console.status("exploring");
  console.note("trouble");
  console.clearStatus();
  EXPECT_EQ(both.str(), "\r\x1b[Kexploring\r\x1b[Ktrouble\nexploring\r\x1b[K");
}

TEST(AppConsole, StatusNeverWraps) {
  std::ostringstream out;
  Console(out, out, true).status(std::string(200, 'x'));
  EXPECT_EQ(out.str(), "\r\x1b[K" + std::string(79, 'x'));
}

TEST(AppProgress, SaysPhaseLaunchesTrialsAndTheBest) {
  Report report;
  report.phase = Phase::exploring;
  report.launches = 1234;
  report.trials = 56;
  EXPECT_EQ(progressText(report), "exploring, 1234 launches, 56 trials");
  report.defaultCost = 8e6;
  report.bestCost = 2e6;
  EXPECT_EQ(progressText(report), "exploring, 1234 launches, 56 trials, best 2.000 ms, 4.00 x the default's speed");
}

TEST(AppProgress, RewritesAtMostTenTimesASecond) {
  std::ostringstream out;
  Console console(out, out, true);
  Progress progress(console);
  int reports = 0;
  const Progress::Clock::time_point start(std::chrono::hours(1));
  for (int ms = 0; ms <= 1000; ++ms) {
    progress.update(start + std::chrono::milliseconds(ms), [&] {
      ++reports;
      return Report{};
    });
  }
  EXPECT_EQ(reports, 11);  // at 0, 100, ..., 1000 ms
}

TEST(AppProgress, AsksForNoReportWhereThereIsNoTerminal) {
  std::ostringstream out;
  Console console(out, out, false);
  Progress(console).update(Progress::Clock::time_point(std::chrono::hours(1)), []() -> Report { throw 1; });
}

class AppJsonFile : public testing::Test {
 protected:
  AppJsonFile() { std::filesystem::remove_all(folder_), std::filesystem::create_directories(folder_); }
  ~AppJsonFile() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(AppJsonFile, TryingLeavesNothingBehindAndDestroysNothing) {
  const auto path = folder_ / "out.json";
  requireWritable(path);
  EXPECT_FALSE(std::filesystem::exists(path));
  std::ofstream(path) << "old";
  requireWritable(path);
  EXPECT_EQ(std::filesystem::file_size(path), 3u);
}

TEST_F(AppJsonFile, IsReadBackAsWritten) {
  const auto path = folder_ / "out.json";
  writeJson(path, toJson(fullSummary()));
  std::ifstream file(path);
  EXPECT_EQ(nlohmann::ordered_json::parse(file), toJson(fullSummary()));
}

TEST_F(AppJsonFile, SaysWhyItCannotBeWritten) {
  const std::string path = folder_ / "missing" / "out.json";
  try {
    requireWritable(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "--json '" + path + "': cannot write: No such file or directory");
  }
  EXPECT_THROW(requireWritable(folder_), InputError);
  EXPECT_THROW(writeJson("/dev/full", toJson(fullSummary())), InputError);
}

}  // namespace
}  // namespace hone::apps
