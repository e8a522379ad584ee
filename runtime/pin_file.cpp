// The file format of pins: one JSON object a line.

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "hone/error.h"
#include "hone/pin.h"

namespace hone {

namespace {

using Json = nlohmann::ordered_json;
using NamedNumbers = std::vector<std::pair<std::string, std::int64_t>>;

NamedNumbers namedNumbers(const Json& json, const std::string& key) {
  if (!json.is_object()) throw UsageError("'" + key + "' is not an object");
  NamedNumbers numbers;
  for (const auto& [name, value] : json.items()) {
    // What does not fit into 64 bits was read as a floating point number; what fits only without a sign, as unsigned.
    const bool isTooLarge =
        value.is_number_unsigned() && value.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
    if (!value.is_number_integer() || isTooLarge)
      throw UsageError("'" + key + "': the value of '" + name + "' is not an integer of 64 bits");
    numbers.emplace_back(name, value.get<std::int64_t>());
  }
  return numbers;
}

Pin parsePin(const std::string& line) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) throw UsageError("not a JSON object");
  Pin pin;
  for (const auto& [key, value] : json.items()) {
    if (key == "tuner") {
      if (!value.is_string()) throw UsageError("'tuner' is not a string");
      pin.tuner = value.get<std::string>();
    } else if (key == "problem") {
      pin.problem = namedNumbers(value, key);
    } else if (key == "configuration") {
      pin.configuration = namedNumbers(value, key);
    } else {
      throw UsageError("unknown key '" + key + "'");
    }
  }
  if (!json.contains("configuration")) throw UsageError("there is no 'configuration'");
  return pin;
}

Json toJson(const NamedNumbers& numbers) {
  Json json = Json::object();
  for (const auto& [name, value] : numbers) json[name] = value;
  return json;
}

}  // namespace

std::vector<Pin> readPins(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw UsageError("pins: cannot read '" + file + "'");
  std::vector<Pin> pins;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      pins.push_back(parsePin(line));
    } catch (const UsageError& error) {
      throw UsageError("pins: " + file + ", line " + std::to_string(number) + ": " + error.what());
    }
  }
  if (in.bad()) throw UsageError("pins: cannot read '" + file + "'");
  return pins;
}

std::string toJson(const Pin& pin) {
  Json json = Json::object();
  if (!pin.tuner.empty()) json["tuner"] = pin.tuner;
  if (!pin.problem.empty()) json["problem"] = toJson(pin.problem);
  json["configuration"] = toJson(pin.configuration);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace hone
