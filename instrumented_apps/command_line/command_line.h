// A command line, and one line for the user about what is wrong with it.
//
//   OptionList options("Options");
//   options.add_options()("seeds", textOption("N"), "searches of a strategy (default: 100)");
//   const CommandLine line(options, {argv + 1, argv + argc});
//   if (line.has("seeds")) seeds = line.whole("seeds", 1);
#pragma once

#include <boost/program_options.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace hone::apps {

using OptionList = boost::program_options::options_description;

/// An option with a value, and one that may be given several times. All values are read as texts: boost's own
/// conversion takes -1 for an unsigned number.
boost::program_options::typed_value<std::string>* textOption(const char* placeholder);
boost::program_options::typed_value<std::vector<std::string>>* textsOption(const char* placeholder);

/// What was given. Options have their whole names: abbreviations would change their meaning as options are added.
/// Thread safety: immutable.
class CommandLine {
 public:
  enum class Unknown {
    refused,
    kept  // for others(): somebody else knows it
  };

  /// Throws InputError for an option that is not in the list, for a value that is missing, and for an argument that
  /// belongs to no option.
  CommandLine(const OptionList& options, const std::vector<std::string>& arguments, Unknown unknown = Unknown::refused);

  bool has(const char* option) const { return values_.count(option) > 0; }
  const std::vector<std::string>& others() const { return others_; }

  // REQUIRES of what follows: has(option). Throw InputError, naming option and value.
  std::string text(const char* option) const { return values_[option].as<std::string>(); }
  std::vector<std::string> texts(const char* option) const { return values_[option].as<std::vector<std::string>>(); }
  std::uint64_t whole(const char* option, std::uint64_t atLeast) const;
  double positive(const char* option) const;

  /// Throws InputError: "--seeds 'x': expected a whole number"
  [[noreturn]] void fail(const char* option, const std::string& expectation) const;

 private:
  boost::program_options::variables_map values_;
  std::vector<std::string> others_;
};

}  // namespace hone::apps
