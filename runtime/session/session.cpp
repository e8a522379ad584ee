#include "session/session.h"

#include <algorithm>
#include <limits>
#include <string>

#include "hone/error.h"
#include "session/stop_rule.h"

namespace hone::detail {

namespace {

constexpr std::size_t kWarmUpSamples = 5;  // after the first, which carries one-time costs of the driver
// A candidate with so many launches without a usable time, and fewer with one, cannot be judged.
constexpr std::size_t kBrokenLimit = 3;
constexpr std::size_t kBrokenWarmUps = 10;              // from here on the default is sampled as rarely as when settled
constexpr std::uint64_t kSettledSamplingInterval = 64;  // rare enough to cost nothing, often enough to notice a change

// Beside another incumbent the default is measured again every so many launches: often while the two were hardly
// compared, and never so often that it costs much of what the incumbent saves.
constexpr std::uint64_t kDefaultInterval = 32;
constexpr std::uint64_t kEarlyDefaultInterval = 8;
constexpr std::uint64_t kSettledDefaultInterval = 16 * kSettledSamplingInterval;
constexpr std::size_t kKnownDefault = 5;  // samples with which it is compared well enough

// Means are known with so many samples, and then within three standard errors: heavy tails make two too few, with which
// one run of 8000 broke its budget (bench/decisions).
constexpr std::size_t kKnownMean = 8;
constexpr double kMeanErrors = 3;
// What a trial's launch has cost counts a tenth more: its configuration's mean may be above what was seen of it.
constexpr double kCautiousCost = 1.1;
// Launches of the default that no trial may spend. A few samples do not show a tail that is hidden in their law: of the
// recorded configurations on an RTX 3090, some take 4.7 times their median in four launches of ten, which three
// launches miss in one case of five.
constexpr double kHeldBack = 1;
// What a first launch is expected to cost while hardly any was seen.
constexpr double kFirstRatioGuess = 2;
constexpr std::size_t kFirstRatiosKnown = 4;
constexpr double kFirstRatioQuantile = 0.9;

constexpr std::size_t kContenders = 4;      // variants that are kept for the final
constexpr double kContenderMargin = 0.03;   // farther from the best one, no final would turn it
constexpr std::size_t kOutliersInARow = 3;  // so many far samples are the configuration's own, more are the device's
constexpr std::size_t kFarRatiosKept = 16;
// So many of the default's samples in a row tell that a disturbance is the incumbent's own. Fewer than the far samples
// that make a new level, between which they are taken.
constexpr std::size_t kWitnesses = 3;
constexpr std::size_t kMaximumUnpaired = 64;  // samples that wait for one of the incumbent

constexpr std::size_t kEndless = std::numeric_limits<std::size_t>::max();

}  // namespace

Session::Session(std::vector<std::int64_t> defaultConfiguration, SessionLimits limits, Account& account)
    : limits_(limits), account_(&account) {
  Entry entry;
  entry.configuration = std::move(defaultConfiguration);
  entry.state = State::inUse;
  entries_.push_back(std::move(entry));
  unpaired_.reserve(kMaximumUnpaired);  // a settled launch allocates nothing
  farRatios_.reserve(kFarRatiosKept);
}

// ---- what runs next

Session::Choice Session::next(bool canSample) {
  ++launches_;
  Choice choice{incumbent_, canSample};
  if (phase_ == Phase::warmingUp) {
    const bool isMeasurable = entries_[kDefaultEntry].broken < kBrokenWarmUps;
    choice.isSampled = canSample && (isMeasurable || launches_ % kSettledSamplingInterval == 0);
  } else if (phase_ == Phase::settled) {
    choice = nextSettled(canSample);
  } else {
    choice.entry = nextExploring(canSample);
  }
  wasIncumbentLast_ = choice.entry == incumbent_;
  if (choice.entry == kDefaultEntry) defaultAt_ = launches_;
  book(choice.entry);
  if (choice.isSampled) ++entries_[choice.entry].inFlight;
  return choice;
}

Session::EntryIndex Session::nextExploring(bool canSample) {
  if (!canAffordIncumbent()) return kDefaultEntry;
  if (!canSample || !wasIncumbentLast_) return incumbent_;
  if (!yardstick_.isCalm()) return kDefaultEntry;  // the witness
  if (isTimeForDefault()) return kDefaultEntry;
  if (!isTimeForCandidate()) return incumbent_;
  const EntryIndex candidate =
      racing_ ? *racing_ : *std::find_if(underWay_.begin(), underWay_.end(), [&](EntryIndex entry) {
        return entries_[entry].state == State::ready;
      });
  if (!account_->covers(expectedExcess(candidate) + kHeldBack * defaultCostNow())) return incumbent_;
  if (!racing_) {
    racing_ = candidate;
    race_ = Race();
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
  const bool isSampled = canSample && (launches_ % kSettledSamplingInterval == 0 || !yardstick_.isCalm());
  const bool isDefaultDue = yardstick_.isCalm() ? launches_ - defaultAt_ >= kSettledDefaultInterval : wasIncumbentLast_;
  return {isSampled && isDefaultDue ? kDefaultEntry : incumbent_, isSampled};
}

Session::Choice Session::nextOfFinal() {
  const std::optional<EntryIndex> entry = final_->next();
  const bool isCovered = entry && (*entry == kDefaultEntry || account_->covers(expectedExcess(*entry)));
  if (!yardstick_.isCalm()) return {wasIncumbentLast_ ? kDefaultEntry : incumbent_, true};
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
  for (const Unpaired& sample : unpaired_) {
    if (sample.isFirst) return false;  // it may tell enough
    waiting += sample.entry == *racing_ ? 1 : 0;
  }
  return entries_[*racing_].inFlight + waiting < race_.launchesAhead();
}

/// Only for the account's sake: races compare with the incumbent.
bool Session::isTimeForDefault() const {
  if (incumbent_ == kDefaultEntry || account_->isUnlimited()) return false;
  const bool isKnown = entries_[kDefaultEntry].mean.count() >= kKnownDefault;
  return launches_ - defaultAt_ >= (isKnown ? kDefaultInterval : kEarlyDefaultInterval);
}

// ---- the account

/// The default's mean cost at this moment, rather too low; 0 while nothing is known.
double Session::defaultCostNow() const {
  if (!yardstick_.hasLevel()) return 0;
  const RunningMean& mean = entries_[kDefaultEntry].mean;
  const double ratio = mean.count() < kKnownDefault ? 1 : mean.mean() - kMeanErrors * mean.standardError();
  return yardstick_.cautiousLevel() * ratio;
}

/// An entry's mean cost, divided by the default's, rather too high. Without enough samples of both, the entry saves
/// nothing.
double Session::cautiousRatio(EntryIndex index) const {
  if (index == kDefaultEntry) return 1;
  const RunningMean& mean = entries_[index].mean;
  const RunningMean& ofDefault = entries_[kDefaultEntry].mean;
  if (mean.count() < 2) return 1;
  const bool isDefaultKnown = ofDefault.count() >= kKnownDefault;
  const double least = isDefaultKnown ? ofDefault.mean() - kMeanErrors * ofDefault.standardError() : 1;
  const double ratio = (mean.mean() + kMeanErrors * mean.standardError()) / least;
  return isDefaultKnown && mean.count() >= kKnownMean ? ratio : std::max(1.0, ratio);
}

/// By what a tried configuration's next launch may exceed the default.
double Session::expectedExcess(EntryIndex index) const {
  if (account_->isUnlimited()) return 0;
  std::optional<double> ratio;
  if (racing_ == index) ratio = race_.worstRatio();
  if (!ratio && entries_[index].ratios.size() > 0) ratio = entries_[index].ratios.largest();
  if (!ratio) {
    const bool isKnown = firstRatios_.size() >= kFirstRatiosKnown;
    ratio = isKnown ? firstRatios_.quantile(kFirstRatioQuantile) : kFirstRatioGuess;
  }
  return std::max(0.0, kCautiousCost * *ratio - 1) * defaultCostNow();
}

bool Session::canAffordIncumbent() const {
  if (incumbent_ == kDefaultEntry || account_->isUnlimited()) return true;
  const double excess = cautiousRatio(incumbent_) - 1 - account_->budget();
  return excess <= 0 || account_->covers(excess * defaultCostNow());
}

bool Session::isTried(EntryIndex index) const { return index != kDefaultEntry && index != incumbent_; }

/// Books a launch as it begins.
void Session::book(EntryIndex index) {
  if (isFixed_) return;
  const double defaultCost = defaultCostNow();
  account_->earn(defaultCost);
  if (isTried(index)) {
    const double excess = expectedExcess(index);
    account_->reserve(excess);
    entries_[index].reserved.push_back(excess);
  } else if (index == incumbent_) {
    account_->save((1 - cautiousRatio(index)) * defaultCost);
  }
}

/// A tried configuration's launch has cost so much; where that is unknown, what was held back for it.
void Session::settleReserve(Entry& entry, std::optional<double> cost) {
  if (entry.reserved.empty()) return;
  const double reserved = entry.reserved.front();
  entry.reserved.pop_front();
  account_->release(reserved);
  const double defaultCost = defaultCostNow();
  const double excess = cost ? std::max(0.0, kCautiousCost * *cost - defaultCost) : reserved;
  account_->charge(excess);
  if (defaultCost > 0) expense_ += excess / defaultCost;
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
  const Yardstick::Seen seen = yardstick_.add(cost / entry.relativeCost);
  const double ratio = cost / yardstick_.level();
  latest_.add(ratio);
  if (seen == Yardstick::Seen::far) {
    judgeUnpaired(cost / entry.relativeCost);
    unpaired_.clear();
    if (farRatios_.size() < kFarRatiosKept) farRatios_.push_back(ratio);
    return;
  }
  if (seen == Yardstick::Seen::newLevel) {
    forgetMeans();
  } else {
    addRatio(incumbent_, ratio);
  }
  if (!yardstick_.isCalm()) return;
  // A few far samples among near ones are the configuration's own: its mean has them, its median does not need them.
  if (farRatios_.size() <= kOutliersInARow) {
    for (double far : farRatios_) entry.mean.add(far);
  }
  farRatios_.clear();
  witnesses_ = 0;
  for (const Unpaired& sample : unpaired_) pairUp(sample);
  unpaired_.clear();
  judge();
}

void Session::recordOther(EntryIndex index, double cost) {
  const bool isRacing = racing_ == index;
  const bool isFirst = isRacing && race_.countSample();
  const bool isWanted = isRacing || index == kDefaultEntry || (final_ && final_->isEntrant(index));
  if (!isWanted) return;
  if (!yardstick_.isCalm()) {
    if (index == kDefaultEntry) witness(cost);
    return;
  }
  if (unpaired_.size() < kMaximumUnpaired) unpaired_.push_back({index, cost, isFirst});
}

/// The incumbent was disturbed after the samples, so they do not count; unless a first launch took so long that not
/// even a device as slow as that explains it. Such a candidate is not launched again.
void Session::judgeUnpaired(double disturbedLevel) {
  for (const Unpaired& sample : unpaired_) {
    if (!sample.isFirst || racing_ != sample.entry) continue;
    race_.addFirst(sample.cost / std::max(disturbedLevel, yardstick_.level()));
    judgeRace();
    return;
  }
}

/// The default's cost while the incumbent's are far from what they were: if it is as ever, it is not the device.
void Session::witness(double cost) {
  const bool isAsEver = yardstick_.isNear(cost / entries_[kDefaultEntry].relativeCost);
  witnesses_ = isAsEver ? witnesses_ + 1 : 0;
  if (isAsEver) addRatio(kDefaultEntry, cost / yardstick_.level());
  if (witnesses_ >= kWitnesses) blameIncumbent();
}

/// The incumbent itself has changed, or has such a tail. Its far samples count, and if it is no gain any more it goes.
void Session::blameIncumbent() {
  Entry& entry = entries_[incumbent_];
  for (double far : farRatios_) entry.mean.add(far);
  farRatios_.clear();
  entry.relativeCost = latest_.medianOfLatest(Yardstick::kLevelSamples);
  witnesses_ = 0;
  yardstick_.calmDown();
  if (final_) return;  // which looks at the entrants' own ratios
  const double ofDefault = entries_[kDefaultEntry].relativeCost;
  if (entry.relativeCost > (1 - kWorthKnowing) * ofDefault || isMeanTooHigh(incumbent_)) leaveIncumbent();
}

/// The incumbent was undisturbed before the sample and after it.
void Session::pairUp(const Unpaired& sample) {
  const double ratio = sample.cost / yardstick_.level();
  if (!sample.isFirst) {
    addRatio(sample.entry, ratio);
  } else if (racing_ == sample.entry) {
    race_.addFirst(ratio);
    firstRatios_.add(ratio);
  }
}

void Session::addRatio(EntryIndex index, double ratio) {
  Entry& entry = entries_[index];
  entry.ratios.add(ratio);
  entry.mean.add(ratio);
  if (racing_ == index) race_.add(ratio);
  if (final_) final_->add(index, ratio);
  if (index == kDefaultEntry && index != incumbent_ && entry.ratios.size() >= kKnownDefault)
    entry.relativeCost = entry.ratios.median();
}

/// What was learned on another device, so to say, or by a race that was won by luck.
void Session::forgetMeans() {
  for (EntryIndex index : {kDefaultEntry, incumbent_}) {
    entries_[index].mean.clear();
    entries_[index].ratios.clear();
  }
  farRatios_.clear();
  unpaired_.clear();
  witnesses_ = 0;
  latest_.clear();
}

void Session::judge() {
  if (phase_ == Phase::warmingUp && yardstick_.samples() >= kWarmUpSamples) {
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

// ---- candidates

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
  const double incumbentsRatio = entries_[incumbent_].relativeCost;
  const Verdict verdict = race_.verdict(incumbentsRatio, yardstick_.noise(), firstLaunches_);
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
    if (entries_[next].relativeCost < (1 - kWorthKnowing) * entries_[kDefaultEntry].relativeCost) {
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
  if (contenders_.size() <= kContenders) return;
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

void Session::endIfDone() {
  if (phase_ != Phase::exploring) return;
  const bool isOutOfCandidates = hasStrategyConverged_ && underWay_.empty();
  const bool isOutOfPatience = trialsSinceGain_ >= limits_.patience;
  // Whoever has no patience limit wants everything tried, and who has no budget counts no costs.
  const bool isCounting = limits_.patience != kEndless && !account_->isUnlimited();
  const double gain = 1 - entries_[incumbent_].relativeCost / entries_[kDefaultEntry].relativeCost;
  const bool isDoneFor = isCounting && !isWorthGoingOn({trials_, launches_, gain, expense_});
  if (isOutOfCandidates || isOutOfPatience || isDoneFor || trials_ >= limits_.maxTrials) settle();
}

// ---- the end

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
    const bool isClose = entries_[index].relativeCost <= (1 + kContenderMargin) * entries_[incumbent_].relativeCost;
    if (isClose && index != incumbent_) entrants.push_back(index);
  }
  if (incumbent_ != kDefaultEntry) entrants.push_back(kDefaultEntry);
  for (EntryIndex index : entrants) {
    entries_[index].ratios.clear();
    entries_[index].mean.clear();
  }
  unpaired_.clear();
  final_.emplace(entrants);
}

void Session::judgeFinal() {
  const bool isDecided = final_->judge(yardstick_.noise());
  const bool isAllIn = !final_->next() && unpaired_.empty() &&
                       std::all_of(entries_.begin(), entries_.end(), [](const Entry& e) { return e.inFlight == 0; });
  if (isDecided || isAllIn) endFinal();
}

/// The fastest stays, but for the default's sake: whoever does not gain on it, in median and mean, goes.
void Session::endFinal() {
  const double ofDefault = final_->ratio(kDefaultEntry).value_or(entries_[kDefaultEntry].relativeCost);
  EntryIndex winner = kDefaultEntry;
  for (EntryIndex index : final_->ranking()) {
    const bool isGain = *final_->ratio(index) < (1 - kWorthKnowing) * ofDefault && !isMeanTooHigh(index);
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
  unpaired_.clear();
  farRatios_.clear();
  hasNews_ = true;
}

/// Whether a configuration's mean is above the default's beyond doubt: with a heavy tail, the median may be below it.
bool Session::isMeanTooHigh(EntryIndex index) const {
  const RunningMean& mean = entries_[index].mean;
  const RunningMean& ofDefault = entries_[kDefaultEntry].mean;
  if (index == kDefaultEntry || mean.count() < kKnownMean || ofDefault.count() < kKnownDefault) return false;
  return mean.mean() - kMeanErrors * mean.standardError() > ofDefault.mean() + kMeanErrors * ofDefault.standardError();
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
