#include "search_quality/replay.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <unordered_map>

#include "search/random_engine.h"

namespace hone::bench {

namespace {

using detail::RandomEngine;
using test::RecordedRow;
using test::RecordedSpace;

// Whoever draws from a search's seed does so from engines of its own.
constexpr std::uint64_t kDefaultStream = 0x64656661756c74;
constexpr std::uint64_t kSampleStream = 0x73616d706c65;

const RecordedRow& randomRow(const RecordedSpace& recorded, std::uint64_t seed) {
  return recorded.rows()[RandomEngine::derived(seed, kDefaultStream).below(recorded.rows().size())];
}

/// What launches take. A configuration's first launch takes a random one of its samples, the later ones those that
/// follow, so that what neighbouring samples have in common is in them; after the last comes the first.
class Launches {
 public:
  Launches(bool isNoisy, std::uint64_t seed) : isNoisy_(isNoisy), seed_(seed ^ kSampleStream) {}

  /// Empty if the configuration fails.
  std::optional<double> timeNs(Rank rank, const RecordedRow& row) {
    if (!isNoisy_ || row.samplesNs.empty() || !row.timeNs) return row.timeNs;
    const auto [launches, ignored] = launches_.try_emplace(rank, 0);
    const std::size_t first = RandomEngine::derived(seed_, rank).below(row.samplesNs.size());
    return row.samplesNs[(first + launches->second++) % row.samplesNs.size()];
  }

 private:
  bool isNoisy_;
  std::uint64_t seed_;
  std::unordered_map<Rank, std::size_t> launches_;  // so far, of those with samples
};

}  // namespace

TimesOfSpace timesOf(const RecordedSpace& recorded) {
  std::vector<double> times;
  for (const RecordedRow& row : recorded.rows()) {
    if (row.timeNs) times.push_back(*row.timeNs);
  }
  return {std::move(times), recorded.rows().size()};
}

ReplaySpace::ReplaySpace(const RecordedSpace& recorded, std::uint64_t seed)
    : recorded_(&recorded),
      space_(recorded.searchSpace(randomRow(recorded, seed))),
      rowOf_(recorded.rowsByRank(space_)),
      worstNs_(0) {
  for (const RecordedRow& row : recorded.rows()) worstNs_ = std::max(worstNs_, row.timeNs.value_or(0));
}

Course replay(const ReplaySpace& space, Strategy& strategy, const ReplaySettings& settings) {
  using Clock = std::chrono::steady_clock;
  Course course;
  Evidence evidence;
  Launches launches(settings.isNoisy, settings.seed);
  std::optional<double> unitNs;
  double bestNs = space.worstNs();
  const auto isOver = [&] {
    const bool isSolved = !settings.isNoisy && bestNs == space.optimumNs();
    return course.trials >= settings.trials || isSolved;
  };

  while (!isOver()) {
    const std::size_t wanted = std::min(settings.batch, settings.trials - course.trials);
    Clock::time_point start = Clock::now();
    const Proposal proposal = strategy.propose(space.space(), evidence, wanted);
    Clock::duration duration = Clock::now() - start;
    if (proposal.candidates.empty()) break;
    for (Rank rank : proposal.candidates) {
      ++course.trials;
      if (evidence.find(rank)) {
        ++course.duplicates;
      } else {
        const std::optional<double> timeNs = launches.timeNs(rank, space.row(rank));
        if (timeNs && !unitNs) unitNs = timeNs;
        start = Clock::now();
        evidence.add({rank, timeNs ? std::optional(*timeNs / *unitNs) : std::nullopt});
        duration += Clock::now() - start;
      }
      if (const Trial* best = evidence.best()) bestNs = *space.row(best->rank).timeNs;
      course.bestNs.push_back(bestNs);
    }
    const auto nanoseconds = static_cast<double>(std::chrono::nanoseconds(duration).count());
    course.stepDurationsNs.push_back(nanoseconds / static_cast<double>(proposal.candidates.size()));
  }
  course.bestNs.resize(settings.trials, bestNs);
  return course;
}

}  // namespace hone::bench
