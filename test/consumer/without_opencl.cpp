// A program that embeds hone::hone alone: the three calls around code with a known cost, until the best is found.

#include <hone/hone.h>

#include <cstdio>
#include <cstdlib>

int main() {
  hone::Options options;
  options.hasOwnThread = false;  // so that the program's end does not depend on when its threads run
  options.strategy = "random";
  hone::Tuner tuner("distance", options);
  int position = 0;
  const hone::Parameter x = tuner.addParameter(&position, hone::range(1, 9), 1, "x");
  const auto [limit] = tuner.problem("limit");
  tuner.require("below the limit", {x, limit}, [](auto value, auto most) { return value <= most; });

  for (int i = 0; i < 1000; ++i) {
    tuner.startMeasurement({{"limit", 7}});
    tuner.stopMeasurement(10.0 + std::abs(position - 5));
    tuner.step();
    if (tuner.report({{"limit", 7}}).isDecided) break;
  }
  tuner.startMeasurement({{"limit", 7}});  // from now on, the best
  tuner.stopMeasurement(10.0 + std::abs(position - 5));
  const hone::Report report = tuner.report({{"limit", 7}});
  std::printf("hone %s: %s, %zu trials, x = %d\n", HONE_VERSION, hone::toString(report.phase), report.trials, position);
  if (report.phase != hone::Phase::settled || report.trials != 6 || position != 5) return 1;

  try {
    hone::powersOfTwo(3, 8);
    return 2;
  } catch (const hone::UsageError&) {  // thrown by the library, caught here
  }
  return 0;
}
