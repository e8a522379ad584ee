#include "papers/sweep.h"

#include <algorithm>
#include <chrono>

#include "papers/match.h"
#include "papers/pinned.h"
#include "papers/search_run.h"
#include "recording/measurement_table.h"
#include "search_quality/scores.h"

namespace hone::bench {

namespace {

using Clock = std::chrono::steady_clock;

// A configuration that takes so much longer than the default is not looked at closely.
constexpr double kClearlySlower = 2;
constexpr std::size_t kSamplesOfSlow = 2;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Sweeper {
 public:
  Sweeper(apps::Workload& workload, const SweptSpace& swept, std::size_t samples)
      : workload_(workload), swept_(swept), samples_(samples), reference_(workload, {}) {
    defaultMs_ = playMatch({&reference_}, {}).front();
  }

  MeasuredRow measure(Rank rank) {
    MeasuredRow row;
    row.configuration = swept_.space.configuration(rank);
    const Clock::time_point start = Clock::now();
    try {
      Pinned pinned(workload_, named(swept_.names, row.configuration));
      row.compileMs = millisecondsSince(start);
      const Clock::time_point begun = Clock::now();
      row.samplesMs = samplesOf(pinned);
      row.benchMs = millisecondsSince(begun);
    } catch (const DoesNotRun& failure) {
      row.error = failure.stage();
      row.compileMs = millisecondsSince(start);
    }
    return row;
  }

 private:
  std::vector<double> samplesOf(Pinned& pinned) {
    std::vector<double> own, references;
    for (std::size_t i = 0; i < samples_; ++i) {
      references.push_back(reference_.sampleMs());
      own.push_back(pinned.sampleMs());
      const double fastest = *std::min_element(own.begin(), own.end());
      if (own.size() == kSamplesOfSlow && fastest > kClearlySlower * references.back()) break;
    }
    const double scale = defaultMs_ / quantile(references, 0.5);
    for (double& ms : own) ms *= scale;
    return own;
  }

  apps::Workload& workload_;
  const SweptSpace& swept_;
  std::size_t samples_;
  Pinned reference_;
  double defaultMs_ = 0;
};

}  // namespace

void sweep(apps::Workload& workload, const SweptSpace& swept, const std::filesystem::path& file, std::size_t samples,
           apps::Console& console) {
  MeasurementTable table(file, swept.names);
  if (table.rows() == swept.space.size()) return;
  Sweeper sweeper(workload, swept, samples);
  for (Rank rank = 0; rank < swept.space.size(); ++rank) {
    if (table.has(swept.space.configuration(rank))) continue;
    table.append(sweeper.measure(rank));
    console.status(std::to_string(table.rows()) + " of " + std::to_string(swept.space.size()) +
                   " configurations swept");
  }
  console.clearStatus();
}

}  // namespace hone::bench
