#include "environment.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>

#include "hone/error.h"

namespace hone::detail {

namespace {

Mode parseMode(const std::string& text) {
  if (text == "tune") return Mode::tune;
  if (text == "use") return Mode::use;
  if (text == "off") return Mode::off;
  throw UsageError("HONE_MODE: '" + text + "' is none of tune, use, off");
}

/// Throws UsageError naming the variable.
template <class Number>
Number parseNumber(const char* variable, const std::string& text, const char* range) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError(std::string(variable) + ": '" + text + "' is no whole number from " + range);
  return number;
}

/// Empty where the variable is not set, or says nothing.
std::optional<std::string> textOf(const Environment& environment, const char* name) {
  const char* value = environment(name);
  if (!value || !*value) return std::nullopt;
  return value;
}

/// What `read` gives; where it throws, the variable is to blame.
template <class Read>
auto blaming(const char* variable, const Read& read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw UsageError(std::string(variable) + ": " + error.what());
  }
}

}  // namespace

Options withEnvironment(Options options, const Environment& environment) {
  const auto text = [&](const char* name) { return textOf(environment, name); };
  if (const auto mode = text("HONE_MODE")) options.mode = parseMode(*mode);
  if (options.mode == Mode::off) {
    options.pins.clear();
    options.logFile.clear();
    return options;
  }
  if (const auto strategy = text("HONE_STRATEGY")) {
    blaming("HONE_STRATEGY", [&] { return makeStrategy(*strategy, 0); });
    options.strategy = *strategy;
    options.makeStrategy = nullptr;
  }
  if (const auto seed = text("HONE_SEED"))
    options.seed = parseNumber<std::uint64_t>("HONE_SEED", *seed, "0 to 2^64 - 1");
  if (const auto file = text("HONE_PIN")) options.pins = blaming("HONE_PIN", [&] { return readPins(*file); });
  if (const auto file = text("HONE_LOG")) options.logFile = *file;
  return options;
}

WorkerSettings workerSettings(const Environment& environment) {
  WorkerSettings settings;
  if (const auto workers = textOf(environment, "HONE_WORKERS"))
    settings.workers = parseNumber<std::uint16_t>("HONE_WORKERS", *workers, "0 to 65535");
  settings.program = textOf(environment, "HONE_WORKER").value_or("");
  return settings;
}

WorkerSettings workerSettings() {
  return workerSettings([](const char* name) { return std::getenv(name); });
}

}  // namespace hone::detail

hone::Options hone::withEnvironment(Options options) {
  return detail::withEnvironment(std::move(options), [](const char* name) { return std::getenv(name); });
}
