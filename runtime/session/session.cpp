#include "session/session.h"

#include <algorithm>

namespace hone::detail {

namespace {

// A candidate with so many launches without a usable time, and fewer with one, cannot be judged.
constexpr std::size_t kBrokenLimit = 3;

}  // namespace

Session::Session(std::vector<std::int64_t> defaultConfiguration, const SessionLimits& limits, Account& account,
                 BuildToll* toll, const Thresholds& thresholds)
    : thresholds_(thresholds),
      quiet_(thresholds.sandwich),
      busy_(thresholds.sandwich),
      limits_(limits),
      account_(&account),
      toll_(toll) {
  Entry entry;
  entry.configuration = std::move(defaultConfiguration);
  entry.state = State::inUse;
  entries_.push_back(std::move(entry));
}

// ---- what a result means

Session::Entry& Session::answered(EntryIndex index) {
  Entry& entry = entries_[index];
  if (entry.inFlight > 0) --entry.inFlight;
  return entry;
}

void Session::record(EntryIndex index, double cost, double resolution) {
  Entry& entry = answered(index);
  settleReserve(entry, cost);
  const bool isFirst = racing_ == index && race_.samples() == 0;
  const std::optional<double> sample = isFirst ? cost : entry.batch.add(cost, resolution);
  if (!sample) return;
  if (phase_ == Phase::warmingUp && !std::exchange(hasLaunched_, true)) {
    entry.costs.add(*sample);  // a first guess, for reports
    return;
  }
  if (phase_ == Phase::warmingUp && entry.ratios.size() == 0) entry.costs.clear();
  entry.costs.add(*sample);
  if (isFixed_) return;
  if (index == incumbent_) {
    recordIncumbent(*sample);
  } else {
    recordOther(index, *sample);
  }
}

void Session::recordIncumbent(double cost) {
  Entry& entry = entries_[incumbent_];
  const double defaultCost = cost / entry.relativeCost;
  const Yardstick::Seen seen = sandwich().addIncumbent(cost, entry.relativeCost);
  noteToll(defaultCost);
  settleOwed();
  if (seen == Yardstick::Seen::far) {
    chargeFarSample(cost);
    // Disturbed samples do not count, unless a first launch took so long that not even a device as slow as that
    // explains it. Such a candidate is not launched again.
    const std::optional<double> first = racing_ ? sandwich().disturbedFirst(*racing_) : std::nullopt;
    if (!first) return;
    race_.addFirst(*first);
    judgeRace();
    return;
  }
  if (seen == Yardstick::Seen::newLevel) {
    forgetMeans();
  } else {
    addRatio(incumbent_, cost / sandwich().yardstick().level());
  }
  if (!sandwich().yardstick().isCalm()) return;
  witnessCost_.reset();
  for (double outlier : sandwich().outliers()) entry.mean.add(outlier);
  for (const Sandwich::Sample& sample : sandwich().counted()) {
    if (!sample.isFirst) {
      addRatio(sample.entry, sample.value);
    } else if (racing_ == sample.entry) {
      race_.addFirst(sample.value);
      firstRatios_.add(sample.value);
    }
  }
  judge();
}

void Session::recordOther(EntryIndex index, double cost) {
  if (index == kDefaultEntry && isIncumbentAway()) {
    recordDefaultAlone(cost);
    return;
  }
  const bool isRacing = racing_ == index;
  const bool isFirst = isRacing && race_.countSample();
  const bool isWanted = isRacing || index == kDefaultEntry || (final_ && final_->isEntrant(index));
  if (!isWanted) return;
  if (sandwich().yardstick().isCalm()) {
    sandwich().addOther(index, cost, isFirst);
  } else if (index == kDefaultEntry) {
    witnessCost_ = cost;
    if (sandwich().witness(cost, entries_[index].relativeCost)) addRatio(index, cost / sandwich().yardstick().level());
    if (sandwich().isIncumbentToBlame()) blameIncumbent();
  }
}

/// The incumbent cannot be afforded: meanwhile the default is compared with itself.
void Session::recordDefaultAlone(double cost) {
  Entry& entry = entries_[kDefaultEntry];
  const Yardstick::Seen seen = sandwich().addDefaultAlone(cost, entry.relativeCost);
  settleOwed();
  if (seen == Yardstick::Seen::far) return;
  if (seen == Yardstick::Seen::newLevel) {
    forgetMeans();
  } else {
    addRatio(kDefaultEntry, cost / sandwich().yardstick().level());
  }
  for (double outlier : sandwich().outliers()) entry.mean.add(outlier);
}

/// The incumbent itself has changed, or has such a tail. Its far samples count, and if it is no gain any more it goes.
void Session::blameIncumbent() {
  Entry& entry = entries_[incumbent_];
  entry.relativeCost = sandwich().blameIncumbent();
  for (double outlier : sandwich().outliers()) entry.mean.add(outlier);
  if (final_) return;  // which looks at the entrants' own ratios
  const double ofDefault = entries_[kDefaultEntry].relativeCost;
  const bool isGain = entry.relativeCost <= (1 - thresholds_.race.comparison.worthKnowing) * ofDefault;
  if (!isGain || isMeanTooHigh(incumbent_)) leaveIncumbent();
}

void Session::addRatio(EntryIndex index, double ratio) {
  Entry& entry = entries_[index];
  entry.ratios.add(ratio);
  entry.mean.add(ratio);
  if (racing_ == index) race_.add(ratio);
  if (final_) final_->add(index, ratio);
  if (index == kDefaultEntry && index != incumbent_ && entry.ratios.size() >= thresholds_.booking.means.knownDefault)
    entry.relativeCost = entry.ratios.median();
}

/// What was learned on another device, so to say, or by a race that was won by luck.
void Session::forgetMeans() {
  for (EntryIndex index : {kDefaultEntry, incumbent_}) {
    entries_[index].mean.clear();
    entries_[index].ratios.clear();
  }
  quiet_.forget();
  busy_.forget();
  quietSamples_ = 0;
}

void Session::judge() {
  if (phase_ == Phase::warmingUp && sandwich().yardstick().samples() >= kWarmUpSamples) {
    phase_ = Phase::exploring;
    hasNews_ = true;
  }
  if (racing_) judgeRace();
  if (final_) judgeFinal();
  if (!final_ && isMeanTooHigh(incumbent_)) leaveIncumbent();
}

void Session::recordGivenUp(EntryIndex index) {
  if (index == kDefaultEntry) {
    recordNothing(index);
  } else {
    recordBroken(index);
  }
}

void Session::recordNothing(EntryIndex index) {
  settleReserve(answered(index), std::nullopt);
  judge();
}

void Session::recordBroken(EntryIndex index) {
  Entry& entry = answered(index);
  settleReserve(entry, std::nullopt);
  ++entry.broken;
  const std::size_t usable = racing_ == index ? race_.samples() : entry.costs.size();
  const bool isMostlyBroken = entry.broken >= kBrokenLimit && entry.broken > usable;
  if (racing_ == index && isMostlyBroken) conclude(index, std::nullopt);
  judge();
}

void Session::recordFailure(EntryIndex index) {
  Entry& entry = answered(index);
  settleReserve(entry, std::nullopt);
  if (index == kDefaultEntry || entry.state == State::failed) return;
  if (std::find(underWay_.begin(), underWay_.end(), index) != underWay_.end()) {
    conclude(index, std::nullopt);
    return;
  }
  entry.state = State::failed;
  entry.prepared.reset();
  contenders_.erase(std::remove(contenders_.begin(), contenders_.end(), index), contenders_.end());
  if (incumbent_ == index) {
    leaveIncumbent();
  } else if (final_) {
    final_->remove(index);
    judge();
  }
}

void Session::judgeRace() {
  const EntryIndex index = *racing_;
  const double incumbentsRatio = entries_[incumbent_].relativeCost;
  const Verdict verdict = race_.verdict(incumbentsRatio, sandwich().yardstick().noise(), firstLaunches_);
  if (verdict == Verdict::undecided && !race_.isOver() && !race_.isFutile()) return;
  const std::optional<double> ratio = race_.ratio();
  if (race_.first() && race_.ratios().size() > 0) firstLaunches_.add(*race_.first(), *ratio);
  if (ratio) entries_[index].relativeCost = *ratio;
  if (verdict == Verdict::faster) {
    changeIncumbent(index);
    trialsSinceGain_ = 0;
  } else {
    if (verdict == Verdict::undecided && race_.isOver()) keepContender(index);
    ++trialsSinceGain_;
  }
  conclude(index, ratio);
}

void Session::changeIncumbent(EntryIndex index) {
  const EntryIndex former = incumbent_;
  incumbent_ = index;
  entries_[index].state = State::inUse;
  if (former != kDefaultEntry) keepContender(former);
  // The winner of a race was lucky, too: what it saves is learned from what comes now, and from the default beside it.
  forgetMeans();
  wasIncumbentLast_ = false;
  hasNews_ = true;
}

/// The best contender succeeds if it gains on the default.
void Session::leaveIncumbent() {
  Entry& former = entries_[incumbent_];
  if (former.state == State::inUse) former.state = State::judged;
  former.prepared.reset();
  incumbent_ = kDefaultEntry;
  if (!contenders_.empty()) {
    const EntryIndex next = contenders_.front();
    if (entries_[next].relativeCost <
        (1 - thresholds_.race.comparison.worthKnowing) * entries_[kDefaultEntry].relativeCost) {
      contenders_.erase(contenders_.begin());
      incumbent_ = next;
      entries_[next].state = State::inUse;
    }
  }
  forgetMeans();
  hasNews_ = true;
  if (final_) beginFinal();
}

void Session::keepContender(EntryIndex index) {
  entries_[index].state = State::contender;
  contenders_.push_back(index);
  const auto isFaster = [&](EntryIndex a, EntryIndex b) { return entries_[a].relativeCost < entries_[b].relativeCost; };
  std::stable_sort(contenders_.begin(), contenders_.end(), isFaster);
  if (contenders_.size() <= thresholds_.final.contenders) return;
  dropContender(contenders_.back());
  contenders_.pop_back();
}

void Session::dropContender(EntryIndex index) {
  if (index == incumbent_ || index == kDefaultEntry) return;
  entries_[index].state = State::judged;
  entries_[index].prepared.reset();
}

void Session::conclude(EntryIndex index, std::optional<double> relativeCost) {
  Entry& entry = entries_[index];
  ++trials_;
  if (!relativeCost) {
    ++failed_;
    ++trialsSinceGain_;
  }
  if (entry.state != State::inUse && entry.state != State::contender) {
    entry.state = relativeCost ? State::judged : State::failed;
    entry.prepared.reset();
  }
  evidence_.add({*entry.rank, relativeCost});
  underWay_.erase(std::find(underWay_.begin(), underWay_.end(), index));
  if (racing_ == index) racing_.reset();
  endIfDone();
}

Report Session::report() const {
  constexpr std::size_t kReported = 7;  // a median that follows the device
  Report report;
  report.phase = phase_;
  report.launches = launches_;
  report.trials = trials_;
  report.failed = failed_;
  report.settledAt = settledAt_;
  report.isDecided = phase_ == Phase::settled && !final_;
  report.account = account_->report();
  const SampleWindow& ofDefault = entries_[kDefaultEntry].costs;
  const SampleWindow& ofBest = entries_[incumbent_].costs;
  if (ofDefault.size() > 0) report.defaultCost = ofDefault.medianOfLatest(kReported);
  if (ofBest.size() > 0) report.bestCost = ofBest.medianOfLatest(kReported);
  return report;
}

}  // namespace hone::detail
