// --json and other outputs: the file is tried before the run, so that a wrong path does not cost one.
#pragma once

#include <string>

#include "nlohmann/json.hpp"

namespace hone::apps {

/// Throws InputError, naming the option, if the file cannot be written. What it holds stays; a file that was not there
/// is not left behind.
void requireWritable(const std::string& path, const std::string& option = "--json");

/// Throws InputError if writing fails.
void writeJson(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace hone::apps
