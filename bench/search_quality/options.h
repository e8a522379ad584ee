// The command line of search_quality.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hone::bench {

struct QualityOptions {
  std::vector<std::filesystem::path> spaces;  // files of recorded spaces
  std::vector<std::string> strategies;        // of strategyNames(); empty: all
  std::optional<std::size_t> seeds;           // empty: as many as the kind of run has by itself
  std::size_t threads = 1;
  bool isQuick = false;
  bool isSensitivity = false;
  bool isPatience = false;
  std::optional<std::size_t> experimentTrials;
  std::string jsonFile;  // empty: none
  std::string drawFolder;
  bool wantsHelp = false;
};

/// Throws apps::InputError, naming the option and its value.
QualityOptions parseQualityOptions(const std::vector<std::string>& arguments);

std::string qualityHelp();

}  // namespace hone::bench
