// A session's candidates, from the strategy's proposal until they can be launched.
#include <algorithm>
#include <string>

#include "hone/error.h"
#include "session/session.h"

namespace hone::detail {

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
  return buildsAfforded(std::min(room, trialsLeft));
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
    if (toll_) toll_->beginBuild();
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
  if (toll_) toll_->endBuild();
  if (isAbandoned(index)) return;
  Entry& entry = entries_[index];
  entry.prepared = std::move(prepared);
  entry.state = State::ready;
}

void Session::markFailed(EntryIndex index) {
  if (toll_) toll_->endBuild();
  if (!isAbandoned(index)) recordFailure(index);
}

/// Takes note that an abandoned candidate's preparation is over.
bool Session::isAbandoned(EntryIndex index) {
  if (entries_[index].state != State::abandoned) return false;
  entries_[index].state = State::judged;
  --abandoned_;
  return true;
}

}  // namespace hone::detail
