#include "measuring_loop.h"

#include <chrono>
#include <deque>

#include "progress.h"
#include "running_figures.h"

namespace hone::apps {

namespace {

using Clock = std::chrono::steady_clock;

// One launch running and one waiting behind it: the device stays busy, and what the library learns is not late.
constexpr std::size_t kInFlight = 2;

// The library's final takes up to 60 launches, and waits while the device is disturbed.
constexpr int kClosingLaunches = 200;

double secondsBetween(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

class Loop {
 public:
  explicit Loop(const TunedWork& work) : work_(work), begin_(Clock::now()) {}

  std::uint64_t launches() const { return launches_; }
  double elapsedSeconds() const { return secondsBetween(begin_, Clock::now()); }

  void launchOne() {
    if (work_.prepare) work_.prepare();
    launchUnchecked(work_.check ? 0 : kInFlight - 1);
    if (work_.check) work_.check(launches_);
  }

  /// Launches, and waits until no more than `inFlight` launches are under way.
  void launchUnchecked(std::size_t inFlight = kInFlight - 1) {
    const auto before = Clock::now();
    inFlight_.push_back(work_.launch());
    if (launches_ > 0) stallsMs_.add(secondsBetween(before, Clock::now()) * 1e3);
    ++launches_;
    finishAllBut(inFlight);
  }

  void finishAllBut(std::size_t count) {
    while (inFlight_.size() > count) {
      inFlight_.front().wait();
      if (const auto ms = inFlight_.front().deviceMs()) {
        deviceMs_.add(*ms);
        medianMs_.add(*ms);
      }
      inFlight_.pop_front();
    }
  }

  RunFigures figures() const {
    RunFigures figures;
    figures.launches = launches_;
    figures.totalSeconds = elapsedSeconds();
    figures.deviceSeconds = deviceMs_.sum() / 1e3;
    figures.stallMaxMs = stallsMs_.max();
    figures.stallMeanMs = stallsMs_.mean();
    figures.launchMedianMs = medianMs_.value();
    return figures;
  }

 private:
  const TunedWork& work_;
  const Clock::time_point begin_;
  std::deque<Launched> inFlight_;
  std::uint64_t launches_ = 0;
  RunningFigures stallsMs_;
  RunningFigures deviceMs_;
  RecentMedian medianMs_;
};

bool isReached(const RunLimits& limits, const Loop& loop) {
  return (limits.launches && loop.launches() >= *limits.launches) ||
         (limits.seconds && loop.elapsedSeconds() >= *limits.seconds);
}

bool isSettled(const TunedWork& work) { return work.report().phase == Phase::settled; }

RunFigures run(const TunedWork& work, const RunLimits& limits, Console& console) {
  Progress progress(console);
  Loop loop(work);
  do {
    loop.launchOne();
    progress.update(Clock::now(), work.report);
  } while (!isReached(limits, loop) && !(limits.endsSettled && isSettled(work)));
  loop.finishAllBut(0);

  const auto settledAt = work.report().settledAt;
  const auto ended = Clock::now();
  work.settle();
  const double quietSeconds = secondsBetween(ended, Clock::now());
  for (int i = 0; i < kClosingLaunches && !work.report().isDecided; ++i) loop.launchUnchecked();
  loop.finishAllBut(0);
  loop.launchOne();  // the winner's result is checked last
  loop.finishAllBut(0);

  RunFigures figures = loop.figures();
  figures.totalSeconds -= quietSeconds;
  figures.report = work.report();
  figures.settledAt = settledAt;
  return figures;
}

}  // namespace

RunFigures runLaunches(const TunedWork& work, const RunLimits& limits, Console& console) {
  try {
    const RunFigures figures = run(work, limits, console);
    console.clearStatus();
    return figures;
  } catch (...) {
    console.clearStatus();
    throw;
  }
}

}  // namespace hone::apps
