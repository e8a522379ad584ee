// What a session's next launch runs, and whether its cost is wanted.
#include <algorithm>

#include "session/session.h"

namespace hone::detail {

namespace {

constexpr std::uint64_t kSettledSamplingInterval = 64;  // rare enough to cost nothing, often enough to notice a change
// While exploring waits for candidates. A sample costs its launch 2 to 4 us (H200, 200 us a launch), which is more than
// all that compiling in workers takes from the launches.
constexpr std::uint64_t kIdleSamplingInterval = 8;
constexpr std::size_t kBrokenWarmUps = 10;  // from here on the default is sampled as rarely as when settled

// Beside another incumbent the default is measured again every so many launches: often while the two were hardly
// compared, and never so often that it costs much of what the incumbent saves.
constexpr std::uint64_t kDefaultInterval = 32;
constexpr std::uint64_t kEarlyDefaultInterval = 8;
constexpr std::uint64_t kSettledDefaultInterval = 16 * kSettledSamplingInterval;

// Others take turns with the incumbent; with some launches in flight, so many come between two of its own.
constexpr std::uint64_t kLaunchesWithoutIncumbent = 8;

}  // namespace

Session::Choice Session::next(bool canSample, bool isBuilding) {
  ++launches_;
  isBuilding = isBuilding && toll_;
  if (isBuilding != isBuilding_) {  // what comes after is another state of the device
    sandwich().dropWaiting();
    witnessCost_.reset();
  }
  isBuilding_ = isBuilding;
  Choice choice{incumbent_, canSample};
  if (phase_ == Phase::warmingUp) {
    const bool isMeasurable = entries_[kDefaultEntry].broken < kBrokenWarmUps;
    choice.isSampled = canSample && (isMeasurable || launches_ % kSettledSamplingInterval == 0);
  } else if (phase_ == Phase::settled) {
    choice = nextSettled(canSample);
  } else {
    choice.entry = nextExploring(canSample);
    choice.isSampled =
        canSample && (choice.entry != incumbent_ || isWatching() || launches_ % kIdleSamplingInterval == 0);
  }
  wasIncumbentLast_ = choice.entry == incumbent_ && (choice.isSampled || phase_ != Phase::exploring);
  if (choice.entry == kDefaultEntry) defaultAt_ = launches_;
  if (choice.entry == incumbent_) incumbentAt_ = launches_;
  book(choice.entry);
  if (choice.isSampled) ++entries_[choice.entry].inFlight;
  return choice;
}

Session::EntryIndex Session::nextExploring(bool canSample) {
  if (!canAffordIncumbent()) return kDefaultEntry;
  if (!canSample || !wasIncumbentLast_) return incumbent_;
  if (!sandwich().yardstick().isCalm()) return kDefaultEntry;  // the witness
  if (isTimeForDefault()) return kDefaultEntry;
  if (!isTimeForCandidate()) return incumbent_;
  const EntryIndex candidate =
      racing_ ? *racing_ : *std::find_if(underWay_.begin(), underWay_.end(), [&](EntryIndex entry) {
        return entries_[entry].state == State::ready;
      });
  if (!canAffordTrial(candidate)) return incumbent_;
  if (!racing_) {
    racing_ = candidate;
    race_ = Race(thresholds_.race);
    entries_[candidate].state = State::racing;
  }
  return candidate;
}

Session::Choice Session::nextSettled(bool canSample) {
  if (isFixed_) {  // it has had no other samples. The first launch carries one-time costs.
    const bool isEarly = launches_ > 1 && launches_ <= 1 + kWarmUpSamples;
    return {incumbent_, canSample && (isEarly || launches_ % kSettledSamplingInterval == 0)};
  }
  if (!canAffordIncumbent()) return {kDefaultEntry, canSample};
  if (final_) return canSample && abandoned_ == 0 ? nextOfFinal() : Choice{incumbent_, false};
  const bool isSampled = canSample && (launches_ % kSettledSamplingInterval == 0 || !sandwich().yardstick().isCalm());
  const bool isDefaultDue =
      sandwich().yardstick().isCalm() ? launches_ - defaultAt_ >= kSettledDefaultInterval : wasIncumbentLast_;
  return {isSampled && isDefaultDue ? kDefaultEntry : incumbent_, isSampled};
}

Session::Choice Session::nextOfFinal() {
  const std::optional<EntryIndex> entry = final_->next();
  const bool isCovered = entry && (*entry == kDefaultEntry || account_->covers(expectedExcess(*entry)));
  if (!sandwich().yardstick().isCalm()) return {wasIncumbentLast_ ? kDefaultEntry : incumbent_, true};
  if (!isCovered) return {incumbent_, true};
  final_->countLaunch();
  return {*entry, true};
}

bool Session::isTimeForCandidate() const {
  if (!racing_) {
    return std::any_of(underWay_.begin(), underWay_.end(),
                       [&](EntryIndex entry) { return entries_[entry].state == State::ready; });
  }
  std::size_t waiting = 0;
  for (const Sandwich::Sample& sample : sandwich().waiting()) {
    if (sample.isFirst) return false;  // it may tell enough
    waiting += sample.entry == *racing_ ? 1 : 0;
  }
  return entries_[*racing_].inFlight + waiting < race_.launchesAhead();
}

/// Only for the account's sake: races compare with the incumbent.
bool Session::isTimeForDefault() const {
  if (incumbent_ == kDefaultEntry || account_->isUnlimited()) return false;
  const bool isKnown = entries_[kDefaultEntry].mean.count() >= thresholds_.booking.means.knownDefault;
  return launches_ - defaultAt_ >= (isKnown ? kDefaultInterval : kEarlyDefaultInterval);
}

/// Whether the incumbent's samples matter one by one: to a trial that comes next or has just been, to what is known of
/// the incumbent or of builds, or because the device is disturbed.
bool Session::isWatching() const {
  const bool isKnown = account_->isUnlimited() || (isMeanKnown(incumbent_) && isMeanKnown(kDefaultEntry));
  return racing_ || isTimeForCandidate() || isTimeForDefault() || !isKnown || isBuilding_ || !owed_.empty() ||
         !sandwich().waiting().empty() || !sandwich().yardstick().isCalm();
}

bool Session::isIncumbentAway() const {
  return incumbent_ != kDefaultEntry && launches_ - incumbentAt_ > kLaunchesWithoutIncumbent;
}

}  // namespace hone::detail
