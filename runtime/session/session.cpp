#include "session/session.h"

#include <algorithm>
#include <string>

#include "hone/error.h"
#include "statistics/comparison.h"

namespace hone::detail {

namespace {

constexpr std::size_t kWarmUpSamples = 5;  // after the first, which carries one-time costs of the driver
// A candidate with so many launches without a usable time, and fewer with one, cannot be judged.
constexpr std::size_t kBrokenLimit = 3;
constexpr std::size_t kBrokenWarmUps = 10;  // from here on the default is sampled as rarely as when settled
// Launches of the closing match, half of them the default's: as many pairs as the longest race gives.
constexpr std::size_t kClosingLaunches = 2 * kMaximumPairs;
constexpr std::uint64_t kSettledSamplingInterval = 64;  // rare enough to cost nothing, often enough to notice a change

}  // namespace

Session::Session(std::vector<std::int64_t> defaultConfiguration, SessionLimits limits) : limits_(limits) {
  Entry entry;
  entry.configuration = std::move(defaultConfiguration);
  entry.state = State::inUse;
  entries_.push_back(std::move(entry));
}

Session::Choice Session::next(bool canSample) {
  ++launches_;
  Choice choice{incumbent_, canSample};

  if (phase_ == Phase::warmingUp) {
    const bool isMeasurable = entries_[kDefaultEntry].broken < kBrokenWarmUps;
    choice.isSampled = canSample && (isMeasurable || launches_ % kSettledSamplingInterval == 0);
  } else if (phase_ == Phase::settled) {
    choice = nextSettled(canSample);
  } else {
    wasCandidateLast_ = canSample && isTimeForCandidate();
    if (wasCandidateLast_) {
      if (!racing_) {
        racing_ = *std::find_if(underWay_.begin(), underWay_.end(),
                                [&](EntryIndex entry) { return entries_[entry].state == State::ready; });
        entries_[*racing_].state = State::racing;
      }
      choice.entry = *racing_;
    }
  }
  if (choice.isSampled) ++entries_[choice.entry].inFlight;
  return choice;
}

Session::Choice Session::nextSettled(bool canSample) {
  if (closingLaunches_ == 0) {
    // A fixed session has had no other samples. The first launch carries one-time costs.
    const bool isEarly = isFixed_ && launches_ > 1 && launches_ <= 1 + kWarmUpSamples;
    return {incumbent_, canSample && (isEarly || launches_ % kSettledSamplingInterval == 0)};
  }
  if (!canSample || abandoned_ > 0) return {incumbent_, false};
  --closingLaunches_;
  return {closingLaunches_ % 2 == 0 ? incumbent_ : kDefaultEntry, true};
}

bool Session::isTimeForCandidate() const {
  if (wasCandidateLast_) return false;  // the two are interleaved, so that both see the same device
  if (!racing_) {
    return std::any_of(underWay_.begin(), underWay_.end(),
                       [&](EntryIndex entry) { return entries_[entry].state == State::ready; });
  }
  const Entry& candidate = entries_[*racing_];
  if (candidate.samples.size() == 0) return candidate.inFlight == 0;  // its cost is unknown: one at a time
  const std::size_t wanted = candidate.samples.size() < kMinimumPairs ? kMinimumPairs : kMaximumPairs;
  return candidate.samples.size() + candidate.inFlight < wanted;
}

Session::Entry& Session::answered(EntryIndex index) {
  Entry& entry = entries_[index];
  if (entry.inFlight > 0) --entry.inFlight;
  return entry;
}

void Session::record(EntryIndex index, double cost) {
  Entry& entry = answered(index);
  const bool isFirstOfAll =
      index == kDefaultEntry && phase_ == Phase::warmingUp && entry.samples.size() == 0 && !defaultCost_;
  if (isFirstOfAll) {
    defaultCost_ = cost;  // a first guess, for reports
    return;
  }
  entry.samples.add(cost);
  if (racing_ == index) entry.ratios.add(cost / entries_[incumbent_].samples.latest());
  const SampleWindow& ofDefault = entries_[kDefaultEntry].samples;
  if (isMatchOpen_ && index == incumbent_ && ofDefault.size() > 0) entry.ratios.add(cost / ofDefault.latest());
  if (index == kDefaultEntry && phase_ != Phase::exploring) defaultCost_ = entry.samples.median();
  if (isMatchOpen_) endClosingMatch();
  if (phase_ == Phase::warmingUp && entry.samples.size() >= kWarmUpSamples) {
    phase_ = Phase::exploring;
    hasNews_ = true;
  }
  if (racing_) judgeRace();
}

void Session::recordGivenUp(EntryIndex index) {
  if (index == kDefaultEntry) {
    recordNothing(index);
  } else {
    recordBroken(index);
  }
}

void Session::recordNothing(EntryIndex index) {
  answered(index);
  if (isMatchOpen_) endClosingMatch();
}

void Session::recordBroken(EntryIndex index) {
  Entry& entry = answered(index);
  ++entry.broken;
  const bool isMostlyBroken = entry.broken >= kBrokenLimit && entry.broken > entry.samples.size();
  if (racing_ == index && isMostlyBroken) conclude(index, std::nullopt);
  if (isMatchOpen_) endClosingMatch();
}

void Session::recordFailure(EntryIndex index) {
  Entry& entry = answered(index);
  if (index == kDefaultEntry || entry.state == State::failed) return;
  if (std::find(underWay_.begin(), underWay_.end(), index) != underWay_.end()) {
    conclude(index, std::nullopt);
    return;
  }
  entry.state = State::failed;
  entry.prepared.reset();
  if (incumbent_ == index) {
    incumbent_ = kDefaultEntry;
    hasNews_ = true;
  }
}

void Session::attachSpace(std::shared_ptr<const SearchSpace> space) {
  space_ = std::move(space);
  const bool isEmpty = space_->size() == 0;
  if (!isEmpty && space_->configuration(space_->start()) == entries_[kDefaultEntry].configuration) {
    entries_[kDefaultEntry].rank = space_->start();
    evidence_.add({space_->start(), 1.0});
  }
  const bool isDefaultAlone = space_->size() == evidence_.trials().size();
  if (isEmpty || isDefaultAlone || limits_.maxTrials == 0) settle();
}

std::size_t Session::candidatesWanted() const {
  if (phase_ != Phase::exploring || !space_ || hasStrategyConverged_) return 0;
  if (waitingSince_ == evidence_.trials().size()) return 0;
  const std::size_t room = limits_.candidatesAhead - std::min(limits_.candidatesAhead, underWay_.size());
  const std::size_t trialsLeft = limits_.maxTrials - std::min(limits_.maxTrials, trials_ + underWay_.size());
  return std::min(room, trialsLeft);
}

std::vector<Session::EntryIndex> Session::offer(const Proposal& proposal, std::size_t trialsShown) {
  std::vector<EntryIndex> added;
  if (phase_ != Phase::exploring) return added;
  const std::size_t wanted = candidatesWanted();
  for (Rank rank : proposal.candidates) {
    if (added.size() == wanted) break;
    const bool isUnderWay =
        std::any_of(underWay_.begin(), underWay_.end(), [&](EntryIndex entry) { return entries_[entry].rank == rank; });
    if (isUnderWay || evidence_.find(rank)) continue;
    if (rank >= space_->size()) {
      throw UsageError("the strategy proposed rank " + std::to_string(rank) + " of a space of " +
                       std::to_string(space_->size()));
    }
    if (!space_->isValid(rank)) continue;
    Entry entry;
    entry.configuration = space_->configuration(rank);
    entry.rank = rank;
    entries_.push_back(std::move(entry));
    underWay_.push_back(entries_.size() - 1);
    added.push_back(underWay_.back());
  }
  if (added.size() < wanted) {
    waitingSince_ = trialsShown;
    // A strategy that has seen everything, has nothing to wait for and proposes nothing new will never go on.
    const bool hasSeenAll = trialsShown == evidence_.trials().size();
    hasStrategyConverged_ = proposal.isConverged || (hasSeenAll && underWay_.empty());
  }
  endIfDone();
  return added;
}

void Session::markReady(EntryIndex index, std::shared_ptr<Prepared> prepared) {
  if (isAbandoned(index)) return;
  Entry& entry = entries_[index];
  entry.prepared = std::move(prepared);
  entry.state = State::ready;
}

void Session::markFailed(EntryIndex index) {
  if (!isAbandoned(index)) recordFailure(index);
}

/// Takes note that an abandoned candidate's preparation is over.
bool Session::isAbandoned(EntryIndex index) {
  if (entries_[index].state != State::abandoned) return false;
  entries_[index].state = State::judged;
  --abandoned_;
  return true;
}

void Session::judgeRace() {
  const EntryIndex index = *racing_;
  Entry& candidate = entries_[index];
  const Entry& incumbent = entries_[incumbent_];
  if (candidate.samples.size() == 0) return;
  const bool isLost = isHopeless(candidate.samples, incumbent.samples);
  const Verdict verdict = isLost ? Verdict::worse : compare(candidate.ratios);
  if (verdict == Verdict::undecided) return;
  // The chain of ratios, each taken on interleaved launches, is not misled by a device that changes in the long run.
  candidate.relativeCost = candidate.ratios.median() * incumbent.relativeCost;
  if (verdict == Verdict::better) {
    if (incumbent_ != kDefaultEntry) entries_[incumbent_].prepared.reset();
    incumbent_ = index;
    hasNews_ = true;
    trialsSinceGain_ = 0;
    candidate.state = State::inUse;
    wasCandidateLast_ = false;
  } else {
    ++trialsSinceGain_;
  }
  conclude(index, candidate.relativeCost);
}

void Session::conclude(EntryIndex index, std::optional<double> relativeCost) {
  Entry& entry = entries_[index];
  ++trials_;
  if (!relativeCost) {
    ++failed_;
    ++trialsSinceGain_;
  }
  if (entry.state != State::inUse) {
    entry.state = relativeCost ? State::judged : State::failed;
    entry.prepared.reset();
  }
  evidence_.add({*entry.rank, relativeCost});
  underWay_.erase(std::find(underWay_.begin(), underWay_.end(), index));
  if (racing_ == index) racing_.reset();
  endIfDone();
}

void Session::endIfDone() {
  if (phase_ != Phase::exploring) return;
  const bool isOutOfCandidates = hasStrategyConverged_ && underWay_.empty();
  if (isOutOfCandidates || trials_ >= limits_.maxTrials || trialsSinceGain_ >= limits_.patience) settle();
}

void Session::fix(const std::vector<std::int64_t>* pinned) {
  phase_ = Phase::settled;
  isFixed_ = true;
  hasNews_ = true;
  if (!pinned || *pinned == entries_[kDefaultEntry].configuration) return;
  Entry entry;
  entry.configuration = *pinned;
  entry.state = State::inUse;
  entries_.push_back(std::move(entry));
  incumbent_ = entries_.size() - 1;
}

void Session::settle() {
  if (isFixed_) return;
  if (phase_ != Phase::settled) settledAt_ = launches_;
  phase_ = Phase::settled;
  racing_.reset();
  for (EntryIndex index : underWay_) {
    Entry& entry = entries_[index];
    const bool isInPreparation = entry.state == State::preparing;
    entry.state = isInPreparation ? State::abandoned : State::judged;
    entry.prepared.reset();
    abandoned_ += isInPreparation ? 1 : 0;
  }
  underWay_.clear();
  for (EntryIndex index : {kDefaultEntry, incumbent_}) {
    entries_[index].samples.clear();
    entries_[index].ratios.clear();
  }
  closingLaunches_ = kClosingLaunches;
  isMatchOpen_ = true;
}

void Session::endClosingMatch() {
  const Entry& incumbent = entries_[incumbent_];
  const Entry& byDefault = entries_[kDefaultEntry];
  const bool isComplete = closingLaunches_ == 0 && incumbent.inFlight == 0 && byDefault.inFlight == 0;
  if (!isComplete) return;
  isMatchOpen_ = false;
  hasNews_ = true;
  if (incumbent.ratios.size() == 0) return;
  if (incumbent.ratios.median() > 1 - kMinimumGain) incumbent_ = kDefaultEntry;
}

Report Session::report() const {
  Report report;
  report.phase = phase_;
  report.launches = launches_;
  report.trials = trials_;
  report.failed = failed_;
  report.settledAt = settledAt_;
  report.defaultCost = defaultCost_;
  const SampleWindow& samples = entries_[incumbent_].samples;
  if (incumbent_ == kDefaultEntry) {
    report.bestCost = defaultCost_;
  } else if (samples.size() > 0) {
    report.bestCost = samples.median();
  } else if (defaultCost_) {
    report.bestCost = *defaultCost_ * entries_[incumbent_].relativeCost;
  }
  return report;
}

}  // namespace hone::detail
