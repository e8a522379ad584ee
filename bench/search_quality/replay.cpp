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

  /// Launches the configuration once more; returns the median of all its launches so far, empty if it fails.
  std::optional<double> medianNs(Rank rank, const RecordedRow& row) {
    if (!row.timeNs) return std::nullopt;
    std::vector<double>& times = times_[rank];
    const std::size_t samples = row.samplesNs.size();
    if (isNoisy_ && samples > 0) {
      const std::size_t first = RandomEngine::derived(seed_, rank).below(samples);
      times.push_back(row.samplesNs[(first + times.size()) % samples]);
    } else {
      times.push_back(*row.timeNs);
    }
    return quantile(times, 0.5);
  }
  /// How often it was launched.
  std::size_t count(Rank rank) const { return times_.at(rank).size(); }

 private:
  bool isNoisy_;
  std::uint64_t seed_;
  std::unordered_map<Rank, std::vector<double>> times_;
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

namespace {

/// A search under way.
class Search {
 public:
  Search(const ReplaySpace& space, const ReplaySettings& settings)
      : space_(space), settings_(settings), launches_(settings.isNoisy, settings.seed), bestNs_(space.worstNs()) {}

  const Evidence& evidence() const { return evidence_; }
  std::size_t trialsLeft() const { return settings_.trials - course_.trials; }
  bool isOver() const {
    const bool isSolved = !settings_.isNoisy && bestNs_ == space_.optimumNs();
    return trialsLeft() == 0 || isSolved;
  }

  void tryCandidate(Rank rank) {
    if (evidence_.find(rank)) {
      ++course_.duplicates;
    } else {
      evidence_.add(launched(rank));
    }
    note();
  }
  void measureAgain(Rank rank) {
    evidence_.revise(launched(rank));
    ++course_.remeasured;
    note();
  }

  void noteStep(double durationNs) { course_.stepDurationsNs.push_back(durationNs); }
  Course finish() && {
    course_.bestNs.resize(settings_.trials, bestNs_);
    return std::move(course_);
  }

 private:
  Trial launched(Rank rank) {
    const std::optional<double> timeNs = launches_.medianNs(rank, space_.row(rank));
    if (!timeNs) return {rank, std::nullopt};
    if (!unitNs_) unitNs_ = timeNs;
    return {rank, *timeNs / *unitNs_, launches_.count(rank)};
  }

  void note() {
    ++course_.trials;
    if (const Trial* best = evidence_.best()) bestNs_ = *space_.row(best->rank).timeNs;
    course_.bestNs.push_back(bestNs_);
  }

  const ReplaySpace& space_;
  const ReplaySettings& settings_;
  Launches launches_;
  Evidence evidence_;
  std::optional<double> unitNs_;
  double bestNs_;
  Course course_;
};

}  // namespace

Course replay(const ReplaySpace& space, Strategy& strategy, const ReplaySettings& settings) {
  using Clock = std::chrono::steady_clock;
  Search search(space, settings);
  while (!search.isOver()) {
    const std::size_t wanted = std::min(settings.batch, search.trialsLeft());
    const Clock::time_point start = Clock::now();
    const Proposal proposal = strategy.propose(space.space(), search.evidence(), wanted);
    const Clock::duration duration = Clock::now() - start;
    std::size_t trials = 0;
    for (Rank rank : proposal.remeasure) {
      if (!settings.isNoisy || trials == wanted) break;
      search.measureAgain(rank);
      ++trials;
    }
    for (Rank rank : proposal.candidates) {
      if (trials == wanted) break;
      search.tryCandidate(rank);
      ++trials;
    }
    if (trials == 0) break;
    search.noteStep(static_cast<double>(std::chrono::nanoseconds(duration).count()) / static_cast<double>(trials));
  }
  return std::move(search).finish();
}

}  // namespace hone::bench
