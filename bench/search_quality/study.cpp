#include "search_quality/study.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "search/annealing.h"
#include "search/swarm.h"

namespace hone::bench {

std::vector<Contestant> allStrategies() {
  std::vector<Contestant> contestants;
  for (const std::string& name : strategyNames()) {
    std::string key = name;
    std::replace(key.begin(), key.end(), '-', '_');
    contestants.push_back({key, [name](std::uint64_t seed) { return makeStrategy(name, seed); }});
  }
  return contestants;
}

std::vector<Contestant> sensitivityContestants() {
  std::vector<Contestant> contestants;
  for (int temperature : {2, 4, 6}) {
    contestants.push_back({"annealing_T" + std::to_string(temperature), [temperature](std::uint64_t seed) {
                             detail::Annealing::Schedule schedule;
                             schedule.firstTemperature *= temperature / 4.0;
                             return std::make_unique<detail::Annealing>(seed, schedule);
                           }});
  }
  for (std::size_t particles : {std::size_t{3}, std::size_t{6}, detail::Swarm::Rule{}.particles}) {
    contestants.push_back({"swarm_" + std::to_string(particles), [particles](std::uint64_t seed) {
                             detail::Swarm::Rule rule;
                             rule.particles = particles;
                             return std::make_unique<detail::Swarm>(seed, rule);
                           }});
  }
  return contestants;
}

Study runStudy(const std::vector<test::RecordedSpace>& spaces, const std::vector<Contestant>& contestants,
               const Plan& plan, const std::function<void(double)>& progress) {
  Study study(spaces.size(), contestants.size(), plan.runs.size());
  std::vector<std::vector<std::size_t>> trials(spaces.size());  // by space and run
  for (std::size_t s = 0; s < spaces.size(); ++s) {
    const TimesOfSpace times = timesOf(spaces[s]);
    for (std::size_t r = 0; r < plan.runs.size(); ++r) {
      trials[s].push_back(plan.runs[r].trials(times));
      for (std::size_t c = 0; c < contestants.size(); ++c) study.courses(s, c, r).resize(plan.seeds);
    }
  }

  // A job is a space and a seed: all its searches share the ReplaySpace.
  const std::size_t jobs = spaces.size() * plan.seeds;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // of the two below, and of progress
  std::size_t done = 0;
  std::exception_ptr failure;
  const auto runJob = [&](std::size_t job) {
    const std::size_t s = job / plan.seeds, seedIndex = job % plan.seeds;
    const std::uint64_t seed = seedIndex + 1;
    const ReplaySpace space(spaces[s], seed);
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      for (std::size_t r = 0; r < plan.runs.size(); ++r) {
        const Run& run = plan.runs[r];
        study.courses(s, c, r)[seedIndex] =
            replay(space, *contestants[c].make(seed), {trials[s][r], run.batch, run.isNoisy, seed});
      }
    }
  };
  const auto work = [&] {
    for (std::size_t job = next++; job < jobs; job = next++) {
      try {
        runJob(job);
        const std::lock_guard lock(mutex);
        progress(static_cast<double>(++done) / static_cast<double>(jobs));
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        next = jobs;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < std::max<std::size_t>(plan.threads, 1); ++t) threads.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
  return study;
}

std::vector<double> meanBest(const std::vector<Course>& courses) {
  std::vector<double> means(courses.at(0).bestNs.size(), 0.0);
  for (const Course& course : courses) {
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += course.bestNs[i];
  }
  for (double& sum : means) sum /= static_cast<double>(courses.size());
  return means;
}

std::vector<double> fractions(const std::vector<Course>& courses, double optimumNs, std::size_t trials) {
  std::vector<double> fractions;
  for (const Course& course : courses) fractions.push_back(optimumNs / course.bestNs.at(trials - 1));
  return fractions;
}

}  // namespace hone::bench
