#include "options.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "command_line.h"
#include "parse_number.h"
#include "problem_size.h"

namespace hone::apps {

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string strategyList() { return listed(strategyNames()); }

std::string shortText(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

OptionList describe(const Program& program) {
  std::string sizes;
  for (const std::string& name : program.problemNames) sizes += (sizes.empty() ? "" : "x") + name;
  const hone::Options defaults;

  OptionList description("Options");
  auto add = description.add_options();
  add("device", textOption("D"),
      "index or part of the name or of the platform's, over all platforms (default: the first GPU, else the first)");
  add("list-devices", "show all devices with what is known of each");
  const std::string oneSize = program.isOneSizeEnough ? "; one number stands for all" : "";
  add("problem", textOption(sizes.c_str()), ("default: " + problemText(program.defaultProblem) + oneSize).c_str());
  if (program.takesProblemList) {
    add("problems", textOption("P,P,..."),
        "several problems, one after the other, all of one tuner: they share --launches and --seconds evenly; --trials "
        "and "
        "--until-settled are for each");
  }
  add("launches", textOption("N"), "end after N launches; a few more measure the winner");
  add("seconds", textOption("S"), "end after S seconds (default: 60 where --launches is not given)");
  add("until-settled", "end as soon as the search has ended");
  add("strategy", textOption("NAME"), (strategyList() + " (default: " + defaults.strategy + ")").c_str());
  add("trials", textOption("N"), "end tuning after N judged candidates");
  add("budget", textOption("B"),
      ("what tuning may cost, as a part of the default's time; inf: no limit (default: " +
       shortText(defaults.slowdownBudget) + ")")
          .c_str());
  add("seed", textOption("N"), ("seed of the strategy (default: " + std::to_string(defaults.seed) + ")").c_str());
  add("tuning", textOption("on|off"), "off: only the default runs (default: on)");
  add("restrict", textsOption("P=V:V,..."), "values that candidates may take; several parameters with commas");
  add("check", "compare the output of every launch with a reference");
  add("json", textOption("FILE"), "write the closing figures to FILE");
  for (const OwnOption& own : program.ownOptions) {
    if (own.placeholder.empty()) {
      add(own.name.c_str(), own.help.c_str());
    } else {
      add(own.name.c_str(), textOption(own.placeholder.c_str()), own.help.c_str());
    }
  }
  add("help", "show this");
  return description;
}

double budgetOf(const CommandLine& line) {
  if (line.text("budget") == "inf") return std::numeric_limits<double>::infinity();
  const auto number = parseNumber<double>(line.text("budget"));
  if (!number || !std::isfinite(*number) || *number < 0) line.fail("budget", "expected a number from 0, or inf");
  return *number;
}

void readTuning(const CommandLine& line, hone::Options& tuning) {
  if (line.has("strategy")) {
    tuning.strategy = line.text("strategy");
    const auto known = strategyNames();
    if (std::find(known.begin(), known.end(), tuning.strategy) == known.end())
      line.fail("strategy", "expected one of " + listed(known));
  }
  if (line.has("trials")) tuning.maxTrials = line.whole("trials", 1);
  if (line.has("budget")) tuning.slowdownBudget = budgetOf(line);
  if (line.has("seed")) tuning.seed = line.whole("seed", 0);
  if (line.has("tuning")) {
    const std::string mode = line.text("tuning");
    if (mode != "on" && mode != "off") line.fail("tuning", "expected on or off");
    tuning.mode = mode == "on" ? hone::Mode::tune : hone::Mode::off;
  }
}

void readProblems(const CommandLine& line, const Program& program, RunOptions& options) {
  const auto parse = [&](std::string_view text, const char* option) {
    return parseProblem(std::string(text), program.problemNames, program.isOneSizeEnough, option);
  };
  const bool isList = program.takesProblemList && line.has("problems");
  options.isDefaultProblem = !line.has("problem") && !isList;
  if (line.has("problem")) options.problem = parse(line.text("problem"), "--problem");
  if (!isList) return;
  if (line.has("problem")) line.fail("problems", "not together with --problem");
  const std::string list = line.text("problems");
  for (const std::string_view text : split(list, ',')) {
    std::vector<std::int64_t> problem = parse(text, "--problems");
    if (std::find(options.problems.begin(), options.problems.end(), problem) != options.problems.end())
      line.fail("problems", problemText(problem) + " is in it twice");
    options.problems.push_back(std::move(problem));
  }
  options.problem = options.problems.front();
}

std::map<std::string, std::string> readOwn(const CommandLine& line, const std::vector<OwnOption>& options) {
  std::map<std::string, std::string> own;
  for (const OwnOption& option : options) {
    const char* name = option.name.c_str();
    if (!line.has(name)) continue;
    own[option.name] = option.placeholder.empty() ? "" : line.text(name);
    const auto& choices = option.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), own[option.name]) == choices.end())
      line.fail(name, "expected one of " + listed(choices));
  }
  return own;
}

}  // namespace

RunOptions parseOptions(const Program& program, const std::vector<std::string>& arguments) {
  const CommandLine line(describe(program), arguments);
  RunOptions options;
  options.problem = program.defaultProblem;
  options.wantsHelp = line.has("help");
  options.wantsDeviceList = line.has("list-devices");
  if (options.wantsHelp || options.wantsDeviceList) return options;

  if (line.has("device")) {
    options.device = line.text("device");
    if (options.device.empty()) line.fail("device", "expected an index or a part of a name");
  }
  readProblems(line, program, options);
  if (line.has("launches")) options.launches = line.whole("launches", 1);
  if (line.has("seconds")) options.seconds = line.positive("seconds");
  if (!options.launches && !options.seconds) options.seconds = kDefaultSeconds;
  options.endsSettled = line.has("until-settled");
  readTuning(line, options.tuning);
  if (line.has("restrict")) {
    for (const std::string& text : line.texts("restrict")) {
      for (Restriction& restriction : parseRestrictions(text)) options.restrictions.push_back(std::move(restriction));
    }
  }
  options.isChecked = line.has("check");
  options.own = readOwn(line, program.ownOptions);
  options.tuning = withEnvironment(options.tuning);
  if (line.has("json")) {
    options.jsonFile = line.text("json");
    if (options.jsonFile.empty()) line.fail("json", "expected a file");
  }
  return options;
}

std::string helpText(const Program& program) {
  std::ostringstream text;
  text << program.name << ": " << program.summary << "\nusage: " << program.name << " [options]\n\n"
       << describe(program);
  return text.str();
}

}  // namespace hone::apps
