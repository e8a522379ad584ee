// The command line that all instrumented programs share.
//
//   const auto options = parseOptions(program, {argv + 1, argv + argc});
//   if (options.wantsHelp) std::cout << helpText(program);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hone/options.h"
#include "restriction.h"

namespace hone::apps {

/// An option of one program alone.
struct OwnOption {
  std::string name;
  std::string placeholder;  // of its value; empty: it takes none
  std::string help;
  std::vector<std::string> choices = {};  // where not empty, the value is one of these
};

/// What differs between the programs.
struct Program {
  std::string name;
  std::string summary;                    // one line for --help
  std::vector<std::string> problemNames;  // {"M", "N", "K"}
  std::vector<std::int64_t> defaultProblem;
  std::vector<OwnOption> ownOptions = {};
  bool takesProblemList = false;  // --problems
  bool isOneSizeEnough = false;   // a problem of one number has it for each size
};

struct RunOptions {
  std::string device;  // an index or a part of the name; empty: the first GPU, or else the first device
  std::vector<std::int64_t> problem;
  bool isDefaultProblem = true;                     // false: --problem or --problems was given
  std::vector<std::vector<std::int64_t>> problems;  // of --problems, the first of which is `problem`; else empty
  /// The run ends with whichever is reached first; at least one is set.
  std::optional<std::uint64_t> launches;
  std::optional<double> seconds;
  bool endsSettled = false;
  hone::Options tuning;  // mode, strategy, maxTrials, slowdownBudget and seed, and what the environment says
  std::vector<Restriction> restrictions;
  bool isChecked = false;
  std::string jsonFile;  // empty: none
  bool wantsHelp = false;
  bool wantsDeviceList = false;
  std::map<std::string, std::string> own;  // the program's own options that were given, with their values

  /// All problems of the run: those of the list or, without one, the problem.
  std::vector<std::vector<std::int64_t>> allProblems() const {
    if (!problems.empty()) return problems;
    return {problem};
  }
  bool has(const std::string& ownOption) const { return own.count(ownOption) > 0; }
  /// The own option's value; `otherwise` where it was not given.
  std::string value(const std::string& ownOption, const std::string& otherwise) const {
    const auto found = own.find(ownOption);
    return found == own.end() ? otherwise : found->second;
  }
};

/// How long a run lasts where neither --launches nor --seconds is given.
inline constexpr double kDefaultSeconds = 60;

/// Throws InputError, naming the option and its value. With --help or --list-devices nothing else is looked at.
RunOptions parseOptions(const Program& program, const std::vector<std::string>& arguments);

std::string helpText(const Program& program);

}  // namespace hone::apps
