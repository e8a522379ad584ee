// The command line that all instrumented programs share.
//
//   const auto options = parseOptions(program, {argv + 1, argv + argc});
//   if (options.wantsHelp) std::cout << helpText(program);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hone/options.h"
#include "restriction.h"

namespace hone::apps {

/// What differs between the programs.
struct Program {
  std::string name;
  std::string summary;                    // one line for --help
  std::vector<std::string> problemNames;  // {"M", "N", "K"}
  std::vector<std::int64_t> defaultProblem;
};

struct RunOptions {
  std::string device;  // an index or a part of the name; empty: the first GPU, or else the first device
  std::vector<std::int64_t> problem;
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
};

/// How long a run lasts where neither --launches nor --seconds is given.
inline constexpr double kDefaultSeconds = 60;

/// Throws InputError, naming the option and its value. With --help or --list-devices nothing else is looked at.
RunOptions parseOptions(const Program& program, const std::vector<std::string>& arguments);

std::string helpText(const Program& program);

}  // namespace hone::apps
