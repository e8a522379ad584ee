// What a Tuner and a TunedKernel have in common: one session per problem, times that are not known yet, and the steps
// that find candidates in the background.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "background.h"
#include "clock.h"
#include "fork_guard.h"
#include "hone/measurement.h"
#include "hone/options.h"
#include "hone/report.h"
#include "hone/tuner.h"
#include "log.h"
#include "pins.h"
#include "session/session.h"
#include "space/declaration_data.h"

namespace hone::detail {

/// A candidate that needs preparing before it can be launched.
struct Candidate {
  Session* session;
  Session::EntryIndex entry;
  std::vector<std::int64_t> configuration;
  std::vector<std::int64_t> problem;
};

/// Prepares candidates off the launch path; opencl/ implements it by compiling. Called by the background step alone.
class CandidatePreparer {
 public:
  virtual ~CandidatePreparer() = default;
  /// Begins to prepare; ends with TunerCore::markReady or markFailed, at once or later.
  virtual void prepare(Candidate candidate) = 0;
  /// How many candidates are prepared at a time; constant.
  virtual std::size_t capacity() const { return 1; }
  /// The session explores no more: what is being prepared for it alone is not wanted. Each of its candidates under way
  /// ends with TunerCore::markDropped.
  virtual void drop(Session* /*session*/) {}
  /// Whether drop() has something to do. Called in launches, with the core's lock held.
  virtual bool isPreparingFor(const Session& /*session*/) const { return false; }
  /// Of candidates that are proposed together, those that are not preferred come last.
  virtual bool isPreferred(const std::int64_t* /*configuration*/, const std::int64_t* /*problem*/) const {
    return true;
  }
  /// Whether something is being built now on the cores that launches run on. Asked at each launch.
  virtual bool doesBuildTakeFromLaunches() const { return false; }
};

/// One launch's configuration, and what launching it needs.
struct StartedLaunch {
  OpenMeasurement open;                // without a session in a forked child
  std::shared_ptr<Prepared> prepared;  // null for a default that was never launched for this problem
};

/// Thread safety: internally synchronised by one lock that is held for moments: never while a strategy proposes, a
/// candidate is prepared or a diagnostic is delivered. In a forked child every launch runs the default, unmeasured.
class TunerCore final : public BackgroundTask {
 public:
  /// `preparer` may be null: then candidates need no preparing. `background` is woken when there is work for
  /// step(); the caller adds the core to it and removes it.
  /// `options` are the program's; the environment is read here. Throws UsageError for an unknown strategy, for
  /// something in the environment that cannot be understood, for a budget that is none, or for a log that cannot be
  /// opened. `timerResolutionNs` is that of event times, 0 if it does not matter.
  TunerCore(std::shared_ptr<DeclarationData> declarations, Options options, const Clock& clock, Background& background,
            CandidatePreparer* preparer, double timerResolutionNs = 0, const Thresholds& thresholds = {});
  ~TunerCore() override;

  /// Ends the declarations; see DeclarationData::seal. Throws UsageError also if a pin does not fit to them.
  void seal();
  /// The configuration that is pinned for all problems, or null. REQUIRES: sealed
  const std::vector<std::int64_t>* pinnedForAll() const { return pins_.forAll(); }
  /// Takes such pins back, since it cannot be launched. Returns the message for deliver(). REQUIRES: there is one, and
  /// nothing was launched yet
  std::string dropPinForAll(const std::string& reason);

  /// Preparing takes from the launches; until one was seen, so much is expected of a candidate's. REQUIRES: nothing was
  /// launched yet
  void expectToll(double firstBuildNs) { toll_.emplace(firstBuildNs); }

  // ---- launches

  /// Begins a launch. `problem` are the sizes in order of declaration. REQUIRES: sealed
  StartedLaunch start(const std::int64_t* problem, std::size_t problemSize);
  StartedLaunch start(std::initializer_list<std::int64_t> problem) { return start(problem.begin(), problem.size()); }

  /// Ends a launch; each started launch is ended by exactly one of these.
  void stopByClock(const OpenMeasurement& open);
  void stopWithCost(const OpenMeasurement& open, double cost);
  void stopWithEvents(const OpenMeasurement& open, const Elapsed& elapsed);
  void abandon(const OpenMeasurement& open);   // the caller never stopped it
  void withdraw(const OpenMeasurement& open);  // the launch was at fault, whatever its configuration

  /// Ends a launch whose configuration could not be launched.
  void fail(const OpenMeasurement& open, const std::string& reason);

  /// What to launch, unmeasured, where a configuration cannot be launched: the incumbent or, if that is it, the
  /// default.
  StartedLaunch alternativeTo(const OpenMeasurement& open);

  // ---- preparing

  /// For the preparer, and for the default of a new problem.
  void markReady(Session* session, Session::EntryIndex entry, std::shared_ptr<Prepared> prepared);
  void markFailed(Session* session, Session::EntryIndex entry, const std::string& reason);
  /// It is not prepared any more. REQUIRES: its session is settled
  void markDropped(Session* session, Session::EntryIndex entry);
  /// For a default, which is launched whether or not it is prepared.
  void attach(Session* session, Session::EntryIndex entry, std::shared_ptr<Prepared> prepared);

  bool step() override;

  // ---- all problems

  void settle();
  /// Throws UsageError if the problem was never launched.
  Report report(const std::int64_t* problem, std::size_t problemSize);

  /// To the program's diagnostics sink.
  void deliver(const std::string& message);

  const DeclarationData& declarations() const { return *declarations_; }
  const Options& options() const { return options_; }

 private:
  struct ProblemState {
    ProblemState(std::vector<std::int64_t> sizes, Session newSession, std::unique_ptr<Strategy> newStrategy)
        : problem(std::move(sizes)), session(std::move(newSession)), strategy(std::move(newStrategy)) {}
    const std::vector<std::int64_t> problem;
    Session session;
    std::uint64_t launchedAt = 0;  // its latest launch, of the tuner's
    // The background step's own: the strategy, and the evidence it is shown, which follows the session's.
    std::unique_ptr<Strategy> strategy;
    Evidence shown;
  };
  struct PendingTime {
    Session* session;
    Session::EntryIndex entry;
    Elapsed elapsed;
  };
  enum class CostKind {
    none,
    time,
    userDefined
  };
  using Messages = std::vector<std::string>;

  static StartedLaunch opened(Session& session, Session::Choice choice);
  void dropUnwanted(ProblemState& state);
  std::unique_ptr<Strategy> makeSessionStrategy(std::size_t sessionNumber) const;
  ProblemState* find(const std::int64_t* problem, std::size_t problemSize);
  ProblemState& create(const std::int64_t* problem, std::size_t problemSize, std::unique_ptr<Strategy> strategy,
                       Messages& messages);
  void settlePendingTimes(std::size_t atMost, Messages& messages);
  void accept(Session* session, Session::EntryIndex entry, const TimeReading& reading, Messages& messages,
              double resolutionNs = 0);
  void claimCostKind(CostKind kind, const OpenMeasurement& open);
  void wakeIfWanted(const Session& session);
  bool attachSpace(ProblemState& state);
  bool proposeFor(ProblemState& state);
  void logNews(ProblemState& state);
  void deliverAll(const Messages& messages);

  const std::shared_ptr<DeclarationData> declarations_;
  const Options options_;
  const Clock& clock_;
  Background& background_;
  CandidatePreparer* const preparer_;
  const std::unique_ptr<Log> log_;     // null where none is wanted
  Pins pins_;                          // constant from the first launch on
  std::vector<std::int64_t> default_;  // the same

  const double timerResolutionNs_;
  const Thresholds thresholds_;
  const ForkGuard forkGuard_;

  std::mutex mutex_;  // for what follows
  Account account_;
  std::optional<BuildToll> toll_;  // where preparing takes from the launches
  std::vector<std::unique_ptr<ProblemState>> states_;
  std::unordered_multimap<std::size_t, ProblemState*> stateByHash_;
  ProblemState* latest_ = nullptr;  // most launches are for the problem of the launch before
  std::uint64_t launches_ = 0;
  std::vector<PendingTime> pending_;
  std::size_t nextPoll_ = 0;
  CostKind costKind_ = CostKind::none;
  bool hasReportedBroken_ = false;
  bool hasReportedNoBudget_ = false;
};

}  // namespace hone::detail
