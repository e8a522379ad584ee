// A strategy behind JSON lines: whoever measures asks for configurations and tells what they cost.
//
//   AskTell search(seed, "annealing");
//   std::cout << search.answer(R"({"space": {"parameters": {"x": [1, 2, 3]}}})") << "\n";
//
//   {"space": {...}}                                  {"space": {"configurations": 3, "parameters": ["x"]}}
//   {"ask": 2}                                        {"ask": [{"x": 2}, {"x": 1}], "converged": false}
//   {"tell": {"x": 2}, "cost": 0.5}                   {"tell": 1}             the number of trials so far
//   {"tell": {"x": 1}, "cost": null}                  {"tell": 2}             it failed
//   {"best": null}                                    {"best": {"x": 2}, "cost": 0.5}        null if nothing succeeded
//   anything else                                     {"error": "..."}        and nothing has changed
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "hone/strategy.h"
#include "tools/space_file.h"

namespace hone::detail {

/// Thread safety: externally synchronised.
class AskTell {
 public:
  /// Throws UsageError for an unknown strategy.
  AskTell(std::string strategy, std::uint64_t seed);

  /// Begins a search on the space, as the message does.
  void begin(NamedSpace space);

  /// The answer to a line, without a line break. Costs are finite and positive, in one unit of the caller's. Asked
  /// again before all was told, a strategy gives the same configurations again; what was not asked for can be told,
  /// too. A second space begins a new search. Never throws for what a line says.
  std::string answer(const std::string& line);

 private:
  using Json = nlohmann::ordered_json;

  Json answerTo(const Json& request);
  Json ask(const Json& request);
  Json tell(const Json& request);
  Json best() const;
  Rank rankFrom(const Json& configuration) const;
  Json named(Rank rank) const;

  std::string strategyName_;
  std::uint64_t seed_;
  std::optional<NamedSpace> space_;
  std::unique_ptr<Strategy> strategy_;
  Evidence evidence_;
  std::optional<double> unit_;  // the first cost: strategies are shown costs relative to it
};

}  // namespace hone::detail
