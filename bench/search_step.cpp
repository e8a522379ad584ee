// What does a step of a search cost (propose and record), on CLTune's GEMM space of 241,600
// configurations? And how long does it take to enumerate that space?
//
//   search_step [--quick] [--json FILE]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench_options.h"
#include "hone/hone.h"
#include "session/session.h"
#include "support/reference_spaces.h"

namespace {

using Clock = std::chrono::steady_clock;
using hone::detail::Session;

double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

/// A smooth cost with its minimum somewhere inside: the squared distance to one configuration, as SearchSpace::nearest
/// measures it.
double costOf(const hone::SearchSpace& space, const std::vector<std::int64_t>& configuration, const hone::Point& best) {
  double cost = 1;
  for (std::size_t p = 0; p < configuration.size(); ++p) {
    const std::vector<std::int64_t>& values = space.values(p);
    const auto position = std::find(values.begin(), values.end(), configuration[p]) - values.begin();
    const double steps = std::max<double>(1, static_cast<double>(values.size() - 1));
    const double difference = (static_cast<double>(position) - static_cast<double>(best[p])) / steps;
    cost += difference * difference;
  }
  return cost;
}

/// Durations of single steps over whole searches of 200 trials, each with a seed of its own. A step is what a trial
/// costs beside its launches: showing the strategy the trials so far, its proposal, and the session's taking of
/// candidates and of the candidate's samples.
std::vector<double> timeSteps(const std::shared_ptr<const hone::SearchSpace>& space, const std::string& name,
                              int searches) {
  constexpr std::size_t kTrials = 200;
  std::vector<double> durations;
  for (int seed = 1; seed <= searches; ++seed) {
    const std::unique_ptr<hone::Strategy> strategy = hone::makeStrategy(name, static_cast<std::uint64_t>(seed));
    const hone::Point best = space->point(space->size() / static_cast<hone::Rank>(seed + 1));
    hone::detail::Account unlimited;
    Session session(space->configuration(space->start()), {kTrials, kTrials, 2}, unlimited);
    hone::Evidence shown;
    const auto launch = [&] {
      const Session::Choice choice = session.next(true);
      const double cost = costOf(*space, session.configuration(choice.entry), best);
      const Clock::time_point start = Clock::now();
      session.record(choice.entry, cost);
      return microsecondsSince(start);
    };
    while (session.phase() == hone::Phase::warmingUp) launch();
    session.attachSpace(space);
    while (session.phase() == hone::Phase::exploring) {
      const std::size_t trials = session.evidence().trials().size();
      const Clock::time_point start = Clock::now();
      if (const std::size_t wanted = session.candidatesWanted(); wanted > 0) {
        for (std::size_t i = shown.trials().size(); i < trials; ++i) shown.add(session.evidence().trials()[i]);
        const hone::Proposal proposal = strategy->propose(*space, shown, wanted + session.candidatesUnderWay());
        for (Session::EntryIndex entry : session.offer(proposal, shown.trials().size()))
          session.markReady(entry, nullptr);
      }
      double duration = microsecondsSince(start);
      while (session.phase() == hone::Phase::exploring && session.evidence().trials().size() == trials)
        duration += launch();
      durations.push_back(duration);
    }
  }
  return durations;
}

hone::bench::Metrics measure(bool isQuick) {
  hone::bench::Metrics metrics;
  hone::SpaceDeclarations declarations("gemm");
  hone::test::declareGemm(declarations, 1024);
  std::vector<double> enumerations;
  for (int i = 0; i < (isQuick ? 3 : 11); ++i) {
    const Clock::time_point start = Clock::now();
    const hone::SearchSpace space(declarations);
    enumerations.push_back(microsecondsSince(start) / 1000);
  }
  metrics["gemm_241600_ms"] = quantile(enumerations, 0.5);

  const auto space = std::make_shared<const hone::SearchSpace>(declarations);
  std::printf("%llu configurations\n%-14s %10s %10s %10s  us a step\n", static_cast<unsigned long long>(space->size()),
              "strategy", "median", "p90", "p99");
  for (const std::string& name : hone::strategyNames()) {
    const std::vector<double> durations = timeSteps(space, name, isQuick ? 5 : 50);
    std::string key = name;
    std::replace(key.begin(), key.end(), '-', '_');
    metrics[key + "_step_us"] = quantile(durations, 0.5);
    metrics[key + "_step_p99_us"] = quantile(durations, 0.99);
    std::printf("%-14s %10.2f %10.2f %10.2f\n", name.c_str(), quantile(durations, 0.5), quantile(durations, 0.9),
                quantile(durations, 0.99));
  }
  std::printf("enumerating the space: %.1f ms\n", metrics["gemm_241600_ms"]);
  return metrics;
}

}  // namespace

int main(int argc, char** argv) {
  return hone::bench::runBench({"search_step", "times the steps of each strategy"}, argc, argv,
                               [](const hone::bench::BenchOptions& options) { return measure(options.isQuick); });
}
