#include "heat/report.h"

#include <iomanip>
#include <sstream>

#include "format.h"
#include "json_file.h"
#include "problem_size.h"
#include "summary.h"

namespace hone::apps::heat {

namespace {

/// A level as a run of its own.
Summary summaryOf(const Program& program, RunOptions options, const OpenedDevice& on, const LevelFigures& level) {
  options.problem = problemOf(level.grid);
  RunFigures figures;
  figures.report = level.report;
  figures.launches = level.sections;
  figures.settledAt = level.report.settledAt;
  figures.totalSeconds = level.seconds;
  figures.deviceSeconds = level.deviceSeconds;
  figures.launchMedianMs = level.sectionMedianMs;
  return summarise(program, options, on, figures);
}

std::string orUnknown(std::optional<double> ms) { return ms ? milliseconds(*ms) : "unknown"; }

std::string levelTable(const std::vector<Summary>& levels) {
  std::ostringstream text;
  const auto row = [&](const std::vector<std::string>& columns, const std::string& last) {
    text << "  " << std::left << std::setw(14) << columns[0] << std::right;
    for (std::size_t i = 1; i < columns.size(); ++i) text << std::setw(13) << columns[i];
    text << "  " << last << '\n';
  };
  row({"grid", "steps", "time", "default", "best", "speed-up", "trials", "settled at"}, "configuration");
  for (const Summary& level : levels) {
    row({level.problem, std::to_string(level.launches * kSectionSteps), fixed(level.totalSeconds, 2) + " s",
         orUnknown(level.defaultMs), orUnknown(level.bestMs), level.speedup() ? fixed(*level.speedup(), 2) : "unknown",
         std::to_string(level.trials), level.settledAt ? std::to_string(*level.settledAt) : "-"},
        configurationText(level.best));
  }
  return text.str();
}

nlohmann::ordered_json levelJson(const Summary& level) {
  const nlohmann::ordered_json whole = toJson(level);
  nlohmann::ordered_json json;
  json["problem"] = level.problem;
  json["sections"] = level.launches;
  json["steps"] = level.launches * kSectionSteps;
  json["seconds"] = level.totalSeconds;
  for (const char* key : {"default_ms", "best_ms", "speedup", "trials", "failed", "settled_at", "best"})
    json[key] = whole[key];
  return json;
}

}  // namespace

void publish(const Program& program, RunOptions options, const OpenedDevice& on, const SimulationFigures& figures,
             std::ostream& out) {
  std::vector<Summary> levels;
  for (const LevelFigures& level : figures.levels) levels.push_back(summaryOf(program, options, on, level));

  Summary whole = levels.back();
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    whole.trials += levels[i].trials;
    whole.failed += levels[i].failed;
    whole.launches += levels[i].launches;
    whole.totalSeconds += levels[i].totalSeconds;
    whole.deviceSeconds += levels[i].deviceSeconds;
  }
  whole.stallMaxMs = figures.stallMaxMs;
  whole.stallMeanMs = figures.stallMeanMs;
  whole.flopPerLaunch = flopOfSection(figures.levels.back().grid);
  whole.own = {{"steps", std::to_string(figures.steps), static_cast<double>(figures.steps)},
               {"simulated time", scientific(figures.time), figures.time},
               {"first mode error", scientific(figures.firstModeError), figures.firstModeError},
               {"temperature min", fixed(figures.extremes.least, 6), figures.extremes.least},
               {"temperature max", fixed(figures.extremes.most, 6), figures.extremes.most}};

  out << levelTable(levels) << table(whole) << std::flush;
  if (options.jsonFile.empty()) return;
  nlohmann::ordered_json json = toJson(whole);
  json["levels"] = nlohmann::ordered_json::array();
  for (const Summary& level : levels) json["levels"].push_back(levelJson(level));
  writeJson(options.jsonFile, json);
}

}  // namespace hone::apps::heat
