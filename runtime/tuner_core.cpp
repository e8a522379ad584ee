#include "tuner_core.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <iomanip>
#include <sstream>

namespace hone::detail {

namespace {

// Unread times are bounded so that a program that never waits does not fill memory with events; a launch polls a few,
// so that its cost does not depend on how many there are.
constexpr std::size_t kMaximumPending = 64;
constexpr std::size_t kPollsALaunch = 4;

// Candidates under way for a problem, beside those that can be prepared at a time: the one that races meanwhile. More
// would be proposed on evidence that is already old when they are launched.
constexpr std::size_t kCandidatesRacing = 1;

// Of other problems, after which nothing is prepared for one until it is launched again: whoever has several in turns
// comes back sooner, and a simulation that has changed its grid does not.
constexpr std::uint64_t kLaunchesUntilIdle = 100;

class SteadyClock final : public Clock {
 public:
  std::int64_t nowNs() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

std::size_t hashOf(const std::int64_t* problem, std::size_t size) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: spreads small sizes over all bits
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<std::uint64_t>(problem[i])) * 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

std::string describe(const DeclarationData& declarations, const std::vector<std::int64_t>& problem) {
  std::string text;
  for (std::size_t i = 0; i < problem.size(); ++i)
    text += (i == 0 ? "" : ", ") + declarations.problemNames[i] + "=" + std::to_string(problem[i]);
  return text.empty() ? "no problem sizes" : text;
}

/// "settled after 812 launches and 56 trials (2 failed): 3.1 ms, default 5.8 ms"
std::string describeNews(const Report& report, bool isTime) {
  std::ostringstream text;
  text << std::setprecision(4);
  const auto cost = [&](double value, const char* before) {
    text << before << (isTime ? value / 1e6 : value) << (isTime ? " ms" : "");
  };
  text << toString(report.phase) << " after " << report.launches << " launches and " << report.trials << " trials ("
       << report.failed << " failed)";
  if (report.bestCost) cost(*report.bestCost, ": ");
  if (report.defaultCost) cost(*report.defaultCost, ", default ");
  return text.str();
}

}  // namespace

const Clock& steadyClock() {
  static const SteadyClock clock;
  return clock;
}

TunerCore::TunerCore(std::shared_ptr<DeclarationData> declarations, Options options, const Clock& clock,
                     Background& background, CandidatePreparer* preparer, double timerResolutionNs,
                     const Thresholds& thresholds)
    : declarations_(std::move(declarations)),
      options_(hone::withEnvironment(std::move(options))),
      clock_(clock),
      background_(background),
      preparer_(preparer),
      log_(options_.logFile.empty() ? nullptr : std::make_unique<Log>(options_.logFile)),
      timerResolutionNs_(timerResolutionNs),
      thresholds_(thresholds),
      account_(options_.slowdownBudget) {
  if (!(options_.slowdownBudget >= 0)) {
    throw UsageError(declarations_->owner + ": the slowdown budget " + std::to_string(options_.slowdownBudget) +
                     " is negative or no number");
  }
  makeSessionStrategy(0);  // so that an unknown strategy is found out here
  pending_.reserve(kMaximumPending);
}

TunerCore::~TunerCore() {
  if (forkGuard_.isForkedChild()) return;  // the parent writes the log, and releases the events
  if (log_) {
    try {  // what the background came too late for
      for (const auto& state : states_) logNews(*state);
    } catch (const std::exception&) {  // no memory for a line
    }
  }
  for (const PendingTime& pending : pending_) {
    pending.elapsed.times->release(pending.elapsed.first);
    pending.elapsed.times->release(pending.elapsed.last);
  }
}

void TunerCore::seal() {
  if (declarations_->isSealed) return;
  pins_ = Pins(options_.pins, *declarations_);
  declarations_->seal();
  default_ = declarations_->defaultConfiguration();
}

std::string TunerCore::dropPinForAll(const std::string& reason) {
  const std::string configuration = toString(declarations_->named(pins_.forAll()->data()));
  pins_.dropForAll();
  return configuration + " failed: " + reason;
}

std::unique_ptr<Strategy> TunerCore::makeSessionStrategy(std::size_t sessionNumber) const {
  const std::uint64_t seed = options_.seed + sessionNumber * 0x9e3779b97f4a7c15;  // far apart, and `seed` for the first
  std::unique_ptr<Strategy> strategy =
      options_.makeStrategy ? options_.makeStrategy(seed) : makeStrategy(options_.strategy, seed);
  if (!strategy) throw UsageError(declarations_->owner + ": Options::makeStrategy made no strategy");
  return strategy;
}

// ---- launches

TunerCore::ProblemState* TunerCore::find(const std::int64_t* problem, std::size_t size) {
  const auto isIt = [&](const ProblemState& state) {
    return std::equal(state.problem.begin(), state.problem.end(), problem);
  };
  if (latest_ && isIt(*latest_)) return latest_;
  const auto [first, last] = stateByHash_.equal_range(hashOf(problem, size));
  const auto found = std::find_if(first, last, [&](const auto& entry) { return isIt(*entry.second); });
  return found == last ? nullptr : found->second;
}

TunerCore::ProblemState& TunerCore::create(const std::int64_t* problem, std::size_t size,
                                           std::unique_ptr<Strategy> strategy, Messages& messages) {
  const std::vector<std::int64_t>* pinned = pins_.find(problem, *declarations_);
  if (pinned) {
    const ConstraintDeclaration* violated = declarations_->firstViolated(pinned->data(), problem);
    if (violated) {
      messages.push_back("the pin for " + describe(*declarations_, {problem, problem + size}) + " violates '" +
                         violated->name + "' and is left out");
      pinned = nullptr;
    }
  }
  const std::size_t candidatesAhead = (preparer_ ? preparer_->capacity() : 1) + kCandidatesRacing;
  Session session(declarations_->defaultConfiguration(), {options_.maxTrials, strategy->patience(), candidatesAhead},
                  account_, toll_ ? &*toll_ : nullptr, thresholds_);
  const bool hasNoBudget = options_.mode == Mode::tune && options_.slowdownBudget == 0;
  if (hasNoBudget && !std::exchange(hasReportedNoBudget_, true))
    messages.push_back("the slowdown budget is 0: nothing new is tried");
  if (pinned || options_.mode != Mode::tune || hasNoBudget) session.fix(pinned);
  states_.push_back(std::make_unique<ProblemState>(std::vector<std::int64_t>(problem, problem + size),
                                                   std::move(session), std::move(strategy)));
  stateByHash_.emplace(hashOf(problem, size), states_.back().get());
  return *states_.back();
}

StartedLaunch TunerCore::opened(Session& session, Session::Choice choice) {
  StartedLaunch started;
  started.open = {&session, session.configuration(choice.entry).data(), choice.entry, choice.isSampled, 0};
  started.prepared = session.prepared(choice.entry);
  return started;
}

StartedLaunch TunerCore::start(const std::int64_t* problem, std::size_t problemSize) {
  if (problemSize != declarations_->problemNames.size()) {
    throw UsageError(declarations_->owner + ": " + std::to_string(problemSize) + " problem sizes were given, " +
                     std::to_string(declarations_->problemNames.size()) + " are declared");
  }
  Messages messages;
  StartedLaunch started;
  if (forkGuard_.isForkedChild()) {  // where the thread that held the lock when the process was forked does not exist
    started.open = {nullptr, default_.data(), Session::kDefaultEntry, false, 0};
    return started;
  }
  {
    std::unique_lock<std::mutex> lock(mutex_);
    settlePendingTimes(kPollsALaunch, messages);
    ProblemState* state = find(problem, problemSize);
    if (!state) {
      const std::size_t sessionNumber = states_.size();
      lock.unlock();  // making a strategy can be the program's code
      std::unique_ptr<Strategy> strategy = makeSessionStrategy(sessionNumber);
      lock.lock();
      state = find(problem, problemSize);  // another thread may have come first
      if (!state) state = &create(problem, problemSize, std::move(strategy), messages);
    }
    latest_ = state;
    state->launchedAt = ++launches_;
    Session& session = state->session;
    const bool canSample = options_.mode != Mode::off && pending_.size() < kMaximumPending;
    const bool isBuilding = toll_ && preparer_->doesBuildTakeFromLaunches();
    const Session::Choice choice = session.next(canSample, isBuilding);
    started = opened(session, choice);
    wakeIfWanted(session);
  }
  deliverAll(messages);
  if (started.open.isSampled) started.open.startNs = clock_.nowNs();
  return started;
}

void TunerCore::claimCostKind(CostKind kind, const OpenMeasurement& open) {
  if (costKind_ == CostKind::none) costKind_ = kind;
  if (costKind_ == kind) return;
  open.session->recordNothing(open.entry);
  throw UsageError(declarations_->owner +
                   ": times and costs of another kind cannot be compared; stop with one of them");
}

void TunerCore::stopByClock(const OpenMeasurement& open) {
  if (!open.isSampled) return;
  const std::int64_t elapsedNs = clock_.nowNs() - open.startNs;
  Messages messages;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    claimCostKind(CostKind::time, open);
    TimeReading reading;
    reading.state = elapsedNs > 0 ? TimeReading::State::known : TimeReading::State::broken;
    reading.ns = static_cast<double>(elapsedNs);
    reading.reason = "the clock did not advance";
    accept(open.session, open.entry, reading, messages);
  }
  deliverAll(messages);
}

void TunerCore::stopWithCost(const OpenMeasurement& open, double cost) {
  if (!std::isfinite(cost) || cost <= 0) {
    withdraw(open);
    throw UsageError(declarations_->owner + ": the cost " + std::to_string(cost) + " is not finite and positive");
  }
  if (!open.isSampled) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  claimCostKind(CostKind::userDefined, open);
  open.session->record(open.entry, cost);
  wakeIfWanted(*open.session);
}

void TunerCore::stopWithEvents(const OpenMeasurement& open, const Elapsed& elapsed) {
  if (!open.isSampled) return;
  try {
    elapsed.times->check(elapsed.first, elapsed.last);
  } catch (...) {
    withdraw(open);
    throw;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  claimCostKind(CostKind::time, open);
  elapsed.times->retain(elapsed.first);
  elapsed.times->retain(elapsed.last);
  pending_.push_back({open.session, open.entry, elapsed});
}

void TunerCore::abandon(const OpenMeasurement& open) {
  if (!open.isSampled) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  open.session->recordGivenUp(open.entry);
  wakeIfWanted(*open.session);
}

void TunerCore::withdraw(const OpenMeasurement& open) {
  if (!open.isSampled) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  open.session->recordNothing(open.entry);
}

void TunerCore::fail(const OpenMeasurement& open, const std::string& reason) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    open.session->recordFailure(open.entry);
    wakeIfWanted(*open.session);
  }
  deliver(toString(declarations_->named(open.values)) + " failed: " + reason);
}

StartedLaunch TunerCore::alternativeTo(const OpenMeasurement& open) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Session::EntryIndex incumbent = open.session->incumbent();
  return opened(*open.session, {open.entry == incumbent ? Session::kDefaultEntry : incumbent, false});
}

void TunerCore::settlePendingTimes(std::size_t atMost, Messages& messages) {
  for (std::size_t polls = 0; polls < atMost && !pending_.empty(); ++polls) {
    nextPoll_ = nextPoll_ < pending_.size() ? nextPoll_ : 0;
    const PendingTime pending = pending_[nextPoll_];
    const TimeReading reading = pending.elapsed.times->read(pending.elapsed.first, pending.elapsed.last);
    if (reading.state == TimeReading::State::pending) {
      ++nextPoll_;
      continue;
    }
    pending.elapsed.times->release(pending.elapsed.first);
    pending.elapsed.times->release(pending.elapsed.last);
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(nextPoll_));
    accept(pending.session, pending.entry, reading, messages, timerResolutionNs_);
  }
}

void TunerCore::accept(Session* session, Session::EntryIndex entry, const TimeReading& reading, Messages& messages,
                       double resolutionNs) {
  switch (reading.state) {
    case TimeReading::State::pending: return;
    case TimeReading::State::known: session->record(entry, reading.ns, resolutionNs); break;
    case TimeReading::State::broken:
      session->recordBroken(entry);
      if (!hasReportedBroken_) messages.push_back(std::string("launches without a usable time: ") + reading.reason);
      hasReportedBroken_ = true;
      break;
    case TimeReading::State::failed:
      session->recordFailure(entry);
      messages.push_back(toString(declarations_->named(session->configuration(entry).data())) +
                         " failed: " + reading.reason);
      break;
  }
  wakeIfWanted(*session);
}

// ---- preparing

void TunerCore::markReady(Session* session, Session::EntryIndex entry, std::shared_ptr<Prepared> prepared) {
  const std::lock_guard<std::mutex> lock(mutex_);
  session->markReady(entry, std::move(prepared));
}

void TunerCore::markFailed(Session* session, Session::EntryIndex entry, const std::string& reason) {
  std::string configuration;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    session->markFailed(entry);
    configuration = toString(declarations_->named(session->configuration(entry).data()));
  }
  deliver(configuration + " failed: " + reason);
}

void TunerCore::markDropped(Session* session, Session::EntryIndex entry) {
  const std::lock_guard<std::mutex> lock(mutex_);
  session->markFailed(entry);  // of a settled session, that is no trial
}

void TunerCore::attach(Session* session, Session::EntryIndex entry, std::shared_ptr<Prepared> prepared) {
  const std::lock_guard<std::mutex> lock(mutex_);
  session->attach(entry, std::move(prepared));
}

void TunerCore::wakeIfWanted(const Session& session) {
  const bool isLogWanted = log_ && session.hasNews();
  const bool isDropWanted = preparer_ && session.phase() == Phase::settled && preparer_->isPreparingFor(session);
  if (isLogWanted || isDropWanted || session.wantsSpace() || session.candidatesWanted() > 0) background_.wake();
}

bool TunerCore::step() {
  bool hadWork = false;
  for (std::size_t i = 0;; ++i) {
    ProblemState* state = nullptr;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (i >= states_.size()) break;
      state = states_[i].get();
    }
    try {
      const bool didAttach = attachSpace(*state);
      hadWork = proposeFor(*state) || didAttach || hadWork;
      dropUnwanted(*state);
    } catch (const std::exception& error) {  // a strategy of the program's, or a space beyond all limits
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        state->session.settle();
      }
      deliver(std::string("the search ended: ") + error.what());
    }
    if (log_) logNews(*state);
  }
  return (log_ && log_->write()) || hadWork;
}

void TunerCore::logNews(ProblemState& state) {
  Report report;
  std::vector<std::int64_t> configuration;
  bool isTime = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!state.session.takeNews()) return;
    report = state.session.report();
    configuration = state.session.configuration(state.session.incumbent());
    isTime = costKind_ == CostKind::time;
  }
  if (!report.settledAt && report.phase == Phase::settled) {  // fixed: nothing was found
    const std::string where = state.problem.empty() ? "" : " for " + describe(*declarations_, state.problem);
    log_->add(declarations_->owner + ": nothing is tried" + where + ": " +
              toString(declarations_->named(configuration.data())) + " runs");
    return;
  }
  Pin pin;
  pin.tuner = declarations_->owner;
  for (std::size_t i = 0; i < state.problem.size(); ++i)
    pin.problem.emplace_back(declarations_->problemNames[i], state.problem[i]);
  pin.configuration = declarations_->named(configuration.data());
  log_->add(describeNews(report, isTime) + " " + toJson(pin));
}

void TunerCore::dropUnwanted(ProblemState& state) {
  if (!preparer_) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (state.session.phase() != Phase::settled || !preparer_->isPreparingFor(state.session)) return;
  }
  preparer_->drop(&state.session);
}

bool TunerCore::attachSpace(ProblemState& state) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!state.session.wantsSpace()) return false;
  }
  auto space = std::make_shared<const SearchSpace>(*declarations_, state.problem);
  if (space->size() == 0) {
    const std::optional<Emptied> emptied = declarations_->emptiedBy(state.problem.data());
    deliver("no configuration is left for " + describe(*declarations_, state.problem) +
            (emptied ? ": " + toString(*emptied) : "") + "; the default runs");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  state.session.attachSpace(std::move(space));
  return true;
}

bool TunerCore::proposeFor(ProblemState& state) {
  std::size_t atMost = 0;
  std::shared_ptr<const SearchSpace> space;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool isIdle = launches_ - state.launchedAt >= kLaunchesUntilIdle;
    const std::size_t wanted = isIdle ? 0 : state.session.candidatesWanted();
    if (wanted == 0) return false;
    atMost = wanted + state.session.candidatesUnderWay();
    space = state.session.space();
    const std::vector<Trial>& trials = state.session.evidence().trials();
    for (std::size_t i = state.shown.trials().size(); i < trials.size(); ++i) state.shown.add(trials[i]);
  }
  Proposal proposal = state.strategy->propose(*space, state.shown, atMost);
  if (preparer_) {
    const auto isPreferred = [&](Rank rank) {  // a rank outside of the space is refused below
      return rank >= space->size() || preparer_->isPreferred(space->configuration(rank).data(), state.problem.data());
    };
    std::stable_partition(proposal.candidates.begin(), proposal.candidates.end(), isPreferred);
  }
  std::vector<Candidate> candidates;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (Session::EntryIndex entry : state.session.offer(proposal, state.shown.trials().size()))
      candidates.push_back({&state.session, entry, state.session.configuration(entry), state.problem});
  }
  for (Candidate& candidate : candidates) {
    if (preparer_) {
      preparer_->prepare(std::move(candidate));
    } else {
      markReady(candidate.session, candidate.entry, nullptr);
    }
  }
  return true;
}

// ---- all problems

void TunerCore::settle() {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& state : states_) {
    state->session.settle();
    wakeIfWanted(state->session);
  }
}

Report TunerCore::report(const std::int64_t* problem, std::size_t problemSize) {
  Messages messages;
  Report report;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool hasRightSize = problemSize == declarations_->problemNames.size();
    ProblemState* state = hasRightSize ? find(problem, problemSize) : nullptr;
    if (!state) {
      throw UsageError(declarations_->owner + ": a report was asked for a problem that was never launched: " +
                       (hasRightSize ? describe(*declarations_, {problem, problem + problemSize})
                                     : std::to_string(problemSize) + " problem sizes"));
    }
    settlePendingTimes(pending_.size(), messages);
    report = state->session.report();
    report.best = declarations_->named(state->session.configuration(state->session.incumbent()).data());
  }
  deliverAll(messages);
  return report;
}

void TunerCore::deliver(const std::string& message) {
  if (options_.diagnostics) options_.diagnostics({declarations_->owner, message});
  if (!log_) return;
  log_->add(declarations_->owner + ": " + message);
  background_.wake();
}

void TunerCore::deliverAll(const Messages& messages) {
  for (const std::string& message : messages) deliver(message);
}

}  // namespace hone::detail
