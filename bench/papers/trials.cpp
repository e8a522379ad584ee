#include "papers/trials.h"

#include <algorithm>
#include <limits>

#include "hone/strategy.h"
#include "parallel.h"

namespace hone::bench {

namespace {

constexpr std::size_t kLongestReplay = 400;

}  // namespace

std::optional<std::size_t> trialsUntilGood(const std::vector<std::optional<double>>& times, double best) {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] && *times[i] <= kAsGood * best) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> replayedTrials(const test::RecordedSpace& recorded, const test::RecordedRow& defaultRow,
                                          double bestNs, const std::string& strategyName, std::uint64_t seed,
                                          std::size_t atMost) {
  const SearchSpace space = recorded.searchSpace(defaultRow);
  const std::vector<std::size_t> rowOf = recorded.rowsByRank(space);
  const std::unique_ptr<Strategy> strategy = makeStrategy(strategyName, seed);
  const double defaultNs = defaultRow.timeNs.value();
  Evidence evidence;
  std::vector<std::optional<double>> times;
  const auto tryOut = [&](Rank rank) {
    const test::RecordedRow& row = recorded.rows()[rowOf[rank]];
    std::optional<double> relative;
    if (row.timeNs) relative = *row.timeNs / defaultNs;
    evidence.add({rank, relative});
    times.push_back(row.timeNs);
  };
  tryOut(space.start());
  while (!trialsUntilGood(times, bestNs) && times.size() <= atMost) {
    const std::vector<Rank> candidates = strategy->propose(space, evidence, 1).candidates;
    const auto fresh = std::find_if(candidates.begin(), candidates.end(), [&](Rank r) { return !evidence.find(r); });
    if (fresh == candidates.end()) break;
    tryOut(*fresh);
  }
  return trialsUntilGood(times, bestNs);
}

std::optional<std::size_t> medianReplayedTrials(const test::RecordedSpace& recorded,
                                                const test::RecordedRow& defaultRow, double bestNs,
                                                const std::string& strategy, std::size_t seeds) {
  constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> counts(seeds);
  apps::inParallel(seeds, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      counts[i] = replayedTrials(recorded, defaultRow, bestNs, strategy, i + 1, kLongestReplay).value_or(kNever);
  });
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(seeds / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  if (*middle == kNever) return std::nullopt;
  return *middle;
}

}  // namespace hone::bench
