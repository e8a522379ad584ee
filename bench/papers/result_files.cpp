#include "papers/result_files.h"

#include <filesystem>
#include <fstream>

#include "errors.h"
#include "json_file.h"
#include "nlohmann/json.hpp"

namespace hone::bench {

namespace {

using Json = nlohmann::ordered_json;

Json readJson(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw apps::InputError("'" + file + "': cannot be read");
  try {
    return Json::parse(in);
  } catch (const Json::exception& error) {
    throw apps::InputError("'" + file + "': " + error.what());
  }
}

// An empty file is one that is to be filled.
bool holdsSomething(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && std::filesystem::file_size(file, ignored) > 0;
}

KnownBest knownBestFrom(const Json& json) {
  KnownBest best;
  best.problem = json.at("problem").get<std::vector<std::int64_t>>();
  for (const auto& [name, value] : json.at("configuration").items())
    best.configuration.emplace_back(name, value.get<std::int64_t>());
  best.ms = json.at("ms").get<double>();
  return best;
}

Json toJson(const KnownBest& best) {
  Json json{{"problem", best.problem}, {"configuration", Json::object()}, {"ms", best.ms}};
  for (const auto& [name, value] : best.configuration) json["configuration"][name] = value;
  return json;
}

}  // namespace

DeviceBest readBest(const std::string& file) {
  const Json json = readJson(file);
  try {
    DeviceBest best{json.at("device").get<std::string>(), json.at("driver").get<std::string>(), {}};
    for (const auto& [name, program] : json.at("programs").items()) best.programs[name] = knownBestFrom(program);
    return best;
  } catch (const Json::exception& error) {
    throw apps::InputError("'" + file + "': holds no best configurations: " + error.what());
  }
}

DeviceBest readOwnBest(const std::string& file, const std::string& device, const std::string& driver) {
  DeviceBest own{device, driver, {}};
  if (!holdsSomething(file)) return own;
  const DeviceBest before = readBest(file);
  if (before.device != device) throw apps::InputError("'" + file + "': is of another device, " + before.device);
  own.programs = before.programs;
  return own;
}

void writeBest(const std::string& file, const DeviceBest& best) {
  Json json{{"device", best.device}, {"driver", best.driver}, {"programs", Json::object()}};
  for (const auto& [name, program] : best.programs) json["programs"][name] = toJson(program);
  apps::writeJson(file, json);
}

void writeMetrics(const std::string& file, const std::map<std::string, double>& metrics) {
  Json json{{"metrics", Json::object()}};
  if (holdsSomething(file)) {
    json = readJson(file);
    if (!json.is_object() || !json.contains("metrics")) throw apps::InputError("'" + file + "': holds no metrics");
  }
  for (const auto& [name, value] : metrics) json["metrics"][name] = value;
  apps::writeJson(file, json);
}

}  // namespace hone::bench
