#include <array>

#include "hone/error.h"
#include "hone/strategy.h"
#include "search/annealing.h"
#include "search/auto.h"
#include "search/exhaustive.h"
#include "search/nelder_mead.h"
#include "search/random.h"
#include "search/swarm.h"

namespace hone {

namespace {

struct NamedStrategy {
  const char* name;
  std::unique_ptr<Strategy> (*make)(std::uint64_t seed);
};

template <class T>
std::unique_ptr<Strategy> make(std::uint64_t seed) {
  return std::make_unique<T>(seed);
}

constexpr std::array kStrategies{
    // in alphabetical order
    NamedStrategy{"annealing", make<detail::Annealing>},
    NamedStrategy{"auto", make<detail::Auto>},  // guided by a model
    NamedStrategy{"exhaustive", make<detail::Exhaustive>},
    NamedStrategy{"nelder-mead", make<detail::NelderMead>},
    NamedStrategy{"random", make<detail::RandomSearch>},
    NamedStrategy{"swarm", make<detail::Swarm>},
};

}  // namespace

std::unique_ptr<Strategy> makeStrategy(const std::string& name, std::uint64_t seed) {
  std::string known;
  for (const NamedStrategy& strategy : kStrategies) {
    if (name == strategy.name) return strategy.make(seed);
    known += (known.empty() ? "" : ", ") + std::string(strategy.name);
  }
  throw UsageError("there is no strategy '" + name + "'; the strategies are: " + known);
}

std::vector<std::string> strategyNames() {
  std::vector<std::string> names;
  for (const NamedStrategy& strategy : kStrategies) names.emplace_back(strategy.name);
  return names;
}

}  // namespace hone
