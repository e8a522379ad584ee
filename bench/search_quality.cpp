// How few trials does a search need? Every strategy is replayed on recorded spaces, many seeds each.
//
//   search_quality --spaces DIR [--seeds N] [--json FILE] [--draw DIR] [--quick]
//   search_quality --spaces DIR --sensitivity
//   search_quality --spaces FILE --experiment 107
//   search_quality --spaces DIR --patience
//
// What the figures mean stands in search_quality/report.h. They depend on the seeds alone, but for the times of steps.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "errors.h"
#include "search_quality/drawing.h"
#include "search_quality/options.h"
#include "search_quality/patience.h"
#include "search_quality/report.h"
#include "search_quality/step_time.h"
#include "search_quality/study.h"

namespace hone::bench {
namespace {

using test::RecordedSpace;

// CLTune's experiments: searches whose final results make one distribution.
constexpr std::size_t kSearchesOfExperiment = 128;
constexpr std::size_t kTrialsOfDrawing = 117;  // of its matrix product
constexpr std::size_t kQuickSeeds = 3, kSeeds = 100;

/// Rewrites one line on a terminal; elsewhere writes one line every half a minute.
class ProgressLine {
 public:
  explicit ProgressLine(std::string title) : title_(std::move(title)) {}
  ~ProgressLine() {
    if (isTerminal_) std::fprintf(stderr, "\r\033[K");
  }

  void show(double share) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + (isTerminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(30'000));
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::fprintf(stderr, "%s%s: %3.0f %% after %.0f s%s", isTerminal_ ? "\r\033[K" : "", title_.c_str(), 100 * share,
                 seconds, isTerminal_ ? "" : "\n");
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string title_;
  bool isTerminal_ = isatty(STDERR_FILENO) == 1;
  Clock::time_point start_ = Clock::now(), next_ = start_ + std::chrono::seconds(1);
};

Study study(const std::string& title, const std::vector<RecordedSpace>& spaces,
            const std::vector<Contestant>& contestants, const Plan& plan) {
  ProgressLine line(title);
  return runStudy(spaces, contestants, plan, [&](double share) { line.show(share); });
}

std::vector<Contestant> chosenStrategies(const QualityOptions& options) {
  std::vector<Contestant> contestants = allStrategies();
  if (options.strategies.empty()) return contestants;
  std::erase_if(contestants, [&](const Contestant& contestant) {
    return std::none_of(options.strategies.begin(), options.strategies.end(), [&](std::string name) {
      std::replace(name.begin(), name.end(), '-', '_');
      return name == contestant.name;
    });
  });
  return contestants;
}

std::vector<Run> runsOfExperiment(std::size_t trials) {
  return {{.isNoisy = false, .batch = 1, .trials = [trials](const TimesOfSpace&) { return trials; }}};
}

DrawnSpace drawnSpace(const RecordedSpace& recorded, std::size_t trials) {
  DrawnSpace drawn;
  drawn.name = recorded.name();
  drawn.finalTrials = trials;
  const TimesOfSpace times = timesOf(recorded);
  for (double time : times.ascending()) drawn.fractions.push_back(times.optimum() / time);
  return drawn;
}

std::vector<std::vector<double>> curves(const std::vector<Course>& courses, double optimumNs, std::size_t trials) {
  std::vector<std::vector<double>> curves;
  for (const Course& course : courses) {
    std::vector<double>& curve = curves.emplace_back();
    for (std::size_t i = 0; i < std::min(trials, course.bestNs.size()); ++i)
      curve.push_back(optimumNs / course.bestNs[i]);
  }
  return curves;
}

void draw(const std::string& folder, const std::vector<RecordedSpace>& spaces,
          const std::vector<Contestant>& contestants, const Study& forCurves, const Study& forDistributions,
          std::size_t finalTrials) {
  constexpr std::size_t kDrawnTrials = 400;
  std::filesystem::create_directories(folder);
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    DrawnSpace drawn = drawnSpace(spaces[s], finalTrials);
    const double optimumNs = *spaces[s].best().timeNs;
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      drawn.searches.push_back({contestants[c].name,
                                curves(forCurves.courses(s, c, kNoiseFree), optimumNs, kDrawnTrials),
                                fractions(forDistributions.courses(s, c, kNoiseFree), optimumNs, finalTrials)});
    }
    const std::filesystem::path file = std::filesystem::path(folder) / (drawn.name + ".svg");
    std::ofstream out(file);
    out << drawSpace(drawn);
    if (!out.flush()) throw apps::InputError("cannot write '" + file.string() + "'");
  }
}

void writeJson(const std::string& file, const nlohmann::ordered_json& json) {
  if (file.empty()) return;
  std::ofstream out(file);
  out << json.dump(2) << "\n";
  if (!out.flush()) throw apps::InputError("cannot write '" + file + "'");
}

void compareAll(const QualityOptions& options, const std::vector<RecordedSpace>& spaces) {
  const std::vector<Contestant> contestants = chosenStrategies(options);
  const Plan plan{wholeComparison(), options.seeds.value_or(options.isQuick ? kQuickSeeds : kSeeds), options.threads};
  const Study result = study("searching", spaces, contestants, plan);
  QualityFigures figures = figuresOf(result, spaces, contestants, plan.runs.size());
  for (const Contestant& contestant : contestants)
    figures.overall[contestant.name + "_step_us"] = stepTimeUs(contestant, options.isQuick ? 3 : 20);
  std::printf("%zu spaces, %zu seeds; fraction of the optimum after so many trials\n%s", spaces.size(), plan.seeds,
              qualityTable(figures, contestants).c_str());
  writeJson(options.jsonFile, toJson(figures));
  if (options.drawFolder.empty()) return;
  const Plan forDistributions{runsOfExperiment(kTrialsOfDrawing), kSearchesOfExperiment, options.threads};
  draw(options.drawFolder, spaces, contestants, result,
       study("searching for the drawing", spaces, contestants, forDistributions), kTrialsOfDrawing);
}

void compareSensitivity(const QualityOptions& options, const std::vector<RecordedSpace>& spaces) {
  const std::vector<Contestant> contestants = sensitivityContestants();
  const Plan plan{noiseFreeOnly(), options.seeds.value_or(options.isQuick ? kQuickSeeds : kSeeds), options.threads};
  const QualityFigures figures = figuresOf(study("searching", spaces, contestants, plan), spaces, contestants, 1);
  std::printf("%zu spaces, %zu seeds; fraction of the optimum after so many trials\n%s", spaces.size(), plan.seeds,
              qualityTable(figures, contestants).c_str());
  writeJson(options.jsonFile, toJson(figures));
}

void comparePatience(const QualityOptions& options, const std::vector<RecordedSpace>& spaces) {
  const std::vector<Contestant> contestants = chosenStrategies(options);
  const Plan plan{runsOfPatience(), options.seeds.value_or(options.isQuick ? kQuickSeeds : kSeeds), options.threads};
  const Metrics metrics = patienceFigures(study("searching", spaces, contestants, plan), spaces, contestants);
  std::printf("%zu spaces, %zu seeds; searches that end after so many trials in vain\n%s", spaces.size(), plan.seeds,
              patienceTable(metrics, contestants).c_str());
  writeJson(options.jsonFile, {{"metrics", metrics}});
}

/// A row a strategy and space: where the final results lie, and how often the optimum itself was found.
void runExperiment(const QualityOptions& options, const std::vector<RecordedSpace>& spaces) {
  const std::size_t trials = *options.experimentTrials;
  const std::vector<Contestant> contestants = chosenStrategies(options);
  const Plan plan{runsOfExperiment(trials), options.seeds.value_or(kSearchesOfExperiment), options.threads};
  const Study result = study("searching", spaces, contestants, plan);
  nlohmann::ordered_json json;
  std::printf("optimum / best found, %zu searches of %zu trials\n", plan.seeds, trials);
  std::printf("%-22s %-14s %7s %7s %7s %7s %7s %9s\n", "space", "strategy", "mean", "min", "p10", "median", "p90",
              "optimum %");
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    const double optimumNs = *spaces[s].best().timeNs;
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      const std::vector<double> finals = fractions(result.courses(s, c, 0), optimumNs, trials);
      const auto solved = static_cast<double>(std::count(finals.begin(), finals.end(), 1.0));
      const Metrics metrics{
          {"mean", mean(finals)},         {"min", quantile(finals, 0)},
          {"p10", quantile(finals, 0.1)}, {"median", quantile(finals, 0.5)},
          {"p90", quantile(finals, 0.9)}, {"optimum_pct", 100 * solved / static_cast<double>(finals.size())}};
      std::printf("%-22s %-14s %7.3f %7.3f %7.3f %7.3f %7.3f %9.1f\n", spaces[s].name().c_str(),
                  contestants[c].name.c_str(), metrics.at("mean"), metrics.at("min"), metrics.at("p10"),
                  metrics.at("median"), metrics.at("p90"), metrics.at("optimum_pct"));
      for (const auto& [name, value] : metrics)
        json["spaces"][spaces[s].name()][contestants[c].name + "_" + name] = value;
    }
    const double random = expectedFractionOfRandom(timesOf(spaces[s]), trials);
    std::printf("%-22s %-14s %7.3f\n", spaces[s].name().c_str(), "random, exact", random);
    json["spaces"][spaces[s].name()]["random_exact_mean"] = random;
  }
  writeJson(options.jsonFile, json);
  if (!options.drawFolder.empty()) draw(options.drawFolder, spaces, contestants, result, result, trials);
}

void run(const std::vector<std::string>& arguments) {
  const QualityOptions options = parseQualityOptions(arguments);
  if (options.wantsHelp) {
    std::cout << qualityHelp();
    return;
  }
  std::vector<RecordedSpace> spaces;
  for (const std::filesystem::path& file : options.spaces) spaces.emplace_back(file);
  if (options.isSensitivity) {
    compareSensitivity(options, spaces);
  } else if (options.isPatience) {
    comparePatience(options, spaces);
  } else if (options.experimentTrials) {
    runExperiment(options, spaces);
  } else {
    compareAll(options, spaces);
  }
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  try {
    hone::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "search_quality: " << error.what() << "\n";
    return 2;
  }
}
