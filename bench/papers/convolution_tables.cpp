#include "papers/convolution_tables.h"

#include <memory>
#include <thread>

#include "conv2d/convolution.h"
#include "format.h"
#include "papers/cross_table.h"
#include "papers/device_tables.h"
#include "papers/markdown.h"
#include "papers/match.h"
#include "papers/search_run.h"
#include "search_quality/study.h"

namespace hone::bench {

namespace {

apps::conv2d::Shape shapeOf(const std::vector<std::int64_t>& problem) {
  return {static_cast<std::size_t>(problem[0]), static_cast<std::size_t>(problem[1]),
          static_cast<std::size_t>(problem[2])};
}

std::string withPart(double rate, double ceiling) {
  return apps::fixed(rate, 1) + " (" + apps::fixed(100 * rate / ceiling, 1) + " %)";
}

/// One image, a filter size each.
struct Filter {
  std::int64_t size;
  std::unique_ptr<OpenedWorkload> opened;
  NamedConfiguration best;
};

std::optional<Pinned> pinnedIfItRuns(apps::Workload& workload, const NamedConfiguration& configuration) {
  try {
    Pinned pinned(workload, configuration);
    pinned.start();
    return pinned;
  } catch (const DoesNotRun&) {
    return std::nullopt;
  }
}

}  // namespace

std::string ceilingsTable(const BenchContext& context, const ProgramFigures& convolution) {
  const KnownBest& known = context.best.programs.at(convolution.name);
  const apps::conv2d::Shape shape = shapeOf(known.problem);
  const Ceilings ceilings = measureCeilings(context.on, shape.width * shape.height * sizeof(float));
  std::string text = markdownHead({"conv2d " + convolution.problem, "ms", "GFLOP/s", "GB/s"});
  const auto add = [&](const std::string& name, double ms) {
    const double gflops = shape.flop() / ms / 1e6, gigabytes = shape.bytes() / ms / 1e6;
    context.metrics["conv2d_" + name + "_gflops"] = gflops;
    context.metrics["conv2d_" + name + "_gb_per_s"] = gigabytes;
    text += markdownRow(
        {name, cell(ms, 4), withPart(gflops, ceilings.gflops), withPart(gigabytes, ceilings.gigabytesPerSecond)});
  };
  add("default", convolution.defaultMs);
  add("tuned", convolution.tuned.ms);
  context.metrics["ceiling_gflops"] = ceilings.gflops;
  context.metrics["ceiling_gb_per_s"] = ceilings.gigabytesPerSecond;
  return text + markdownRow({"ceilings: multiply-adds, a copy of the image", "", cell(ceilings.gflops, 1),
                             cell(ceilings.gigabytesPerSecond, 1)});
}

std::string filtersTable(const BenchContext& context, const StudiedProgram& convolution) {
  std::vector<Filter> filters;
  CrossTimes cross;
  for (const std::int64_t size : {3, 7, 11}) {
    StudiedProgram program = convolution;
    program.problem[2] = size;
    program.isSwept = false;
    Filter& filter = filters.emplace_back(Filter{size, std::make_unique<OpenedWorkload>(context, program), {}});
    const SearchRun run = runSearch(**filter.opened, convolution.restrictions,
                                    {"auto", context.options.seed, context.options.searchSeconds}, context.console);
    filter.best = run.report.best;
    cross.places.push_back(std::to_string(size) + "x" + std::to_string(size));
  }
  cross.times.assign(filters.size(), std::vector<std::optional<double>>(filters.size()));
  for (std::size_t j = 0; j < filters.size(); ++j) {
    std::vector<Pinned> pinned;
    std::vector<std::size_t> whose;
    pinned.reserve(filters.size());
    for (std::size_t i = 0; i < filters.size(); ++i) {
      auto one = pinnedIfItRuns(**filters[j].opened, forFilter(filters[i].best, filters[i].size, filters[j].size));
      if (!one) continue;
      pinned.push_back(std::move(*one));
      whose.push_back(i);
    }
    std::vector<Pinned*> entrants;
    for (Pinned& each : pinned) entrants.push_back(&each);
    if (entrants.empty()) continue;
    const std::vector<double> ms = playMatch(entrants, {.rounds = 51, .seconds = 6});
    for (std::size_t k = 0; k < whose.size(); ++k) cross.times[whose[k]][j] = ms[k];
  }
  if (const auto worst = cross.worst()) context.metrics["conv2d_other_filter_worst"] = *worst;
  std::string text = crossTable(cross);
  for (const Filter& filter : filters) {
    text += "\n" + std::to_string(filter.size) + "x" + std::to_string(filter.size) + ": " +
            apps::configurationText(filter.best) + "\n";
  }
  return text;
}

std::string sensitivityTable(const BenchContext& context, const StudiedProgram& convolution) {
  constexpr std::size_t kTrials[] = {10, 25, 50, 107};  // CLTune's own is 107
  const std::vector<test::RecordedSpace> spaces{test::RecordedSpace(context.sweepFile(convolution.name))};
  const std::vector<Contestant> contestants = sensitivityContestants();
  Plan plan;
  plan.runs = {{.isNoisy = false, .batch = 1, .trials = [](const TimesOfSpace&) { return std::size_t{107}; }}};
  plan.seeds = context.scale == Scale::quick ? 20 : 128;
  plan.threads = std::max(1u, std::thread::hardware_concurrency());
  const Study study = runStudy(spaces, contestants, plan, [](double) {});
  std::vector<std::string> head{"optimum / best after"};
  for (const std::size_t trials : kTrials) head.push_back(std::to_string(trials) + " trials");
  std::string text = markdownHead(head);
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    std::vector<std::string> cells{contestants[c].name};
    for (const std::size_t trials : kTrials) {
      const double part = mean(fractions(study.courses(0, c, 0), *spaces[0].best().timeNs, trials));
      context.metrics["conv2d_" + contestants[c].name + "_f" + std::to_string(trials)] = part;
      cells.push_back(cell(part, 3));
    }
    text += markdownRow(cells);
  }
  return text;
}

NamedConfiguration forFilter(const NamedConfiguration& configuration, std::int64_t from, std::int64_t to) {
  NamedConfiguration changed = configuration;
  for (auto& [name, value] : changed) {
    if (name == "UNROLL_FACTOR" && value == from) value = to;
  }
  return changed;
}

}  // namespace hone::bench
