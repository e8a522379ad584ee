// A session's side of the account: what its launches earn, save and cost, in cautious bounds of their means.
#include <algorithm>

#include "session/session.h"

namespace hone::detail {

/// The default's mean cost at this moment, with nothing built beside it, rather too low; 0 while nothing is known.
double Session::defaultCostNow() const {
  if (!sandwich_.yardstick().hasLevel()) return 0;
  double level = sandwich_.yardstick().cautiousLevel();
  if (isBuilding_ && quiet_.count() > 0) level = std::min(level, quiet_.mean());
  return level * leastMean(entries_[kDefaultEntry].mean, thresholds_.booking.means);
}

/// Learns from the incumbent's samples how much longer launches take beside a build.
void Session::noteToll(double defaultCost) {
  constexpr std::size_t kKnownQuiet = 5;  // a mean that one odd sample does not move by much
  if (!isBuilding_) {
    quiet_.add(defaultCost);
  } else if (toll_ && quiet_.count() >= kKnownQuiet) {
    toll_->add(defaultCost / quiet_.mean());
  }
}

/// Of the default or the incumbent: its mean cost divided by the default's. With an account that has to cover
/// something, rather too high.
double Session::ratioForAccount(EntryIndex index) const {
  if (index == kDefaultEntry) return 1;
  const Entry& entry = entries_[index];
  const Entry& ofDefault = entries_[kDefaultEntry];
  if (account_->isUnlimited()) return entry.relativeCost / ofDefault.relativeCost;
  return cautiousRatio(entry.mean, ofDefault.mean, thresholds_.booking.means);
}

bool Session::isMeanTooHigh(EntryIndex index) const {
  return index != kDefaultEntry &&
         isAbove(entries_[index].mean, entries_[kDefaultEntry].mean, thresholds_.booking.means);
}

/// By what a tried configuration's next launch may exceed the default.
double Session::expectedExcess(EntryIndex index) const {
  if (account_->isUnlimited()) return 0;
  const BookingThresholds& booking = thresholds_.booking;
  std::optional<double> ratio;
  if (racing_ == index) ratio = race_.worstRatio();
  if (!ratio && entries_[index].ratios.size() > 0) ratio = entries_[index].ratios.largest();
  if (!ratio) {
    const bool isKnown = firstRatios_.size() >= booking.firstRatiosKnown;
    ratio = isKnown ? firstRatios_.quantile(booking.firstRatioQuantile) : booking.firstRatioGuess;
  }
  return std::max(0.0, booking.cautiousCost * *ratio - 1) * defaultCostNow();
}

bool Session::canAffordIncumbent() const {
  if (incumbent_ == kDefaultEntry || account_->isUnlimited()) return true;
  const double excess = ratioForAccount(incumbent_) - 1 - account_->budget();
  return excess <= 0 || account_->covers(excess * defaultCostNow());
}

bool Session::canAffordTrial(EntryIndex index) const {
  return account_->covers(expectedExcess(index) + thresholds_.booking.heldBack * defaultCostNow());
}

/// How many more candidates can be prepared, beside those that are.
std::size_t Session::buildsAfforded(std::size_t atMost) const {
  if (!toll_) return atMost;
  const auto isPreparing = [&](EntryIndex entry) { return entries_[entry].state == State::preparing; };
  const auto running = static_cast<std::size_t>(std::count_if(underWay_.begin(), underWay_.end(), isPreparing));
  std::size_t afforded = 0;
  while (afforded < atMost && account_->covers(static_cast<double>(running + afforded + 1) * toll_->expected()))
    ++afforded;
  return afforded;
}

/// Books a launch as it begins.
void Session::book(EntryIndex index) {
  if (isFixed_) return;
  const double defaultCost = defaultCostNow();
  account_->earn(defaultCost);
  if (isTried(index)) {  // what a build takes from it is part of its cost
    const double excess = expectedExcess(index);
    account_->reserve(excess);
    entries_[index].reserved.push_back(excess);
    return;
  }
  const double ratio = ratioForAccount(index);
  account_->save((1 - ratio) * defaultCost);
  if (!isBuilding_ || !toll_) return;
  const double excess = toll_->slowdown() * ratio * defaultCost;
  toll_->charge(excess);
  account_->charge(excess);
  if (defaultCost > 0) expense_ += excess / defaultCost;
}

/// A tried configuration's launch has cost so much; where that is unknown, what was held back for it.
void Session::settleReserve(Entry& entry, std::optional<double> cost) {
  if (entry.reserved.empty()) return;
  const double reserved = entry.reserved.front();
  entry.reserved.pop_front();
  account_->release(reserved);
  const double defaultCost = defaultCostNow();
  const double excess = cost ? std::max(0.0, thresholds_.booking.cautiousCost * *cost - defaultCost) : reserved;
  account_->charge(excess);
  if (defaultCost > 0) expense_ += excess / defaultCost;
}

}  // namespace hone::detail
