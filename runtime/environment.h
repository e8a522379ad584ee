// The switches that whoever runs a program has: the environment, read in this one place.
#pragma once

#include <functional>

#include "hone/options.h"

namespace hone::detail {

/// Gives a variable's text, or null.
using Environment = std::function<const char*(const char* name)>;

/// The process's.
const char* processEnvironment(const char* name);

/// The program's options with what the environment says instead: HONE_MODE, HONE_STRATEGY, HONE_SEED, HONE_PIN,
/// HONE_LOG. An empty variable says nothing. With mode off no file is touched. Throws UsageError, naming the variable,
/// if one cannot be understood.
Options withEnvironment(Options options, const Environment& environment = processEnvironment);

}  // namespace hone::detail
