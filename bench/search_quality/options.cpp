#include "search_quality/options.h"

#include <algorithm>
#include <sstream>
#include <thread>

#include "command_line.h"
#include "errors.h"
#include "hone/strategy.h"

namespace hone::bench {

using apps::InputError;

namespace {

apps::OptionList describe() {
  apps::OptionList description("Options");
  auto add = description.add_options();
  add("spaces", apps::textsOption("PATH"),
      "a folder of recorded spaces, or the file of one (.csv or .csv.gz); may be repeated");
  add("strategy", apps::textsOption("NAME"), "only this strategy; may be repeated");
  add("seeds", apps::textOption("N"),
      "searches of a strategy on a space (default: 100; 3 with --quick, 128 with --experiment)");
  add("threads", apps::textOption("N"), "searches at a time (default: as many as there are cores)");
  add("json", apps::textOption("FILE"), "write all metrics to FILE");
  add("draw", apps::textOption("DIR"), "draw curves and distributions of final results, an SVG file a space");
  add("sensitivity", "compare temperatures of annealing and sizes of the swarm instead");
  add("patience", "compare after how many trials in vain a search ends instead");
  add("experiment", apps::textOption("TRIALS"),
      "CLTune's experiment instead: the distribution of what searches of TRIALS trials find");
  add("quick", "a look that takes less than a minute");
  add("help", "show this");
  return description;
}

bool isRecordedSpace(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".csv") || name.ends_with(".csv.gz");
}

std::vector<std::filesystem::path> filesOf(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path path : paths) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (isRecordedSpace(entry.path())) found.push_back(entry.path());
    }
    if (found.empty()) throw InputError("--spaces '" + path.string() + "': no recorded space in this folder");
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace

QualityOptions parseQualityOptions(const std::vector<std::string>& arguments) {
  const apps::CommandLine line(describe(), arguments);
  QualityOptions options;
  options.wantsHelp = line.has("help");
  if (options.wantsHelp) return options;
  if (!line.has("spaces")) throw InputError("--spaces is missing");
  options.spaces = filesOf(line.texts("spaces"));
  if (line.has("strategy")) {
    options.strategies = line.texts("strategy");
    const std::vector<std::string> known = strategyNames();
    for (const std::string& name : options.strategies) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError("--strategy '" + name + "': there is no such strategy");
    }
  }
  if (line.has("seeds")) options.seeds = line.whole("seeds", 1);
  options.threads =
      line.has("threads") ? line.whole("threads", 1) : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
  options.isQuick = line.has("quick");
  options.isSensitivity = line.has("sensitivity");
  if (line.has("experiment")) options.experimentTrials = line.whole("experiment", 1);
  options.isPatience = line.has("patience");
  if (options.isSensitivity + options.isPatience + options.experimentTrials.has_value() > 1)
    throw InputError("--sensitivity, --patience and --experiment are different runs");
  if (line.has("json")) options.jsonFile = line.text("json");
  if (line.has("draw")) options.drawFolder = line.text("draw");
  return options;
}

std::string qualityHelp() {
  std::ostringstream help;
  help << "search_quality --spaces DIR [options]: replays the strategies on recorded spaces\n\n" << describe();
  return help.str();
}

}  // namespace hone::bench
