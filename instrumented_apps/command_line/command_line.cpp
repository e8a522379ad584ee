#include "command_line.h"

#include <cmath>

#include "errors.h"
#include "parse_number.h"

namespace hone::apps {

namespace po = boost::program_options;

po::typed_value<std::string>* textOption(const char* placeholder) {
  return po::value<std::string>()->value_name(placeholder);
}

po::typed_value<std::vector<std::string>>* textsOption(const char* placeholder) {
  return po::value<std::vector<std::string>>()->value_name(placeholder)->composing();
}

CommandLine::CommandLine(const OptionList& options, const std::vector<std::string>& arguments, Unknown unknown) {
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  try {
    po::command_line_parser parser(arguments);
    parser.options(options).style(style);
    if (unknown == Unknown::kept) parser.allow_unregistered();
    const auto parsed = parser.run();
    for (const auto& option : parsed.options) {
      if (option.position_key >= 0) throw InputError("unexpected argument '" + option.value.at(0) + "'");
    }
    others_ = po::collect_unrecognized(parsed.options, po::exclude_positional);
    po::store(parsed, values_);
    po::notify(values_);
  } catch (const po::error& error) {
    throw InputError(error.what());
  }
}

std::uint64_t CommandLine::whole(const char* option, std::uint64_t atLeast) const {
  const auto number = parseNumber<std::uint64_t>(text(option));
  if (!number || *number < atLeast) fail(option, "expected a whole number of at least " + std::to_string(atLeast));
  return *number;
}

double CommandLine::positive(const char* option) const {
  const auto number = parseNumber<double>(text(option));
  if (!number || !std::isfinite(*number) || *number <= 0) fail(option, "expected a number above 0");
  return *number;
}

void CommandLine::fail(const char* option, const std::string& expectation) const {
  throw InputError("--" + std::string(option) + " '" + text(option) + "': " + expectation);
}

}  // namespace hone::apps
