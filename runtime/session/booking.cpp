// A session's side of the account: what its launches earn, save and cost, in cautious bounds of their means.
#include <algorithm>

#include "session/session.h"

namespace hone::detail {

/// The default's mean cost at this moment, with nothing built beside it, rather too low; 0 while nothing is known.
double Session::defaultCostNow() const {
  const Yardstick& quiet = quiet_.yardstick();
  const Yardstick& busy = busy_.yardstick();
  double level = 0;
  if (quiet.hasLevel()) level = quiet.cautiousLevel();
  if (isBuilding_ && busy.hasLevel()) {
    // Whatever is built, a device as fast as that is faster than it was.
    const double likeThat = busy.cautiousLevel();
    level = quiet.hasLevel() ? std::min(level, likeThat) : likeThat / (1 + toll_->slowdown());
  }
  return level * leastMean(entries_[kDefaultEntry].mean, thresholds_.booking.means);
}

/// Adds a launch to what the default would have cost, with nothing built beside it.
void Session::countDefault() {
  ++uncounted_;
  if (!quiet_.yardstick().hasLevel()) return;
  const RunningMean& mean = entries_[kDefaultEntry].mean;
  const double ratio = mean.count() < thresholds_.booking.means.knownDefault ? 1 : mean.mean();
  account_->countDefault(static_cast<double>(uncounted_) * ratio * quiet_.yardstick().level());
  uncounted_ = 0;
}

/// Learns from the incumbent's samples how much longer launches take beside a build.
void Session::noteToll(double defaultCost) {
  if (!isBuilding_) {
    ++quietSamples_;
  } else if (quietSamples_ >= Yardstick::kLevelSamples) {  // before, the level is a former incumbent's
    toll_->add(defaultCost / quiet_.yardstick().level());
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
  if (excess <= 0 && isMeanKnown(incumbent_)) return true;
  return account_->covers(std::max(0.0, excess) * defaultCostNow());
}

bool Session::isMeanKnown(EntryIndex index) const {
  return entries_[index].mean.count() >= thresholds_.booking.means.known;
}

/// The incumbent's sample was far from the level. That may be a tail that its mean does not show yet: what exceeds the
/// default's latest sample, in the same disturbance if there was one, is charged at once.
void Session::chargeFarSample(double cost) {
  if (incumbent_ == kDefaultEntry || isMeanKnown(incumbent_)) return;
  const double ofDefault = witnessCost_.value_or(sandwich().yardstick().level());
  account_->charge(std::max(0.0, cost - ofDefault));
}

bool Session::canAffordTrial(EntryIndex index) const {
  return account_->covers(expectedExcess(index) + thresholds_.booking.heldBack * defaultCostNow());
}

/// How many more candidates can be prepared, beside those that are.
std::size_t Session::buildsAfforded(std::size_t atMost) const {
  if (!toll_) return atMost;
  std::size_t afforded = 0;
  while (afforded < atMost &&
         account_->covers(static_cast<double>(toll_->running() + afforded + 1) * toll_->expected()))
    ++afforded;
  return afforded;
}

/// Books a launch as it begins.
void Session::book(EntryIndex index) {
  if (isFixed_) return;
  const double defaultCost = defaultCostNow();
  account_->earn(defaultCost);
  countDefault();
  if (isTried(index)) {  // what a build takes from it is part of its cost
    const double excess = expectedExcess(index);
    account_->reserve(excess);
    entries_[index].reserved.push_back(excess);
    return;
  }
  const double ratio = ratioForAccount(index);
  account_->save((1 - ratio) * defaultCost);
  if (!isBuilding_) return;
  // Of the default's bounds the one is right for what it earns, the other for what it costs.
  const double ofDefault = index == kDefaultEntry ? mostMean(entries_[index].mean, thresholds_.booking.means) /
                                                        leastMean(entries_[index].mean, thresholds_.booking.means)
                                                  : 1;
  const double excess = toll_->slowdown() * ratio * ofDefault * defaultCost;
  toll_->charge(excess);
  account_->charge(excess);
  if (defaultCost > 0) expense_ += excess / defaultCost;
}

/// A tried configuration's launch has cost so much, which is settled with the incumbent's next sample: the device may
/// have become faster since the latest one. Where it is unknown, it has cost what was held back for it.
void Session::settleReserve(Entry& entry, std::optional<double> cost) {
  if (entry.reserved.empty()) return;
  const Owed owed{entry.reserved.front(), cost};
  entry.reserved.pop_front();
  owed_.push_back(owed);
  if (!cost) settleOwed();
}

void Session::settleOwed() {
  const double defaultCost = defaultCostNow();
  for (const Owed& owed : owed_) {
    account_->release(owed.reserved);
    const double cautiousCost = thresholds_.booking.cautiousCost * owed.cost.value_or(0);
    const double excess = owed.cost ? std::max(0.0, cautiousCost - defaultCost) : owed.reserved;
    account_->charge(excess);
    if (defaultCost > 0) expense_ += excess / defaultCost;
  }
  owed_.clear();
}

}  // namespace hone::detail
