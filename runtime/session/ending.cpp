// How a session ends: when exploring is over, and the final after it.
#include <algorithm>
#include <limits>

#include "session/session.h"

namespace hone::detail {

void Session::endIfDone() {
  if (phase_ != Phase::exploring) return;
  const bool isOutOfCandidates = hasStrategyConverged_ && underWay_.empty();
  // Whoever has no patience limit wants everything tried, and who has no budget counts no costs.
  const bool hasPatience = limits_.patience != std::numeric_limits<std::size_t>::max();
  const std::size_t patience = (incumbent_ == kDefaultEntry ? thresholds_.stop.patienceInVain : 1) * limits_.patience;
  const bool isOutOfPatience = hasPatience && trialsSinceGain_ >= patience;
  const bool isCounting = hasPatience && !account_->isUnlimited();
  const double gain = 1 - entries_[incumbent_].relativeCost / entries_[kDefaultEntry].relativeCost;
  const bool isDoneFor = isCounting && !isWorthGoingOn({trials_, launches_, gain, expense_}, thresholds_.stop);
  if (isOutOfCandidates || isOutOfPatience || isDoneFor || trials_ >= limits_.maxTrials) settle();
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
  beginFinal();
}

void Session::beginFinal() {
  std::vector<EntryIndex> entrants{incumbent_};
  for (EntryIndex index : contenders_) {
    const bool isClose =
        entries_[index].relativeCost <= (1 + thresholds_.final.contenderMargin) * entries_[incumbent_].relativeCost;
    if (isClose && index != incumbent_) entrants.push_back(index);
  }
  if (incumbent_ != kDefaultEntry) entrants.push_back(kDefaultEntry);
  for (EntryIndex index : entrants) {
    entries_[index].ratios.clear();
    entries_[index].mean.clear();
  }
  quiet_.dropWaiting();
  busy_.dropWaiting();
  final_.emplace(entrants, thresholds_.final);
}

void Session::judgeFinal() {
  const bool isDecided = final_->judge(sandwich().yardstick().noise());
  const bool isAllIn = !final_->next() && sandwich().waiting().empty() &&
                       std::all_of(entries_.begin(), entries_.end(), [](const Entry& e) { return e.inFlight == 0; });
  if (isDecided || isAllIn) endFinal();
}

/// The fastest stays, but for the default's sake: whoever does not gain on it, in median and mean, goes.
void Session::endFinal() {
  const double ofDefault = final_->ratio(kDefaultEntry).value_or(entries_[kDefaultEntry].relativeCost);
  EntryIndex winner = kDefaultEntry;
  for (EntryIndex index : final_->ranking()) {
    const bool isGain =
        *final_->ratio(index) < (1 - thresholds_.race.comparison.worthKnowing) * ofDefault && !isMeanTooHigh(index);
    if (index == kDefaultEntry || !isGain) continue;
    winner = index;
    break;
  }
  entries_[kDefaultEntry].relativeCost = ofDefault;
  if (winner != kDefaultEntry) entries_[winner].relativeCost = *final_->ratio(winner);
  final_.reset();
  const EntryIndex former = incumbent_;
  incumbent_ = winner;
  entries_[winner].state = State::inUse;
  for (EntryIndex index : std::exchange(contenders_, {})) dropContender(index);
  dropContender(former);
  quiet_.endDisturbance();
  busy_.endDisturbance();
  hasNews_ = true;
}

}  // namespace hone::detail
