// The switches that whoever runs a program has: the environment, read in this one place.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "hone/options.h"

namespace hone::detail {

/// Gives a variable's text, or null.
using Environment = std::function<const char*(const char* name)>;

/// hone::withEnvironment for any environment.
Options withEnvironment(Options options, const Environment& environment);

/// What the environment says about compile workers.
struct WorkerSettings {
  std::optional<std::size_t> workers;  // HONE_WORKERS; 0: none
  std::string program;                 // HONE_WORKER; empty: it says nothing
};

/// Throws UsageError, naming the variable, if one cannot be understood.
WorkerSettings workerSettings(const Environment& environment);
WorkerSettings workerSettings();

}  // namespace hone::detail
