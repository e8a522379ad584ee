#include "papers/search_run.h"

#include <limits>

#include "errors.h"
#include "measuring_loop.h"
#include "papers/watched_strategy.h"
#include "run_program.h"

namespace hone::bench {

SearchRun runSearch(apps::Workload& workload, const std::vector<apps::Restriction>& restrictions,
                    const SearchOrder& order, apps::Console& console) {
  const auto watch = std::make_shared<Watch>();
  Options options;
  options.strategy = order.strategy;
  options.makeStrategy = watched(order.strategy, watch);
  options.seed = order.seed;
  options.slowdownBudget = std::numeric_limits<double>::infinity();
  options.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + apps::oneLine(d.message)); };
  const apps::TunedWork work = workload.tune(options, restrictions).front();
  const apps::RunFigures figures =
      apps::runLaunches(work, {.launches = {}, .seconds = order.seconds, .endsSettled = true}, console);
  const std::optional<SearchSpace> space = watch->space();
  if (!space) throw apps::InputError("nothing was searched: is HONE_STRATEGY, HONE_MODE or HONE_PIN set?");
  return {figures.report, *space, watch->trials(), figures.totalSeconds, figures.settledAt.has_value()};
}

std::vector<std::string> SearchRun::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : report.best) names.push_back(name);
  return names;
}

NamedConfiguration named(const std::vector<std::string>& names, const std::vector<std::int64_t>& values) {
  NamedConfiguration configuration;
  for (std::size_t p = 0; p < names.size(); ++p) configuration.emplace_back(names[p], values[p]);
  return configuration;
}

}  // namespace hone::bench
