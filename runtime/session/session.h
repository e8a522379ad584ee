// The decisions for one problem: which configuration the next launch runs, and what a result means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "hone/report.h"
#include "hone/search_space.h"
#include "hone/strategy.h"
#include "session/account.h"
#include "session/build_toll.h"
#include "session/final.h"
#include "session/race.h"
#include "session/sample_batch.h"
#include "session/sandwich.h"
#include "session/thresholds.h"
#include "statistics/running_mean.h"
#include "statistics/samples.h"

namespace hone::detail {

/// What a room below needs to launch a configuration (opencl/: the compiled variant); the session only keeps it.
class Prepared {
 public:
  virtual ~Prepared() = default;
};

struct SessionLimits {
  std::size_t maxTrials;
  std::size_t patience;         // trials in a row without a new incumbent
  std::size_t candidatesAhead;  // candidates under way at a time, the racing one included
};

/// Everything known and decided for one problem.
///
/// Phases: *warming up* runs the default until its cost is known. *Exploring* lets one candidate at a time race the
/// incumbent on interleaved launches: a sample counts once the incumbent's launches before and after it were
/// undisturbed (Sandwich, Race). Who is clearly faster is the incumbent; whoever is as good, and former incumbents,
/// are contenders. Exploring ends when the strategy has converged, after its patience of trials in a row without a new
/// incumbent (twice that while nothing better than the default was found), when trials do not pay any more, at
/// maxTrials, or by settle(). *Settled* begins with a final of contenders, incumbent and default, now that no candidate
/// is being prepared beside them (Final); then the winner runs, sampled now and then, and the default once in a while
/// beside it. A *fixed* session is settled from the start, without a final: nothing is tried.
///
/// Every launch is booked on the account. What may cost more than the default begins only if the account covers it; the
/// default always may. Where builds take from the launches, so with them.
///
/// A configuration that was ever considered has an *entry*, numbered from 0; entry 0 is the default. Candidates come in
/// by offer(), become launchable by markReady(), and are launched by next(). Every sampled choice of next() is answered
/// once, by record, recordBroken, recordFailure, recordGivenUp or recordNothing, in the order of the launches as far as
/// known. Knows no clock, thread, file or device. Costs are in one unit of the caller's. Thread safety: externally
/// synchronised.
class Session {
 public:
  using EntryIndex = std::size_t;
  static constexpr EntryIndex kDefaultEntry = 0;

  /// The account outlives the session, which may share it with others; so does the toll of builds, null where they take
  /// nothing from the launches. REQUIRES: defaultConfiguration has one value per parameter
  Session(std::vector<std::int64_t> defaultConfiguration, const SessionLimits& limits, Account& account,
          BuildToll* toll = nullptr, const Thresholds& thresholds = {});

  // ---- launches

  struct Choice {
    EntryIndex entry;
    bool isSampled;  // whether the cost is wanted
  };

  /// The next launch's configuration. Where `canSample` is false, nothing is tried and no cost wanted. `isBuilding`:
  /// something is being built on the cores that the launch runs on.
  Choice next(bool canSample, bool isBuilding = false);

  /// A sampled launch's cost, and the resolution of the timer that it was measured with; where that counts, several
  /// launches are one sample. REQUIRES: finite and positive
  void record(EntryIndex entry, double cost, double resolution = 0);
  /// The launch was complete, but its timestamps are no time.
  void recordBroken(EntryIndex entry);
  /// The configuration failed to launch or to finish; it is not launched again, unless it is the default.
  void recordFailure(EntryIndex entry);
  /// The caller gave the launch up: there is no sample. A candidate that is given up again and again has failed.
  void recordGivenUp(EntryIndex entry);
  /// The launch was at fault, whatever its configuration.
  void recordNothing(EntryIndex entry);

  // ---- candidates

  /// Whether the search space is still to be attached; early, since one without candidates settles at once.
  bool wantsSpace() const { return phase_ != Phase::settled && !space_; }
  /// A space without configurations, or with the default alone, settles the session.
  void attachSpace(std::shared_ptr<const SearchSpace> space);
  const std::shared_ptr<const SearchSpace>& space() const { return space_; }

  /// How many more candidates to propose now; 0 while a strategy's last answer still stands.
  std::size_t candidatesWanted() const;
  /// Candidates offered and not judged yet. A strategy's list begins with those.
  std::size_t candidatesUnderWay() const { return underWay_.size(); }
  /// Takes a strategy's answer, which it gave when it was shown that many trials; what is known or under way already is
  /// left out. Returns the entries to be prepared. Throws UsageError for a rank outside of the space.
  std::vector<EntryIndex> offer(const Proposal& proposal, std::size_t trialsShown);
  void markReady(EntryIndex entry, std::shared_ptr<Prepared> prepared);
  /// It could not be prepared: a failed trial.
  void markFailed(EntryIndex entry);

  const Evidence& evidence() const { return evidence_; }

  // ---- state

  /// Fixes the session: the pinned configuration runs, or else the default. REQUIRES: nothing was launched yet
  void fix(const std::vector<std::int64_t>* pinned);

  /// Ends exploring: no candidate runs any more. Begins the final; in a settled session, another one. A fixed session
  /// stays as it is.
  void settle();

  Phase phase() const { return phase_; }
  EntryIndex incumbent() const { return incumbent_; }
  /// The entry's values, one per parameter; valid as long as the session.
  const std::vector<std::int64_t>& configuration(EntryIndex entry) const { return entries_[entry].configuration; }
  const std::shared_ptr<Prepared>& prepared(EntryIndex entry) const { return entries_[entry].prepared; }
  void attach(EntryIndex entry, std::shared_ptr<Prepared> prepared) { entries_[entry].prepared = std::move(prepared); }

  /// Whether the phase or the incumbent has changed since this was last asked; a settled one counts once its final is
  /// over.
  bool takeNews() { return std::exchange(hasNews_, false); }
  bool hasNews() const { return hasNews_; }

  /// All but `best`, which needs the parameters' names.
  Report report() const;

 private:
  static constexpr std::size_t kWarmUpSamples = 5;  // after the first, which carries one-time costs of the driver

  enum class State {
    preparing,
    abandoned,  // exploring ended while it was being prepared
    ready,
    racing,
    contender,  // as good as the incumbent, as far as known
    inUse,      // the default and the incumbent
    judged,     // lost its race, or the final
    failed
  };
  struct Entry {
    std::vector<std::int64_t> configuration;
    std::optional<Rank> rank;  // empty only for a default outside of the space
    State state = State::preparing;
    SampleBatch batch;
    SampleWindow costs;           // for reports
    SampleWindow ratios;          // to the default's cost at that moment
    RunningMean mean;             // of the same ratios, for the account
    double relativeCost = 1;      // once it has raced: the ratios' center
    std::size_t inFlight = 0;     // sampled launches without an answer
    std::size_t broken = 0;       // answers without a time: broken ones, and launches given up
    std::deque<double> reserved;  // for each launch in flight, on the account
    std::shared_ptr<Prepared> prepared;
  };
  /// A tried launch whose cost is known and not settled yet.
  struct Owed {
    double reserved;
    std::optional<double> cost;
  };

  Sandwich& sandwich() { return isBuilding_ ? busy_ : quiet_; }
  const Sandwich& sandwich() const { return isBuilding_ ? busy_ : quiet_; }

  // ---- what runs next (choosing.cpp)
  EntryIndex nextExploring(bool canSample);
  Choice nextSettled(bool canSample);
  Choice nextOfFinal();
  bool isTimeForCandidate() const;
  bool isTimeForDefault() const;
  bool isWatching() const;
  bool isIncumbentAway() const;

  // ---- the account (booking.cpp)
  double defaultCostNow() const;
  void countDefault();
  void noteToll(double defaultCost);
  double ratioForAccount(EntryIndex entry) const;
  double expectedExcess(EntryIndex entry) const;
  bool canAffordIncumbent() const;
  bool isMeanKnown(EntryIndex entry) const;
  void chargeFarSample(double cost);
  bool canAffordTrial(EntryIndex entry) const;
  std::size_t buildsAfforded(std::size_t atMost) const;
  bool isTried(EntryIndex entry) const { return entry != kDefaultEntry && entry != incumbent_; }
  void book(EntryIndex entry);
  void settleReserve(Entry& entry, std::optional<double> cost);
  void settleOwed();
  bool isMeanTooHigh(EntryIndex entry) const;

  // ---- what a result means
  Entry& answered(EntryIndex index);
  void recordIncumbent(double cost);
  void recordOther(EntryIndex index, double cost);
  void recordDefaultAlone(double cost);
  void addRatio(EntryIndex entry, double ratio);
  void blameIncumbent();
  void forgetMeans();
  void judge();
  void judgeRace();
  void changeIncumbent(EntryIndex entry);
  void leaveIncumbent();
  void keepContender(EntryIndex entry);
  void dropContender(EntryIndex entry);
  void conclude(EntryIndex entry, std::optional<double> relativeCost);

  // ---- candidates (candidates.cpp)
  bool isAbandoned(EntryIndex entry);

  // ---- the end (ending.cpp)
  void endIfDone();
  void beginFinal();
  void judgeFinal();
  void endFinal();

  Thresholds thresholds_;
  std::deque<Entry> entries_;  // a deque: configurations stay where they are
  std::shared_ptr<const SearchSpace> space_;
  Evidence evidence_;
  Phase phase_ = Phase::warmingUp;
  EntryIndex incumbent_ = kDefaultEntry;
  std::vector<EntryIndex> underWay_;  // preparing, ready or racing; in the order offered
  std::optional<EntryIndex> racing_;
  Race race_;  // of the one that is racing
  FirstLaunches firstLaunches_;
  SampleWindow firstRatios_;  // of all first launches: what the next one may cost
  std::vector<EntryIndex> contenders_;
  std::optional<Final> final_;
  bool wasIncumbentLast_ = true;  // with a sample, while exploring

  // Launches beside a build are compared with one another alone.
  Sandwich quiet_;
  Sandwich busy_;
  bool isBuilding_ = false;            // beside the latest launch
  std::size_t quietSamples_ = 0;       // of this incumbent
  std::optional<double> witnessCost_;  // the default's latest, in the disturbance that lasts

  SessionLimits limits_;
  Account* account_;
  BuildToll* toll_;
  std::vector<Owed> owed_;
  std::size_t uncounted_ = 0;  // launches before anything was known of the default's cost
  std::size_t trials_ = 0;
  std::size_t failed_ = 0;
  std::size_t trialsSinceGain_ = 0;
  double expense_ = 0;  // of all trials, in costs of the default
  bool hasStrategyConverged_ = false;
  std::optional<std::size_t> waitingSince_;  // the number of trials at which the strategy had nothing more to propose

  std::uint64_t launches_ = 0;
  bool hasLaunched_ = false;     // the first sample of all has come in
  std::uint64_t defaultAt_ = 0;  // the launch that ran the default last
  std::uint64_t incumbentAt_ = 0;
  std::optional<std::uint64_t> settledAt_;
  std::size_t abandoned_ = 0;  // candidates in that state; the final waits for the last of them
  bool isFixed_ = false;
  bool hasNews_ = false;
};

}  // namespace hone::detail
