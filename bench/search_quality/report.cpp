#include "search_quality/report.h"

#include <algorithm>
#include <cstdio>

namespace hone::bench {

namespace {

constexpr std::size_t kLongest = 400;
constexpr std::size_t kOfBatches = 100;

std::string fractionName(std::size_t trials) { return "f" + std::to_string(trials); }

Metrics figuresOfSpace(const Study& study, std::size_t s, const test::RecordedSpace& space,
                       const std::vector<Contestant>& contestants, std::size_t runs) {
  const TimesOfSpace times = timesOf(space);
  Metrics metrics{{"rows", static_cast<double>(times.rows())},
                  {"valid", static_cast<double>(times.ascending().size())},
                  {"budget", static_cast<double>(scoringBudget(times))},
                  {"optimum_ms", times.optimum() / 1e6}};
  for (std::size_t trials : kLookedAt)
    metrics["random_exact_" + fractionName(trials)] = expectedFractionOfRandom(times, trials);
  const auto meanFraction = [&](const std::vector<Course>& courses, std::size_t trials) {
    return mean(fractions(courses, times.optimum(), trials));
  };

  for (std::size_t c = 0; c < contestants.size(); ++c) {
    const std::string& name = contestants[c].name;
    const std::vector<Course>& courses = study.courses(s, c, kNoiseFree);
    std::size_t trials = 0, duplicates = 0;
    std::vector<double> steps;
    for (const Course& course : courses) {
      trials += course.trials;
      duplicates += course.duplicates;
      steps.insert(steps.end(), course.stepDurationsNs.begin(), course.stepDurationsNs.end());
    }
    for (std::size_t at : kLookedAt) metrics[name + "_" + fractionName(at)] = meanFraction(courses, at);
    metrics[name + "_p10_100"] = quantile(fractions(courses, times.optimum(), 100), 0.1);
    metrics[name + "_p0"] = normalisedScore(times, meanBest(courses));
    metrics[name + "_duplicates_pct"] =
        100 * static_cast<double>(duplicates) / static_cast<double>(std::max<std::size_t>(trials, 1));
    if (!steps.empty()) metrics[name + "_replay_step_us"] = quantile(std::move(steps), 0.5) / 1000;
    if (runs > kNoisy) {
      for (std::size_t at : kLookedAt)
        metrics[name + "_noisy_" + fractionName(at)] = meanFraction(study.courses(s, c, kNoisy), at);
    }
    if (runs > kBatch4) metrics[name + "_batch4_f100"] = meanFraction(study.courses(s, c, kBatch4), kOfBatches);
    if (runs > kBatch16) metrics[name + "_batch16_f100"] = meanFraction(study.courses(s, c, kBatch16), kOfBatches);
  }
  return metrics;
}

bool isScore(const std::string& metric) { return metric.ends_with("_p0"); }

}  // namespace

std::vector<Run> noiseFreeOnly() {
  const auto atLeastTheBudget = [](const TimesOfSpace& times) { return std::max(kLongest, scoringBudget(times)); };
  return {{.isNoisy = false, .batch = 1, .trials = atLeastTheBudget}};
}

std::vector<Run> wholeComparison() {
  std::vector<Run> runs = noiseFreeOnly();
  runs.push_back({.isNoisy = true, .batch = 1, .trials = [](const TimesOfSpace&) { return kLongest; }});
  for (std::size_t batch : {4, 16})
    runs.push_back({.isNoisy = false, .batch = batch, .trials = [](const TimesOfSpace&) { return kOfBatches; }});
  return runs;
}

QualityFigures figuresOf(const Study& study, const std::vector<test::RecordedSpace>& spaces,
                         const std::vector<Contestant>& contestants, std::size_t runs) {
  QualityFigures figures;
  std::map<std::string, std::vector<double>> values;
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    Metrics metrics = figuresOfSpace(study, s, spaces[s], contestants, runs);
    const bool isScored = metrics["budget"] >= static_cast<double>(kMinimumScoringBudget);
    for (const auto& [name, value] : metrics) {
      if (isScored || !isScore(name)) values[name].push_back(value);
    }
    figures.spaces[spaces[s].name()] = std::move(metrics);
  }
  for (const char* ofOneSpace : {"rows", "valid", "budget", "optimum_ms"}) values.erase(ofOneSpace);
  for (const auto& [name, ofSpaces] : values) figures.overall[name] = mean(ofSpaces);
  return figures;
}

std::string qualityTable(const QualityFigures& figures, const std::vector<Contestant>& contestants) {
  struct Column {
    const char* title;
    const char* metric;
    int decimals;
  };
  constexpr Column kColumns[] = {{"25", "f25", 3},          {"50", "f50", 3},
                                 {"100", "f100", 3},        {"200", "f200", 3},
                                 {"400", "f400", 3},        {"p10@100", "p10_100", 3},
                                 {"P0", "p0", 3},           {"noisy 25", "noisy_f25", 3},
                                 {"50", "noisy_f50", 3},    {"100", "noisy_f100", 3},
                                 {"200", "noisy_f200", 3},  {"batch 4", "batch4_f100", 3},
                                 {"16", "batch16_f100", 3}, {"dup %", "duplicates_pct", 1},
                                 {"step us", "step_us", 1}};
  std::size_t nameWidth = std::string("random, exact").size();
  for (const Contestant& contestant : contestants) nameWidth = std::max(nameWidth, contestant.name.size());
  const auto width = [](const Column& column) {
    return static_cast<int>(std::max<std::size_t>(std::string(column.title).size(), 6) + 1);
  };

  std::string table(nameWidth, ' ');
  char cell[64];
  for (const Column& column : kColumns) {
    std::snprintf(cell, sizeof cell, "%*s", width(column), column.title);
    table += cell;
  }
  const auto row = [&](const std::string& title, const std::string& key) {
    table += "\n" + title + std::string(nameWidth - title.size(), ' ');
    for (const Column& column : kColumns) {
      const auto found = figures.overall.find(key + "_" + column.metric);
      if (found == figures.overall.end()) {
        std::snprintf(cell, sizeof cell, "%*s", width(column), "-");
      } else {
        std::snprintf(cell, sizeof cell, "%*.*f", width(column), column.decimals, found->second);
      }
      table += cell;
    }
  };
  for (const Contestant& contestant : contestants) row(contestant.name, contestant.name);
  row("random, exact", "random_exact");
  return table + "\n";
}

nlohmann::ordered_json toJson(const QualityFigures& figures) {
  nlohmann::ordered_json json;
  json["metrics"] = figures.overall;
  json["spaces"] = figures.spaces;
  return json;
}

}  // namespace hone::bench
