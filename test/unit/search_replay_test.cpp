#include <gtest/gtest.h>

#include <array>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "search_quality/drawing.h"
#include "search_quality/replay.h"
#include "search_quality/report.h"
#include "search_quality/study.h"
#include "search_quality/svg.h"
#include "support/temporary_file.h"

namespace hone::bench {
namespace {

using test::RecordedSpace;

constexpr double kMs = 1e6;  // in ns

/// One parameter x; of each line, what follows its value: time, error, samples.
RecordedSpace recorded(const std::vector<std::array<std::string, 3>>& rows) {
  std::string csv = "x,time_ms,error,compile_ms,bench_ms,samples_ms\n";
  for (std::size_t x = 0; x < rows.size(); ++x)
    csv += std::to_string(x) + "," + rows[x][0] + "," + rows[x][1] + ",,," + rows[x][2] + "\n";
  return RecordedSpace(test::TemporaryFile(csv).path());
}

/// x = 0, 1, 3 take 4, 2, 1 ms; x = 2 fails.
const RecordedSpace& fourRows() {
  static const RecordedSpace space = recorded({{"4", "", ""}, {"2", "", ""}, {"", "runtime", ""}, {"1", "", ""}});
  return space;
}

/// Proposes the ranks of a list in order, and remembers what it was shown.
class Scripted final : public Strategy {
 public:
  explicit Scripted(std::vector<Rank> ranks) : ranks_(std::move(ranks)) {}

  Proposal propose(const SearchSpace&, const Evidence& evidence, std::size_t atMost) override {
    shown.push_back(evidence.trials());
    wanted.push_back(atMost);
    Proposal proposal;
    for (; next_ < ranks_.size() && proposal.candidates.size() < atMost; ++next_)
      proposal.candidates.push_back(ranks_[next_]);
    proposal.isConverged = next_ == ranks_.size();
    return proposal;
  }

  std::vector<std::vector<Trial>> shown;
  std::vector<std::size_t> wanted;

 private:
  std::vector<Rank> ranks_;
  std::size_t next_ = 0;
};

TEST(Replay, JudgesTheBestSoFarByItsRecordedTime) {
  Scripted strategy({2, 0, 1, 0});  // with one parameter, ranks are positions
  const Course course = replay(ReplaySpace(fourRows(), 1), strategy, {.trials = 4});
  // The failure is no configuration to hold: the worst valid time counts.
  EXPECT_EQ(course.bestNs, (std::vector<double>{4 * kMs, 4 * kMs, 2 * kMs, 2 * kMs}));
  EXPECT_EQ(course.trials, 4u);
  EXPECT_EQ(course.stepDurationsNs.size(), 4u);
}

TEST(Replay, ShowsCostsRelativeToTheFirstSuccess) {
  Scripted strategy({2, 0, 1});
  replay(ReplaySpace(fourRows(), 1), strategy, {.trials = 4});
  ASSERT_EQ(strategy.shown.size(), 4u);
  EXPECT_TRUE(strategy.shown[0].empty());
  const std::vector<Trial>& last = strategy.shown[3];
  ASSERT_EQ(last.size(), 3u);
  EXPECT_EQ(last[0].relativeCost, std::nullopt);
  EXPECT_EQ(last[1].relativeCost, 1.0);
  EXPECT_EQ(last[2].relativeCost, 0.5);
}

TEST(Replay, ADuplicateCostsATrialAndTellsNothing) {
  Scripted strategy({0, 0, 0, 1});
  const Course course = replay(ReplaySpace(fourRows(), 1), strategy, {.trials = 4});
  EXPECT_EQ(course.duplicates, 2u);
  EXPECT_EQ(course.bestNs, (std::vector<double>{4 * kMs, 4 * kMs, 4 * kMs, 2 * kMs}));
  EXPECT_EQ(strategy.shown[3].size(), 1u);
}

TEST(Replay, EndsAtTheOptimum) {
  Scripted strategy({3, 0, 1});
  const Course course = replay(ReplaySpace(fourRows(), 1), strategy, {.trials = 3});
  EXPECT_EQ(course.trials, 1u);
  EXPECT_EQ(course.bestNs, std::vector<double>(3, kMs));
}

TEST(Replay, KeepsTheLastWhereNothingElseIsProposed) {
  Scripted strategy({0, 1});
  const Course course = replay(ReplaySpace(fourRows(), 1), strategy, {.trials = 5});
  EXPECT_EQ(course.trials, 2u);
  EXPECT_EQ(course.bestNs, (std::vector<double>{4 * kMs, 2 * kMs, 2 * kMs, 2 * kMs, 2 * kMs}));
}

TEST(Replay, TriesABatchBeforeItAsksAgain) {
  const RecordedSpace space = recorded({{"5", "", ""}, {"5", "", ""}, {"5", "", ""}, {"5", "", ""}, {"1", "", ""}});
  Scripted strategy({0, 1, 2, 3});
  replay(ReplaySpace(space, 1), strategy, {.trials = 4, .batch = 3});
  EXPECT_EQ(strategy.wanted, (std::vector<std::size_t>{3, 1}));  // never more than trials are left
  EXPECT_EQ(strategy.shown[1].size(), 3u);
}

TEST(Replay, NoisyTrialsTakeASampleAndTheChoiceIsTheEvidences) {
  // By their samples the first is the better one, by their times the second.
  const RecordedSpace space = recorded({{"4", "", "1;1"}, {"2", "", "3;3"}, {"1", "", "9;9"}});
  Scripted strategy({0, 1, 2});
  const Course course = replay(ReplaySpace(space, 1), strategy, {.trials = 3, .isNoisy = true});
  EXPECT_EQ(course.bestNs, std::vector<double>(3, 4 * kMs));
  EXPECT_EQ(strategy.shown[2][1].relativeCost, 3.0);
  Scripted other({2, 1, 0});
  EXPECT_EQ(replay(ReplaySpace(space, 1), other, {.trials = 3, .isNoisy = true}).bestNs,
            (std::vector<double>{1 * kMs, 2 * kMs, 4 * kMs}));
}

/// Wants rank 0 measured again after each of its own proposals.
class Doubting final : public Strategy {
 public:
  Proposal propose(const SearchSpace&, const Evidence& evidence, std::size_t) override {
    shown.push_back(evidence.trials());
    const std::size_t calls = shown.size();
    Proposal proposal;
    if (calls % 2 == 1) proposal.candidates = {calls / 2};
    if (calls % 2 == 0) proposal.remeasure = {0};
    return proposal;
  }
  std::vector<std::vector<Trial>> shown;
};

TEST(Replay, MeasuresAgainWhatIsDoubted) {
  // The first row's samples are 1, 8 and 3, from a random one on: two have the median 4.5, 5.5 or 2, all three 3.
  const RecordedSpace space = recorded({{"3", "", "1;8;3"}, {"4", "", "4"}, {"2", "", "5"}});
  Doubting strategy;
  const Course course = replay(ReplaySpace(space, 1), strategy, {.trials = 6, .isNoisy = true});
  EXPECT_EQ(course.trials, 6u);
  EXPECT_EQ(course.remeasured, 3u);
  EXPECT_EQ(course.duplicates, 0u);
  const std::vector<Trial>& last = strategy.shown.at(5);  // before the third time, rank 0 has been measured three times
  ASSERT_EQ(last.size(), 3u);
  EXPECT_EQ(last[0].measurements, 3u);
  EXPECT_EQ(last[1].measurements, 1u);
  const double unit = 4 / *last[1].relativeCost;  // what the first launch took
  EXPECT_DOUBLE_EQ(*last[0].relativeCost * unit, 3);
  EXPECT_TRUE(unit == 1 || unit == 8 || unit == 3) << unit;
}

TEST(Replay, MeasuresNothingAgainWithoutNoise) {
  Doubting strategy;
  const Course course = replay(ReplaySpace(fourRows(), 1), strategy, {.trials = 6});
  EXPECT_EQ(course.trials, 1u);  // then nothing else is proposed
  EXPECT_EQ(course.remeasured, 0u);
}

TEST(Replay, NoiseDrawsEachSampleEquallyOften) {
  const RecordedSpace space = recorded({{"1", "", ""}, {"3", "", "2;3;4"}});
  std::map<double, int> counts;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Scripted strategy({0, 1});
    replay(ReplaySpace(space, 1), strategy, {.trials = 3, .isNoisy = true, .seed = seed});
    ++counts[*strategy.shown.back()[1].relativeCost];
  }
  ASSERT_EQ(counts.size(), 3u);
  for (const auto& [cost, count] : counts) EXPECT_NEAR(count, 1000, 129) << cost;  // 5 sqrt(3000 * 1/3 * 2/3)
}

TEST(Replay, TheDefaultIsARandomRow) {
  std::map<Rank, int> counts;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) ++counts[ReplaySpace(fourRows(), seed).space().start()];
  ASSERT_EQ(counts.size(), 4u);
  for (const auto& [rank, count] : counts) EXPECT_NEAR(count, 100, 43) << rank;  // 5 sqrt(400 * 1/4 * 3/4)
}

// ---- Studies

/// 6 x 7 configurations, one of them failed, with three samples each.
RecordedSpace plane() {
  std::string csv = "x,y,time_ms,error,compile_ms,bench_ms,samples_ms\n";
  for (int x = 0; x < 6; ++x) {
    for (int y = 0; y < 7; ++y) {
      const int time = 10 + (x - 2) * (x - 2) + (y - 5) * (y - 5) + (x * 5 + y * 3) % 4;
      const std::string place = std::to_string(x) + "," + std::to_string(y) + ",";
      if (x == 5 && y == 0) {
        csv += place + ",compile,,,\n";
      } else {
        const std::string ms = std::to_string(time);
        csv += place + ms + ",,,," + ms + ".5;" + ms + ";" + std::to_string(time - 1) + ".5\n";
      }
    }
  }
  return RecordedSpace(test::TemporaryFile(csv).path());
}

TEST(Study, DoesNotDependOnTheNumberOfThreads) {
  const std::vector<RecordedSpace> spaces{plane(), fourRows()};
  const auto run = [&](std::size_t threads) {
    Plan plan{wholeComparison(), 5, threads};
    return runStudy(spaces, allStrategies(), plan, [](double) {});
  };
  const Study one = run(1), several = run(4);
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    for (std::size_t c = 0; c < allStrategies().size(); ++c) {
      for (std::size_t r = 0; r < wholeComparison().size(); ++r) {
        ASSERT_EQ(one.courses(s, c, r).size(), 5u);
        for (std::size_t seed = 0; seed < 5; ++seed)
          EXPECT_EQ(one.courses(s, c, r)[seed].bestNs, several.courses(s, c, r)[seed].bestNs);
      }
    }
  }
}

TEST(Study, EachSearchHasASeedOfItsOwn) {
  std::mutex mutex;
  std::multiset<std::uint64_t> seeds;
  const Contestant noting{"noting", [&](std::uint64_t seed) {
                            const std::lock_guard lock(mutex);
                            seeds.insert(seed);
                            return std::make_unique<Scripted>(std::vector<Rank>{0});
                          }};
  runStudy({fourRows()}, {noting}, {noiseFreeOnly(), 5, 3}, [](double) {});
  EXPECT_EQ(seeds, (std::multiset<std::uint64_t>{1, 2, 3, 4, 5}));
}

TEST(Study, TellsHowMuchIsDone) {
  std::vector<double> shares;
  runStudy({fourRows()}, {allStrategies()[0]}, {noiseFreeOnly(), 4, 2}, [&](double share) { shares.push_back(share); });
  EXPECT_EQ(shares, (std::vector<double>{0.25, 0.5, 0.75, 1}));
}

class Throwing final : public Strategy {
  Proposal propose(const SearchSpace&, const Evidence&, std::size_t) override { throw std::runtime_error("broken"); }
};

TEST(Study, PassesOnWhatASearchThrows) {
  const Contestant throwing{"throwing", [](std::uint64_t) { return std::make_unique<Throwing>(); }};
  EXPECT_THROW(runStudy({fourRows()}, {throwing}, {noiseFreeOnly(), 8, 2}, [](double) {}), std::runtime_error);
}

/// A search that has found `first` at once and `later` from the 60th trial on.
Course course(double first, double later) {
  Course course;
  course.bestNs.assign(400, later);
  std::fill_n(course.bestNs.begin(), 59, first);
  course.trials = 400;
  return course;
}

TEST(Report, FiguresAreMeansOverSearchesThenSpaces) {
  const std::vector<RecordedSpace> spaces{fourRows(), recorded({{"5", "", ""}, {"10", "", ""}})};
  const std::vector<Contestant> contestants{{"some", nullptr}};
  Study study(2, 1, 1);
  study.courses(0, 0, kNoiseFree) = {course(2 * kMs, 1 * kMs), course(4 * kMs, 4 * kMs)};
  study.courses(1, 0, kNoiseFree) = {course(5 * kMs, 5 * kMs), course(10 * kMs, 5 * kMs)};
  study.courses(1, 0, kNoiseFree)[1].duplicates = 8;
  const QualityFigures figures = figuresOf(study, spaces, contestants, 1);
  // Fractions after 50 trials: 1/2 and 1/4; 1 and 1/2. After 100: 1 and 1/4; 1 and 1.
  EXPECT_DOUBLE_EQ(figures.overall.at("some_f50"), ((0.5 + 0.25) / 2 + (1 + 0.5) / 2) / 2);
  EXPECT_DOUBLE_EQ(figures.overall.at("some_f100"), ((1 + 0.25) / 2 + 1) / 2);
  EXPECT_DOUBLE_EQ(figures.overall.at("some_p10_100"), (0.25 + 0.1 * 0.75 + 1) / 2);
  EXPECT_DOUBLE_EQ(figures.overall.at("some_duplicates_pct"), (0 + 100 * 8 / 800.0) / 2);
  EXPECT_EQ(figures.overall.count("some_p0"), 0u);  // both spaces are too small for it
  EXPECT_EQ(figures.overall.count("some_noisy_f50"), 0u);
  EXPECT_EQ(figures.overall.count("budget"), 0u);
  const std::string& name = spaces[1].name();
  EXPECT_EQ(figures.spaces.at(name).at("optimum_ms"), 5);
  EXPECT_EQ(figures.spaces.at(name).at("rows"), 2);
}

TEST(Report, TableShowsWhatThereIs) {
  QualityFigures figures;
  figures.overall = {{"some_f25", 0.8125}, {"some_p0", -0.5}, {"random_exact_f25", 0.75}};
  const std::string table = qualityTable(figures, {{"some", nullptr}});
  EXPECT_NE(table.find("\nsome           0.812"), std::string::npos) << table;  // a half to even
  EXPECT_NE(table.find("-0.500"), std::string::npos) << table;
  EXPECT_NE(table.find("\nrandom, exact  0.750"), std::string::npos) << table;
}

// ---- Drawings

TEST(Svg, WritesShapesInOrderAndEscapesTexts) {
  Svg svg(20, 10);
  svg.line({0, 0}, {10.25, 5}, "#ff0000", 2);
  svg.polygon({{1, 2}, {3, 4}, {5, 6}}, "none", 0.5);
  svg.label({1, 2}, "a < b & c", Svg::Anchor::middle, 9);
  const std::string text = svg.text();
  EXPECT_EQ(text.find("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20.0\" height=\"10.0\""), 0u);
  const std::size_t line =
      text.find("<polyline points=\"0.0,0.0 10.2,5.0\" fill=\"none\" stroke=\"#ff0000\" stroke-width=\"2.0\"/>");
  const std::size_t polygon =
      text.find("<polygon points=\"1.0,2.0 3.0,4.0 5.0,6.0\" fill=\"none\" fill-opacity=\"0.50\"/>");
  const std::size_t label = text.find("text-anchor=\"middle\">a &lt; b &amp; c</text>");
  EXPECT_LT(line, polygon);
  EXPECT_LT(polygon, label);
  EXPECT_LT(label, text.find("</svg>"));
}

TEST(Drawing, HasACurveABandAndAViolinForEachStrategy) {
  DrawnSpace space{"space", {0.5, 0.6, 1}, {}, 2};
  for (const char* name : {"first", "second"}) space.searches.push_back({name, {{0.5, 0.9}, {0.6, 0.95}}, {0.9, 0.95}});
  const std::string text = drawSpace(space);
  const auto count = [&](const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<polygon"), 2 + 3);              // bands; violins, the whole space's among them
  EXPECT_EQ(count("stroke-width=\"2.0\""), 2 + 3);  // medians
  EXPECT_EQ(count(">first</text>"), 2);             // the curves' legend and the violin's
  EXPECT_EQ(count("fill-opacity=\"0.08\""), 2);
}

}  // namespace
}  // namespace hone::bench
