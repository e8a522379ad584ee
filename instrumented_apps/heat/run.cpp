#include "heat/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>

#include "errors.h"
#include "format.h"
#include "heat/picture.h"
#include "problem_size.h"
#include "progress.h"
#include "running_figures.h"

namespace hone::apps::heat {

namespace {

using Clock = std::chrono::steady_clock;

// One section running and one waiting behind it: the device stays busy, and what the library learns is not late.
constexpr std::size_t kInFlight = 2;

constexpr int kPicturesOfLevel = 5;  // after the one of its beginning
constexpr std::chrono::seconds kBetweenCheckpoints{30};
constexpr std::chrono::milliseconds kBetweenStatus{100};

// What a level's first mode may be off, a temperature, for each step and in any case. Were all roundings to one side,
// it would be 3e-8 for each; 1.2e-10 was measured, over 100,000 steps of a field that had become smooth. A step that is
// missing among few changes it by more than that on grids of up to some 4000 cells along a side.
constexpr double kModeErrorOfStep = 3e-9, kModeError = 1e-6;

// What temperatures may be beyond 0 and 1: a rounding of each step at most, were they all to one side.
constexpr float kMaximumBeyond = 1e-5f;

double secondsSince(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

// Empty where the driver's timestamps are no times.
std::optional<double> deviceMs(const Launched& section) {
  cl_int startError = CL_SUCCESS, endError = CL_SUCCESS;
  const cl_ulong start = section.first.getProfilingInfo<CL_PROFILING_COMMAND_START>(&startError);
  const cl_ulong end = section.last.getProfilingInfo<CL_PROFILING_COMMAND_END>(&endError);
  if (startError != CL_SUCCESS || endError != CL_SUCCESS || start == 0 || end <= start) return std::nullopt;
  return static_cast<double>(end - start) / 1e6;
}

std::string gridText(const Grid& grid) { return problemText(problemOf(grid)); }

class Run {
 public:
  Run(Diffusion& diffusion, const std::vector<TunedWork>& works, const Limits& limits, const Outputs& outputs,
      const std::optional<Checkpoint>& checkpoint, Console& console)
      : diffusion_(diffusion),
        works_(works),
        limits_(limits),
        outputs_(outputs),
        console_(console),
        sections_(checkpoint ? checkpoint->sections : 0),
        saved_(Clock::now()) {
    figures_.extremes = {1, 0};
    if (checkpoint) {
      figures_.steps = checkpoint->steps;
      figures_.time = checkpoint->time;
    }
  }

  SimulationFigures all() {
    for (std::size_t level = diffusion_.level(); level < works_.size(); ++level) {
      if (level != diffusion_.level()) {
        diffusion_.goTo(level);
        sections_ = 0;
      }
      if (!isReached(0)) runLevel(level);
    }
    if (!outputs_.checkpoint.empty()) save();
    figures_.stallMaxMs = stallsMs_.max();
    figures_.stallMeanMs = stallsMs_.mean();
    return figures_;
  }

 private:
  void runLevel(std::size_t level) {
    const TunedWork& work = works_[level];
    const Grid& grid = diffusion_.levels()[level];
    const FirstMode before(grid, diffusion_.simulation().field());
    LevelFigures figures;
    figures.grid = grid;
    median_ = {};
    drawn_ = 0;
    draw();

    const auto begin = Clock::now();
    double seconds = 0;
    do {
      runSection(work, figures);
      seconds = secondsSince(begin);
      showStatus(level, work);
      const int fifths = static_cast<int>(kPicturesOfLevel * partDone(seconds));
      if (fifths > drawn_) draw();
      drawn_ = fifths;
      if (!outputs_.checkpoint.empty() && Clock::now() - saved_ >= kBetweenCheckpoints) save();
    } while (!isReached(seconds) && !(limits_.endsSettled && work.report().phase == Phase::settled));
    finishAllBut(0, figures);
    figures.seconds = secondsSince(begin);
    figures.sectionMedianMs = median_.value();
    figures.report = work.report();
    check(grid, before, figures.sections * kSectionSteps);
    figures_.levels.push_back(std::move(figures));
  }

  void runSection(const TunedWork& work, LevelFigures& figures) {
    if (work.prepare) work.prepare();
    const auto before = Clock::now();
    inFlight_.push_back(work.launch());
    if (!isFirst_) stallsMs_.add(secondsSince(before) * 1e3);
    isFirst_ = false;
    ++sections_;
    ++figures.sections;
    figures_.steps += kSectionSteps;
    const double spacing = figures.grid.spacing();
    figures_.time += static_cast<double>(kSectionSteps) * rateOf(figures.grid.dimensions) * spacing * spacing;
    finishAllBut(work.check ? 0 : kInFlight - 1, figures);
    if (work.check) work.check(figures.sections);
  }

  void finishAllBut(std::size_t count, LevelFigures& figures) {
    while (inFlight_.size() > count) {
      inFlight_.front().wait();
      if (const auto ms = deviceMs(inFlight_.front())) {
        figures.deviceSeconds += *ms / 1e3;
        median_.add(*ms);
      }
      inFlight_.pop_front();
    }
  }

  /// Of the present level, up to 1: the larger part of its sections and of its time; 0 where neither is limited.
  double partDone(double seconds) const {
    double part = 0;
    if (!limits_.sections.empty()) {
      const auto planned = static_cast<double>(limits_.sections[diffusion_.level()]);
      part = static_cast<double>(sections_) / planned;
    }
    if (limits_.secondsPerLevel) part = std::max(part, seconds / *limits_.secondsPerLevel);
    return std::min(part, 1.0);
  }
  bool isReached(double seconds) const { return partDone(seconds) >= 1; }

  void check(const Grid& grid, const FirstMode& before, std::uint64_t steps) {
    const Field field = diffusion_.simulation().field();
    const double error = std::abs(FirstMode(grid, field).temperature() - before.temperatureAfter(steps));
    figures_.firstModeError = std::max(figures_.firstModeError, error);
    const Extremes extremes = extremesOf(field);
    figures_.extremes.least = std::min(figures_.extremes.least, extremes.least);
    figures_.extremes.most = std::max(figures_.extremes.most, extremes.most);
    const double allowed = kModeError + kModeErrorOfStep * static_cast<double>(steps);
    if (!(error <= allowed)) {
      throw CheckFailure(gridText(grid) + ": the first mode is off by " + scientific(error) + ", which is above " +
                         scientific(allowed));
    }
    if (!(extremes.least >= -kMaximumBeyond && extremes.most <= 1 + kMaximumBeyond)) {
      throw CheckFailure(gridText(grid) + ": temperatures are from " + std::to_string(extremes.least) + " to " +
                         std::to_string(extremes.most) + ", where none was below 0 or above 1");
    }
  }

  void showStatus(std::size_t level, const TunedWork& work) {
    if (!console_.isTerminal() || Clock::now() - shown_ < kBetweenStatus) return;
    shown_ = Clock::now();
    console_.status(gridText(diffusion_.levels()[level]) + " (" + std::to_string(level + 1) + " of " +
                    std::to_string(works_.size()) + "), " + progressText(work.report()));
  }

  void draw() {
    if (outputs_.frames.empty()) return;
    const Simulation& simulation = diffusion_.simulation();
    const auto [width, height, depth] = simulation.grid().stored();
    const std::string digits = std::to_string(figures_.steps);
    const std::string name = "step_" + std::string(10 - std::min<std::size_t>(digits.size(), 10), '0') + digits +
                             "_level_" + std::to_string(diffusion_.level() + 1) + ".png";
    writePng((std::filesystem::path(outputs_.frames) / name).string(),
             picture(simulation.middlePlane(), width, height, pictureSizeOf(diffusion_.levels().back())));
  }

  void save() {
    const std::vector<Grid>& levels = diffusion_.levels();
    Checkpoint checkpoint;
    checkpoint.finest = levels.back();
    checkpoint.levels = static_cast<std::uint32_t>(levels.size());
    checkpoint.level = static_cast<std::uint32_t>(diffusion_.level());
    checkpoint.sections = sections_;
    checkpoint.steps = figures_.steps;
    checkpoint.time = figures_.time;
    checkpoint.field = diffusion_.simulation().field();
    saveCheckpoint(outputs_.checkpoint, checkpoint);
    saved_ = Clock::now();
  }

  Diffusion& diffusion_;
  const std::vector<TunedWork>& works_;
  const Limits& limits_;
  const Outputs& outputs_;
  Console& console_;
  std::deque<Launched> inFlight_;
  std::uint64_t sections_;  // on the present level, those before a checkpoint included
  bool isFirst_ = true;
  int drawn_ = 0;  // fifths of the present level that there are pictures of
  RecentMedian median_;
  RunningFigures stallsMs_;
  Clock::time_point saved_, shown_{};
  SimulationFigures figures_;
};

}  // namespace

SimulationFigures runLevels(Diffusion& diffusion, const std::vector<TunedWork>& works, const Limits& limits,
                            const Outputs& outputs, const std::optional<Checkpoint>& checkpoint, Console& console) {
  try {
    SimulationFigures figures = Run(diffusion, works, limits, outputs, checkpoint, console).all();
    console.clearStatus();
    return figures;
  } catch (...) {
    console.clearStatus();
    throw;
  }
}

}  // namespace hone::apps::heat
