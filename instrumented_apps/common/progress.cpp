#include "progress.h"

#include "format.h"

namespace hone::apps {

namespace {

constexpr std::chrono::milliseconds kInterval{100};

}  // namespace

std::string progressText(const Report& report) {
  std::string text = toString(report.phase);
  text += ", " + std::to_string(report.launches) + " launches, " + std::to_string(report.trials) + " trials";
  if (report.bestCost) text += ", best " + milliseconds(*report.bestCost / 1e6);
  if (report.bestCost && report.defaultCost)
    text += ", " + fixed(*report.defaultCost / *report.bestCost, 2) + " x the default's speed";
  return text;
}

void Progress::update(Clock::time_point now, const std::function<Report()>& report) {
  if (!console_.isTerminal() || now < next_) return;
  next_ = now + kInterval;
  console_.status(progressText(report()));
}

}  // namespace hone::apps
