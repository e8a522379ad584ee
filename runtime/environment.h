// The switches that whoever runs a program has: the environment, read in this one place.
#pragma once

#include <functional>

#include "hone/options.h"

namespace hone::detail {

/// Gives a variable's text, or null.
using Environment = std::function<const char*(const char* name)>;

/// hone::withEnvironment for any environment.
Options withEnvironment(Options options, const Environment& environment);

}  // namespace hone::detail
