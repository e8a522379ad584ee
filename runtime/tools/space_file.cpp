#include "tools/space_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "hone/error.h"
#include "search/random_engine.h"

namespace hone::detail {

namespace {

using Json = nlohmann::ordered_json;
using Values = std::vector<std::int64_t>;

constexpr std::uint64_t kDefaultStream = 0x64656661756c74;  // nobody else draws from this engine

struct Table {
  std::vector<std::string> names;
  std::vector<Values> ranges;  // by parameter
  std::vector<std::string> constraints;
  std::optional<std::vector<Values>> configurations;
  std::optional<Values> byDefault;
};

std::int64_t integerFrom(const Json& json, const std::string& what) {
  const bool isTooLarge =
      json.is_number_unsigned() && json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max();
  if (!json.is_number_integer() || isTooLarge) throw UsageError(what + ": expected an integer of 64 bits");
  return json.get<std::int64_t>();
}

Values integersFrom(const Json& json, const std::string& what) {
  if (!json.is_array()) throw UsageError(what + ": expected an array of integers");
  Values values;
  for (const Json& value : json) values.push_back(integerFrom(value, what));
  return values;
}

Table tableFrom(const Json& declaration) {
  if (!declaration.is_object()) throw UsageError("the space is no JSON object");
  Table table;
  for (const auto& [key, value] : declaration.items()) {
    if (key == "parameters") {
      if (!value.is_object()) throw UsageError("'parameters': expected an object");
      for (const auto& [name, values] : value.items()) {
        table.names.push_back(name);
        table.ranges.push_back(integersFrom(values, "the values of '" + name + "'"));
      }
    } else if (key == "constraints") {
      if (!value.is_array()) throw UsageError("'constraints': expected an array of texts");
      for (const Json& constraint : value) {
        if (!constraint.is_string()) throw UsageError("'constraints': expected an array of texts");
        table.constraints.push_back(constraint.get<std::string>());
      }
    } else if (key == "configurations") {
      if (!value.is_array()) throw UsageError("'configurations': expected an array of arrays");
      table.configurations.emplace();
      for (const Json& configuration : value)
        table.configurations->push_back(integersFrom(configuration, "'configurations'"));
    } else if (key != "default") {
      throw UsageError("unknown key '" + key + "'");
    }
  }
  if (table.names.empty()) throw UsageError("the space has no 'parameters'");
  if (declaration.contains("default")) {
    const Json& values = declaration["default"];
    if (!values.is_object() || values.size() != table.names.size())
      throw UsageError("'default': expected a value for each parameter");
    table.byDefault.emplace();
    for (const std::string& name : table.names) {
      if (!values.contains(name)) throw UsageError("'default': '" + name + "' is missing");
      table.byDefault->push_back(integerFrom(values[name], "'default'"));
    }
  }
  return table;
}

/// Allows the listed configurations alone. They are looked up by number: their values' positions as digits.
void requireOneOf(Declarations& declarations, const std::vector<Parameter>& parameters, const Table& table) {
  if (parameters.size() > kMaximumLambdaReads)
    throw UsageError("configurations are listed for at most " + std::to_string(kMaximumLambdaReads) + " parameters");
  double points = 1;
  for (const Values& range : table.ranges) points *= static_cast<double>(range.size());
  if (points > 0x1p63) throw UsageError("there are too many combinations of values");
  const auto numberOf = [ranges = table.ranges](const std::int64_t* values) -> std::optional<std::uint64_t> {
    std::uint64_t number = 0;
    for (std::size_t p = 0; p < ranges.size(); ++p) {
      const auto found = std::find(ranges[p].begin(), ranges[p].end(), values[p]);
      if (found == ranges[p].end()) return std::nullopt;
      number = number * ranges[p].size() + static_cast<std::uint64_t>(found - ranges[p].begin());
    }
    return number;
  };
  std::vector<std::uint64_t> allowed;
  for (const Values& configuration : *table.configurations) {
    if (configuration.size() != parameters.size())
      throw UsageError("'configurations': one has " + std::to_string(configuration.size()) + " values instead of " +
                       std::to_string(parameters.size()));
    const auto number = numberOf(configuration.data());
    if (!number) throw UsageError("'configurations': one has a value that its parameter does not have");
    allowed.push_back(*number);
  }
  std::sort(allowed.begin(), allowed.end());
  declarations.require("is listed",
                       makeLambda("listed", {parameters.begin(), parameters.end()},
                                  [allowed = std::move(allowed), numberOf](const std::int64_t* values) -> std::int64_t {
                                    return std::binary_search(allowed.begin(), allowed.end(), numberOf(values).value());
                                  }));
}

Values defaultOf(const Table& table, std::uint64_t seed) {
  if (table.byDefault) return *table.byDefault;
  if (table.configurations && !table.configurations->empty())
    return (*table.configurations)[RandomEngine::derived(seed, kDefaultStream).below(table.configurations->size())];
  Values middle;
  for (const Values& range : table.ranges) middle.push_back(range.empty() ? 0 : range[range.size() / 2]);
  return middle;
}

NamedSpace spaceFrom(const Table& table, std::uint64_t seed) {
  SpaceDeclarations declarations("the space");
  const Values byDefault = defaultOf(table, seed);
  std::vector<Parameter> parameters;
  for (std::size_t p = 0; p < table.names.size(); ++p) {
    if (p >= byDefault.size()) throw UsageError("'configurations': one has too few values");
    parameters.push_back(declarations.addParameter(table.names[p], Range(table.ranges[p]), byDefault[p]));
  }
  for (const std::string& constraint : table.constraints) declarations.require(declarations.expression(constraint));
  if (table.configurations) requireOneOf(declarations, parameters, table);
  SearchSpace space(declarations);
  if (space.size() == 0) throw UsageError("no configuration is valid");
  return {table.names, std::move(space)};
}

/// zlib reads files that are not compressed as they are.
std::string contentsOf(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose_r);
  if (!file) throw UsageError(path + ": cannot be opened");
  std::string contents;
  std::array<char, 1 << 16> chunk;
  int read = 0;
  while ((read = gzread(file.get(), chunk.data(), chunk.size())) > 0)
    contents.append(chunk.data(), static_cast<std::size_t>(read));
  int code = Z_OK;
  gzerror(file.get(), &code);
  if (read < 0 || code != Z_OK) throw UsageError(path + ": cannot be read");
  return contents;
}

/// The line's cells before `end`, or all.
std::vector<std::string> cellsOf(const std::string& line, std::size_t atMost) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; cells.size() < atMost && std::getline(in, cell, ',');) cells.push_back(std::move(cell));
  return cells;
}

Table tableOfCsv(const std::string& path, const std::string& contents) {
  std::istringstream in(contents);
  std::string line;
  std::getline(in, line);
  Table table;
  table.names = cellsOf(line, std::numeric_limits<std::size_t>::max());
  table.names.erase(std::find(table.names.begin(), table.names.end(), "time_ms"), table.names.end());
  if (table.names.empty()) throw UsageError(path + ":1: there are no parameters");
  table.ranges.resize(table.names.size());
  table.configurations.emplace();
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> cells = cellsOf(line, table.names.size());
    Values configuration;
    for (const std::string& cell : cells) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error != std::errc() || end != cell.data() + cell.size())
        throw UsageError(path + ":" + std::to_string(number) + ": '" + cell + "' is no integer");
      configuration.push_back(value);
    }
    if (configuration.size() != table.names.size())
      throw UsageError(path + ":" + std::to_string(number) + ": there are too few cells");
    for (std::size_t p = 0; p < configuration.size(); ++p) table.ranges[p].push_back(configuration[p]);
    table.configurations->push_back(std::move(configuration));
  }
  for (Values& range : table.ranges) {
    std::sort(range.begin(), range.end());
    range.erase(std::unique(range.begin(), range.end()), range.end());
  }
  return table;
}

}  // namespace

NamedSpace parseSpace(const Json& declaration, std::uint64_t seed) { return spaceFrom(tableFrom(declaration), seed); }

NamedSpace readSpaceFile(const std::string& file, std::uint64_t seed) {
  const std::string contents = contentsOf(file);
  if (file.ends_with(".csv") || file.ends_with(".csv.gz")) return spaceFrom(tableOfCsv(file, contents), seed);
  const Json declaration = Json::parse(contents, nullptr, /*allow_exceptions=*/false);
  if (declaration.is_discarded()) throw UsageError(file + ": not JSON");
  return parseSpace(declaration, seed);
}

}  // namespace hone::detail
