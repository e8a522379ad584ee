#include "papers/sweep.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "papers/match.h"
#include "papers/pinned.h"
#include "recording/measurement_table.h"
#include "search_quality/scores.h"

namespace hone::bench {

namespace {

using Clock = std::chrono::steady_clock;

// A configuration that takes so much longer than the default is not looked at closely.
constexpr double kClearlySlower = 2;
constexpr std::size_t kSamplesOfSlow = 2;
// Nor are many samples taken where a launch takes long.
constexpr double kLongMs = 500;
constexpr std::size_t kSamplesOfLong = 5;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class Sweeper {
 public:
  Sweeper(apps::Workload& workload, const NamedSpace& space, std::size_t samples)
      : workload_(workload),
        space_(space),
        samples_(samples),
        reference_(workload, {}),
        defaultMs_(playMatch({&reference_}, {.rounds = 15, .seconds = 2}).front()) {}

  MeasuredRow measure(Rank rank) {
    MeasuredRow row;
    row.configuration = space_.space.configuration(rank);
    const Clock::time_point start = Clock::now();
    try {
      Pinned pinned(workload_, named(space_.names, row.configuration));
      pinned.start();
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
    const Clock::time_point start = Clock::now();
    std::vector<double> own, references;
    for (std::size_t i = 0; i < samples_; ++i) {
      references.push_back(reference_.sampleMs());
      own.push_back(pinned.sampleMs());
      const double fastest = *std::min_element(own.begin(), own.end());
      if (own.size() == kSamplesOfSlow && fastest > kClearlySlower * references.back()) break;
      if (own.size() >= kSamplesOfLong && millisecondsSince(start) > kLongMs) break;
    }
    const double scale = defaultMs_ / quantile(references, 0.5);
    for (double& ms : own) ms *= scale;
    return own;
  }

  apps::Workload& workload_;
  const NamedSpace& space_;
  std::size_t samples_;
  Pinned reference_;
  double defaultMs_;
};

}  // namespace

void sweep(apps::Workload& workload, const NamedSpace& space, const std::filesystem::path& file, std::size_t samples,
           apps::Console& console) {
  MeasurementTable table(file, space.names);
  std::optional<Sweeper> sweeper;
  for (Rank rank = 0; rank < space.space.size(); ++rank) {
    if (table.has(space.space.configuration(rank))) continue;
    if (!sweeper) sweeper.emplace(workload, space, samples);
    table.append(sweeper->measure(rank));
    console.status(std::to_string(table.rows()) + " configurations swept");
  }
  console.clearStatus();
}

void compile(apps::Workload& workload, const NamedSpace& space, std::size_t index, std::size_t count) {
  for (Rank rank = index; rank < space.space.size(); rank += count) {
    try {
      Pinned(workload, named(space.names, space.space.configuration(rank))).start();
    } catch (const DoesNotRun&) {  // the sweep will see it
    }
  }
}

}  // namespace hone::bench
