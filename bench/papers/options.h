// The command line of papers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "restriction.h"

namespace hone::bench {

/// One of the processes that share the compiling before the sweep of a program.
struct SweepJob {
  std::string program;
  std::size_t index = 0, count = 1;
};

struct PapersOptions {
  std::string device;
  bool isQuick = false;
  std::vector<std::string> programs;                         // empty: all
  std::string jsonFile, bestFile, otherFile, pictureFolder;  // empty: none
  std::string sweepFolder;   // where the sweeps' tables are kept; empty: for this run alone
  bool isOnlyOther = false;  // nothing is studied: what both files hold is compared
  std::uint64_t seed = 1;
  double searchSeconds = 0;                     // of one search, at most
  std::vector<std::int64_t> problem;            // of all programs, instead of the study's; as many sizes as they have
  std::vector<apps::Restriction> restrictions;  // likewise
  std::optional<SweepJob> sweepJob;             // where this is one of a sweep's processes
  std::vector<std::string> arguments;           // as they were given
  std::optional<std::string> help;              // where asked for: nothing is to be run
};

/// Throws InputError.
PapersOptions parsePapersOptions(const std::vector<std::string>& arguments);

}  // namespace hone::bench
