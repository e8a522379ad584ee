#include "environment.h"

#include <charconv>
#include <cstdlib>
#include <limits>
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

std::uint64_t parseSeed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError("HONE_SEED: '" + text + "' is no whole number from 0 to 2^64 - 1");
  return seed;
}

double parseBudget(const std::string& text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  double budget = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), budget);
  const bool isNumber = error == std::errc() && end == text.data() + text.size();
  if (!isNumber || !(budget >= 0))
    throw UsageError("HONE_BUDGET: '" + text + "' is neither inf nor a number from 0 on");
  return budget;
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
  const auto text = [&](const char* name) -> std::optional<std::string> {
    const char* value = environment(name);
    if (!value || !*value) return std::nullopt;
    return value;
  };
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
  if (const auto seed = text("HONE_SEED")) options.seed = parseSeed(*seed);
  if (const auto budget = text("HONE_BUDGET")) options.slowdownBudget = parseBudget(*budget);
  if (const auto file = text("HONE_PIN")) options.pins = blaming("HONE_PIN", [&] { return readPins(*file); });
  if (const auto file = text("HONE_LOG")) options.logFile = *file;
  return options;
}

}  // namespace hone::detail

hone::Options hone::withEnvironment(Options options) {
  return detail::withEnvironment(std::move(options), [](const char* name) { return std::getenv(name); });
}
