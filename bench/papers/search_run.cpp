#include "papers/search_run.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "errors.h"
#include "measuring_loop.h"
#include "papers/watched_strategy.h"
#include "run_program.h"

namespace hone::bench {

namespace {

constexpr double kLookSeconds = 60;

// Costs do not count: trials run as soon as they can.
Options unlimited(apps::Console& console) {
  Options options;
  options.slowdownBudget = std::numeric_limits<double>::infinity();
  options.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + apps::oneLine(d.message)); };
  return options;
}

SearchSpace seenBy(const Watch& watch) {
  const std::optional<SearchSpace> space = watch.space();
  if (!space) throw apps::InputError("nothing was searched: is HONE_STRATEGY, HONE_MODE or HONE_PIN set?");
  return *space;
}

/// With the last trial, of which the strategy may not have heard any more.
std::vector<Trial> completed(std::vector<Trial> tried, const SearchSpace& space, const Report& report) {
  Point point;
  for (std::size_t p = 0; p < space.dimensions(); ++p) {
    const std::vector<std::int64_t>& values = space.values(p);
    const auto at = std::find(values.begin(), values.end(), report.best[p].second);
    point.push_back(static_cast<std::uint32_t>(at - values.begin()));
  }
  const std::optional<Rank> best = space.rank(point);
  const auto isBest = [&](const Trial& trial) { return trial.rank == best; };
  if (best && report.bestCost && report.defaultCost && std::none_of(tried.begin(), tried.end(), isBest))
    tried.push_back({*best, *report.bestCost / *report.defaultCost});
  return tried;
}

}  // namespace

SearchRun runSearch(apps::Workload& workload, const std::vector<apps::Restriction>& restrictions,
                    const SearchOrder& order, apps::Console& console) {
  const auto watch = std::make_shared<Watch>();
  Options options = unlimited(console);
  options.makeStrategy = watched(order.strategy, watch);
  options.seed = order.seed;
  const apps::TunedWork work = workload.tune(options, restrictions).front();
  const apps::RunFigures figures =
      apps::runLaunches(work, {.launches = {}, .seconds = order.seconds, .endsSettled = true}, console);
  const SearchSpace space = seenBy(*watch);
  return {figures.report, space, completed(watch->trials(), space, figures.report), figures.settledAt.has_value()};
}

NamedSpace spaceOf(apps::Workload& workload, const std::vector<apps::Restriction>& restrictions) {
  const auto watch = std::make_shared<Watch>();
  Options options;
  options.makeStrategy = onlyLooking(watch);
  options.slowdownBudget = std::numeric_limits<double>::infinity();
  const apps::TunedWork work = workload.tune(options, restrictions).front();
  const auto start = std::chrono::steady_clock::now();
  while (!watch->space() && std::chrono::steady_clock::now() - start < std::chrono::duration<double>(kLookSeconds))
    work.launch().wait();
  NamedSpace named{seenBy(*watch), {}};
  for (const auto& [name, value] : work.report().best) named.names.push_back(name);
  return named;
}

NamedConfiguration named(const std::vector<std::string>& names, const std::vector<std::int64_t>& values) {
  NamedConfiguration configuration;
  for (std::size_t p = 0; p < names.size(); ++p) configuration.emplace_back(names[p], values[p]);
  return configuration;
}

}  // namespace hone::bench
