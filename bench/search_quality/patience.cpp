#include "search_quality/patience.h"

#include <algorithm>
#include <cstdio>

namespace hone::bench {

namespace {

constexpr std::size_t kPatience[] = {20, 30, 40, 50, 60, 80, 100, 120};
constexpr std::size_t kAhead = 8;
constexpr std::size_t kLongest = 400;
// A smaller gain does not make a new incumbent: races call it a tie.
constexpr double kGain = 0.01;
constexpr double kMissed = 1.03;

std::string nameOf(const Contestant& contestant, std::size_t patience) {
  return contestant.name + "_patience" + std::to_string(patience);
}

}  // namespace

std::vector<Run> runsOfPatience() {
  return {{.isNoisy = false, .batch = kAhead, .trials = [](const TimesOfSpace&) { return kLongest; }}};
}

Ending endingOf(const Course& course, std::size_t patience) {
  double incumbentNs = course.bestNs.front();
  std::size_t inVain = 0, trials = 1;
  for (; trials < course.bestNs.size() && inVain < patience; ++trials) {
    const bool isGain = course.bestNs[trials] < (1 - kGain) * incumbentNs;
    if (isGain) incumbentNs = course.bestNs[trials];
    inVain = isGain ? 0 : inVain + 1;
  }
  return {course.bestNs[trials - 1], trials};
}

Metrics patienceFigures(const Study& study, const std::vector<test::RecordedSpace>& spaces,
                        const std::vector<Contestant>& contestants) {
  Metrics metrics;
  for (std::size_t c = 0; c < contestants.size(); ++c) {
    for (const std::size_t patience : kPatience) {
      std::vector<double> losses, missed, trials;
      for (std::size_t s = 0; s < spaces.size(); ++s) {
        for (const Course& course : study.courses(s, c, 0)) {
          const Ending ending = endingOf(course, patience);
          const double ratio = ending.bestNs / *spaces[s].best().timeNs;
          losses.push_back(100 * (ratio - 1));
          missed.push_back(ratio > kMissed ? 100 : 0);
          trials.push_back(static_cast<double>(ending.trials));
        }
      }
      const std::string name = nameOf(contestants[c], patience);
      metrics[name + "_loss_pct"] = mean(losses);
      metrics[name + "_missed_pct"] = mean(missed);
      metrics[name + "_trials"] = mean(trials);
    }
  }
  return metrics;
}

std::string patienceTable(const Metrics& metrics, const std::vector<Contestant>& contestants) {
  char line[128];
  std::snprintf(line, sizeof line, "%-14s %8s %8s %12s %8s\n", "strategy", "patience", "loss %", "over 3 %, %",
                "trials");
  std::string table = line;
  for (const Contestant& contestant : contestants) {
    for (const std::size_t patience : kPatience) {
      const std::string name = nameOf(contestant, patience);
      std::snprintf(line, sizeof line, "%-14s %8zu %8.2f %12.1f %8.0f\n", contestant.name.c_str(), patience,
                    metrics.at(name + "_loss_pct"), metrics.at(name + "_missed_pct"), metrics.at(name + "_trials"));
      table += line;
    }
  }
  return table;
}

}  // namespace hone::bench
