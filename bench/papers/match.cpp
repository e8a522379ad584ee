#include "papers/match.h"

#include <chrono>

#include "search_quality/scores.h"

namespace hone::bench {

namespace {

constexpr std::size_t kLeastRounds = 5;

}  // namespace

std::vector<double> playMatch(const std::vector<Pinned*>& entrants, const MatchLength& length) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::vector<std::vector<double>> samples(entrants.size());
  for (std::size_t round = 0; round < length.rounds; ++round) {
    if (round >= kLeastRounds && seconds() >= length.seconds) break;
    for (std::size_t i = 0; i < entrants.size(); ++i) {
      const std::size_t entrant = (round + i) % entrants.size();
      samples[entrant].push_back(entrants[entrant]->sampleMs());
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& each : samples) medians.push_back(quantile(std::move(each), 0.5));
  return medians;
}

}  // namespace hone::bench
