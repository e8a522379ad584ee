#include "search_quality/options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <sstream>
#include <thread>

#include "hone/strategy.h"

namespace hone::bench {

namespace po = boost::program_options;

namespace {

po::options_description describe() {
  const auto text = [](const char* placeholder) { return po::value<std::string>()->value_name(placeholder); };
  const auto texts = [](const char* placeholder) {
    return po::value<std::vector<std::string>>()->value_name(placeholder)->composing();
  };
  po::options_description description("Options");
  auto add = description.add_options();
  add("spaces", texts("PATH"), "a folder of recorded spaces, or the file of one (.csv or .csv.gz); may be repeated");
  add("strategy", texts("NAME"), "only this strategy; may be repeated");
  add("seeds", text("N"), "searches of a strategy on a space (default: 100; 3 with --quick, 128 with --experiment)");
  add("threads", text("N"), "searches at a time (default: as many as there are cores)");
  add("json", text("FILE"), "write all metrics to FILE");
  add("draw", text("DIR"), "draw curves and distributions of final results, an SVG file a space");
  add("sensitivity", "compare temperatures of annealing and sizes of the swarm instead");
  add("experiment", text("TRIALS"),
      "CLTune's experiment instead: the distribution of what searches of TRIALS trials find");
  add("quick", "a look that takes less than a minute");
  add("help", "show this");
  return description;
}

std::size_t wholeNumber(const po::variables_map& values, const char* option) {
  const auto& text = values[option].as<std::string>();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0)
    throw OptionError("--" + std::string(option) + " '" + text + "': expected a whole number of at least 1");
  return number;
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
    if (found.empty()) throw OptionError("--spaces '" + path.string() + "': no recorded space in this folder");
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace

QualityOptions parseQualityOptions(const std::vector<std::string>& arguments) {
  const po::options_description description = describe();
  po::variables_map values;
  try {
    // Abbreviated options would change their meaning as options are added.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const auto parsed = po::command_line_parser(arguments).options(description).style(style).run();
    for (const auto& option : parsed.options) {
      if (option.position_key >= 0) throw OptionError("unexpected argument '" + option.value.at(0) + "'");
    }
    po::store(parsed, values);
    po::notify(values);
  } catch (const po::error& error) {
    throw OptionError(error.what());
  }

  QualityOptions options;
  options.wantsHelp = values.count("help") > 0;
  if (options.wantsHelp) return options;
  if (values.count("spaces") == 0) throw OptionError("--spaces is missing");
  options.spaces = filesOf(values["spaces"].as<std::vector<std::string>>());
  if (values.count("strategy") > 0) {
    options.strategies = values["strategy"].as<std::vector<std::string>>();
    const std::vector<std::string> known = strategyNames();
    for (const std::string& name : options.strategies) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw OptionError("--strategy '" + name + "': there is no such strategy");
    }
  }
  if (values.count("seeds") > 0) options.seeds = wholeNumber(values, "seeds");
  options.threads = values.count("threads") > 0 ? wholeNumber(values, "threads")
                                                : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
  options.isQuick = values.count("quick") > 0;
  options.isSensitivity = values.count("sensitivity") > 0;
  if (values.count("experiment") > 0) options.experimentTrials = wholeNumber(values, "experiment");
  if (options.isSensitivity && options.experimentTrials)
    throw OptionError("--sensitivity and --experiment are two different runs");
  if (values.count("json") > 0) options.jsonFile = values["json"].as<std::string>();
  if (values.count("draw") > 0) options.drawFolder = values["draw"].as<std::string>();
  return options;
}

std::string qualityHelp() {
  std::ostringstream help;
  help << "search_quality --spaces DIR [options]: replays the strategies on recorded spaces\n\n" << describe();
  return help.str();
}

}  // namespace hone::bench
