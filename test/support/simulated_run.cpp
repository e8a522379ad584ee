#include "support/simulated_run.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <utility>

namespace hone::test {

namespace {

// Between a launch's end and the next one's start; not a multiple of any timer's tick, so that launches begin anywhere
// in a tick.
constexpr double kGapNs = 237.3;

/// The time of the launch before, read when the next one begins.
class LatestTime final : public EventTimes {
 public:
  void check(void*, void*) const override {}
  void retain(void*) const override {}
  void release(void*) const override {}
  TimeReading read(void*, void*) const override { return latest_; }

  Elapsed of(double ns) {
    latest_.state = ns > 0 ? TimeReading::State::known : TimeReading::State::broken;
    latest_.ns = ns;
    latest_.reason = "no tick between start and end";
    return {this, this, this};
  }

 private:
  TimeReading latest_;
};

/// Builds candidates one after the other, in the time of the launches.
class SimulatedBuilds final : public detail::CandidatePreparer {
 public:
  explicit SimulatedBuilds(double buildNs) : buildNs_(buildNs) {}

  void prepare(detail::Candidate candidate) override {
    endsAtNs_ = (queue_.empty() ? nowNs_ : endsAtNs_) + buildNs_;
    queue_.emplace_back(endsAtNs_, std::move(candidate));
  }
  bool doesBuildTakeFromLaunches() const override { return !queue_.empty(); }

  void advance(double nowNs, detail::TunerCore& core) {
    nowNs_ = nowNs;
    while (!queue_.empty() && queue_.front().first <= nowNs) {
      core.markReady(queue_.front().second.session, queue_.front().second.entry, nullptr);
      queue_.pop_front();
    }
  }

 private:
  const double buildNs_;
  double nowNs_ = 0;
  double endsAtNs_ = 0;  // the last one's
  std::deque<std::pair<double, detail::Candidate>> queue_;
};

}  // namespace

double SimulatedDevice::median(const Configuration& configuration) const {
  return cost(configuration) * noise(configuration).median;
}

struct SimulatedRun::State {
  State(const std::function<void(Declarations&)>& declare, const SimulatedDevice& device, Options options,
        const detail::Thresholds& thresholds)
      : declarations("simulated"), background(detail::Background::Driver::steps), builds(device.buildNs) {
    declare(declarations);
    const bool hasBuilds = device.buildNs > 0;
    core = std::make_unique<detail::TunerCore>(declarations.sharedData(), std::move(options), clock, background,
                                               hasBuilds ? &builds : nullptr, device.timerResolutionNs, thresholds);
    if (hasBuilds) core->expectToll(device.buildNs);
    core->seal();
    byDefault = declarations.sharedData()->defaultConfiguration();
  }

  struct Launched {
    double cost;
    NoiseOfConfiguration noise;
    std::uint64_t launches = 0;
  };

  LatestTime times;
  ManualClock clock;
  SpaceDeclarations declarations;
  detail::Background background;
  SimulatedBuilds builds;
  std::unique_ptr<detail::TunerCore> core;
  Configuration byDefault;
  std::map<Configuration, Launched> launched;
};

SimulatedRun::SimulatedRun(const std::function<void(Declarations&)>& declare, SimulatedDevice device, Options options,
                           const detail::Thresholds& thresholds)
    : device_(std::move(device)), budget_(options.slowdownBudget) {
  options.diagnostics = nullptr;
  state_ = std::make_unique<State>(declare, device_, std::move(options), thresholds);
}

SimulatedRun::~SimulatedRun() = default;

double SimulatedRun::measured(double durationNs) {
  const double tick = device_.timerResolutionNs;
  if (tick == 0) return durationNs;
  return (std::floor((nowNs_ + durationNs) / tick) - std::floor(nowNs_ / tick)) * tick;
}

Configuration SimulatedRun::launch() {
  detail::TunerCore& core = *state_->core;
  state_->builds.advance(nowNs_, core);
  const double byBuild = state_->builds.doesBuildTakeFromLaunches() ? device_.slowdownByBuild : 1;
  const detail::StartedLaunch started = core.start({});
  const Configuration configuration(started.open.values, started.open.values + state_->byDefault.size());
  const auto known = [&](const Configuration& c) -> State::Launched& {
    const auto [place, isNew] = state_->launched.try_emplace(c);
    if (isNew) place->second = {device_.cost(c), device_.noise(c)};
    return place->second;
  };
  VirtualLaunch virtualLaunch;
  virtualLaunch.number = launches_;
  virtualLaunch.startNs = static_cast<std::int64_t>(nowNs_);
  const double state = device_.state ? device_.state(virtualLaunch) : 1;

  State::Launched& launched = known(configuration);
  const State::Launched& byDefault = known(state_->byDefault);
  const double mean = launched.cost * launched.noise.mean * state * byBuild;
  spending_.total += mean;
  spending_.byDefault += byDefault.cost * byDefault.noise.mean * state;
  spending_.largest = std::max(spending_.largest, mean);
  if (!spending_.keeps(budget_)) ++violations_;

  const double durationNs = launched.cost * launched.noise.factor(launched.launches++) * state * byBuild;
  const double cost = measured(durationNs);
  ++launches_;
  nowNs_ += durationNs + kGapNs;
  core.stopWithEvents(started.open, state_->times.of(cost));
  core.step();
  isSampled_ = started.open.isSampled;
  return configuration;
}

bool SimulatedRun::untilDecided(std::uint64_t atMost) {
  while (launches_ < atMost) {
    launch();
    if (!isSampled_ && report().isDecided) return true;  // the report alone would do, but takes its time
  }
  return false;
}

Report SimulatedRun::report() const { return state_->core->report(nullptr, 0); }

Configuration SimulatedRun::chosen() const {
  Configuration values;
  for (const auto& [name, value] : report().best) values.push_back(value);
  return values;
}

}  // namespace hone::test
