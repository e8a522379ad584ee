#include "options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <limits>
#include <sstream>

#include "errors.h"
#include "parse_number.h"
#include "problem_size.h"

namespace hone::apps {

namespace po = boost::program_options;

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

// All values are read as texts: boost's own conversion takes -1 for an unsigned number.
po::options_description describe(const Program& program) {
  std::string sizes;
  for (const std::string& name : program.problemNames) sizes += (sizes.empty() ? "" : "x") + name;
  const auto text = [](const char* placeholder) { return po::value<std::string>()->value_name(placeholder); };
  const hone::Options defaults;

  po::options_description description("Options");
  auto add = description.add_options();
  add("device", text("D"),
      "index or part of the name or of the platform's, over all platforms (default: the first GPU, else the first)");
  add("list-devices", "show all devices with what is known of each");
  add("problem", text(sizes.c_str()), ("default: " + problemText(program.defaultProblem)).c_str());
  add("launches", text("N"), "end after N launches; a few more measure the winner");
  add("seconds", text("S"), "end after S seconds (default: 60 where --launches is not given)");
  add("until-settled", "end as soon as the search has ended");
  add("strategy", text("NAME"), (strategyList() + " (default: " + defaults.strategy + ")").c_str());
  add("trials", text("N"), "end tuning after N judged candidates");
  add("budget", text("B"),
      ("what tuning may cost, as a part of the default's time; inf: no limit (default: " +
       shortText(defaults.slowdownBudget) + ")")
          .c_str());
  add("seed", text("N"), ("seed of the strategy (default: " + std::to_string(defaults.seed) + ")").c_str());
  add("tuning", text("on|off"), "off: only the default runs (default: on)");
  add("restrict", po::value<std::vector<std::string>>()->value_name("P=V:V,..."),
      "values that candidates may take; several parameters with commas");
  add("check", "compare the output of every launch with a reference");
  add("json", text("FILE"), "write the closing figures to FILE");
  for (const OwnOption& own : program.ownOptions) {
    if (own.placeholder.empty()) {
      add(own.name.c_str(), own.help.c_str());
    } else {
      add(own.name.c_str(), text(own.placeholder.c_str()), own.help.c_str());
    }
  }
  add("help", "show this");
  return description;
}

po::variables_map parse(const Program& program, const std::vector<std::string>& arguments) {
  const po::options_description description = describe(program);
  // Abbreviated options would change their meaning as options are added.
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  try {
    const auto parsed = po::command_line_parser(arguments).options(description).style(style).run();
    for (const auto& option : parsed.options) {
      if (option.position_key >= 0) throw InputError("unexpected argument '" + option.value.at(0) + "'");
    }
    po::store(parsed, values);
    po::notify(values);
  } catch (const po::error& error) {
    throw InputError(error.what());
  }
  return values;
}

class Reader {
 public:
  explicit Reader(po::variables_map values) : values_(std::move(values)) {}

  bool has(const char* option) const { return values_.count(option) > 0; }
  std::string text(const char* option) const { return values_[option].as<std::string>(); }
  std::vector<std::string> texts(const char* option) const { return values_[option].as<std::vector<std::string>>(); }

  std::uint64_t whole(const char* option, std::uint64_t atLeast) const {
    const auto number = parseNumber<std::uint64_t>(text(option));
    if (!number || *number < atLeast) fail(option, "expected a whole number of at least " + std::to_string(atLeast));
    return *number;
  }

  double positive(const char* option) const {
    const auto number = parseNumber<double>(text(option));
    if (!number || !std::isfinite(*number) || *number <= 0) fail(option, "expected a number above 0");
    return *number;
  }

  double budget(const char* option) const {
    if (text(option) == "inf") return std::numeric_limits<double>::infinity();
    const auto number = parseNumber<double>(text(option));
    if (!number || !std::isfinite(*number) || *number < 0) fail(option, "expected a number from 0, or inf");
    return *number;
  }

  [[noreturn]] void fail(const char* option, const std::string& expectation) const {
    throw InputError("--" + std::string(option) + " '" + text(option) + "': " + expectation);
  }

 private:
  po::variables_map values_;
};

void readTuning(const Reader& reader, hone::Options& tuning) {
  if (reader.has("strategy")) {
    tuning.strategy = reader.text("strategy");
    const auto known = strategyNames();
    if (std::find(known.begin(), known.end(), tuning.strategy) == known.end())
      reader.fail("strategy", "expected one of " + strategyList());
  }
  if (reader.has("trials")) tuning.maxTrials = reader.whole("trials", 1);
  if (reader.has("budget")) tuning.slowdownBudget = reader.budget("budget");
  if (reader.has("seed")) tuning.seed = reader.whole("seed", 0);
  if (reader.has("tuning")) {
    const std::string mode = reader.text("tuning");
    if (mode != "on" && mode != "off") reader.fail("tuning", "expected on or off");
    tuning.mode = mode == "on" ? hone::Mode::tune : hone::Mode::off;
  }
}

std::map<std::string, std::string> readOwn(const Reader& reader, const std::vector<OwnOption>& options) {
  std::map<std::string, std::string> own;
  for (const OwnOption& option : options) {
    const char* name = option.name.c_str();
    if (!reader.has(name)) continue;
    own[option.name] = option.placeholder.empty() ? "" : reader.text(name);
    const auto& choices = option.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), own[option.name]) == choices.end())
      reader.fail(name, "expected one of " + listed(choices));
  }
  return own;
}

}  // namespace

RunOptions parseOptions(const Program& program, const std::vector<std::string>& arguments) {
  const Reader reader(parse(program, arguments));
  RunOptions options;
  options.problem = program.defaultProblem;
  options.wantsHelp = reader.has("help");
  options.wantsDeviceList = reader.has("list-devices");
  if (options.wantsHelp || options.wantsDeviceList) return options;

  if (reader.has("device")) {
    options.device = reader.text("device");
    if (options.device.empty()) reader.fail("device", "expected an index or a part of a name");
  }
  options.isDefaultProblem = !reader.has("problem");
  if (reader.has("problem")) options.problem = parseProblem(reader.text("problem"), program.problemNames);
  if (reader.has("launches")) options.launches = reader.whole("launches", 1);
  if (reader.has("seconds")) options.seconds = reader.positive("seconds");
  if (!options.launches && !options.seconds) options.seconds = kDefaultSeconds;
  options.endsSettled = reader.has("until-settled");
  readTuning(reader, options.tuning);
  if (reader.has("restrict")) {
    for (const std::string& text : reader.texts("restrict")) {
      for (Restriction& restriction : parseRestrictions(text)) options.restrictions.push_back(std::move(restriction));
    }
  }
  options.isChecked = reader.has("check");
  options.own = readOwn(reader, program.ownOptions);
  options.tuning = withEnvironment(options.tuning);
  if (reader.has("json")) {
    options.jsonFile = reader.text("json");
    if (options.jsonFile.empty()) reader.fail("json", "expected a file");
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
