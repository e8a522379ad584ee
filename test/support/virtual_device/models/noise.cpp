#include "support/virtual_device/models/noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include "search/random_engine.h"

namespace hone::test {

namespace {

using detail::RandomEngine;
using std::chrono::nanoseconds;

/// Laws that draw, so that those with the same seed are unrelated.
enum class Kind : std::uint64_t {
  jitter,
  outliers,
  bursts,
  bimodalClocks
};

/// An engine for each launch or stretch of a law.
class Draws {
 public:
  Draws(Kind kind, std::uint64_t seed) : seed_(RandomEngine::derived(seed, static_cast<std::uint64_t>(kind)).next()) {}
  RandomEngine of(std::uint64_t number) const { return RandomEngine::derived(seed_, number); }

 private:
  const std::uint64_t seed_;
};

/// Uniform on (0, 1], whose logarithm is finite.
double positiveUnit(RandomEngine& engine) { return 1 - engine.unit(); }

/// Box and Muller 1958: one of the two normal numbers that two uniform ones make.
double standardNormal(RandomEngine& engine) {
  const double radius = std::sqrt(-2 * std::log(positiveUnit(engine)));
  return radius * std::cos(2 * std::numbers::pi * engine.unit());
}

void require(bool isFulfilled, const std::string& law, const std::string& what) {
  if (!isFulfilled) throw std::invalid_argument(law + ": " + what);
}

void requireFactor(double factor, const std::string& law) {
  require(factor > 0 && std::isfinite(factor), law, "the factor " + std::to_string(factor) + " is not positive");
}

void requireProbability(double probability, const std::string& law) {
  require(probability >= 0 && probability <= 1, law, std::to_string(probability) + " is no probability");
}

void requireWindow(nanoseconds from, nanoseconds to, const std::string& law) {
  require(from.count() >= 0 && to >= from, law,
          "no time from " + std::to_string(from.count()) + " to " + std::to_string(to.count()) + " ns");
}

}  // namespace

Noise jitter(double sigma, std::uint64_t seed) {
  require(sigma >= 0 && std::isfinite(sigma), "jitter", "the spread " + std::to_string(sigma) + " is negative");
  return [sigma, draws = Draws(Kind::jitter, seed)](const VirtualLaunch& launch) {
    RandomEngine engine = draws.of(launch.number);
    return std::exp(sigma * standardNormal(engine));
  };
}

Noise outliers(const Outliers& law, std::uint64_t seed) {
  requireProbability(law.probability, "outliers");
  requireFactor(law.atLeast, "outliers");
  requireFactor(law.tailIndex, "outliers");
  require(law.atMost >= law.atLeast, "outliers", "atMost is below atLeast");
  return [law, draws = Draws(Kind::outliers, seed)](const VirtualLaunch& launch) {
    RandomEngine engine = draws.of(launch.number);
    if (engine.unit() >= law.probability) return 1.0;
    return std::min(law.atMost, law.atLeast * std::pow(positiveUnit(engine), -1 / law.tailIndex));
  };
}

Noise bursts(const Bursts& law, std::uint64_t seed) {
  requireProbability(law.probability, "bursts");
  requireFactor(law.factor, "bursts");
  return [law, draws = Draws(Kind::bursts, seed)](const VirtualLaunch& launch) {
    const std::uint64_t last = std::min(law.launches, launch.number + 1);
    for (std::uint64_t ago = 0; ago < last; ++ago) {
      if (draws.of(launch.number - ago).unit() < law.probability) return law.factor;
    }
    return 1.0;
  };
}

Noise bimodalClocks(const BimodalClocks& law, std::uint64_t seed) {
  requireProbability(law.slowShare, "bimodalClocks");
  requireFactor(law.slowFactor, "bimodalClocks");
  require(law.stretch.count() > 0, "bimodalClocks", "stretches take no time");
  return [law, draws = Draws(Kind::bimodalClocks, seed)](const VirtualLaunch& launch) {
    const std::int64_t stretch = launch.startNs / law.stretch.count();
    return draws.of(static_cast<std::uint64_t>(stretch)).unit() < law.slowShare ? law.slowFactor : 1.0;
  };
}

Noise drift(const Drift& law) {
  requireWindow(law.from, law.to, "drift");
  requireFactor(law.factor, "drift");
  return [law](const VirtualLaunch& launch) {
    const nanoseconds start(launch.startNs);
    if (start >= law.to) return law.factor;
    if (start <= law.from) return 1.0;
    const double share =
        static_cast<double>((start - law.from).count()) / static_cast<double>((law.to - law.from).count());
    return 1 + share * (law.factor - 1);
  };
}

Noise throttling(const Throttling& law) {
  require(law.period.count() > 0, "throttling", "periods take no time");
  requireWindow(law.slow, law.period, "throttling");
  requireFactor(law.factor, "throttling");
  return [law](const VirtualLaunch& launch) {
    const nanoseconds inPeriod(launch.startNs % law.period.count());
    return inPeriod >= law.period - law.slow ? law.factor : 1.0;
  };
}

Noise slowDuring(nanoseconds from, nanoseconds to, double factor) {
  requireWindow(from, to, "slowDuring");
  requireFactor(factor, "slowDuring");
  return [from, to, factor](const VirtualLaunch& launch) {
    const nanoseconds start(launch.startNs);
    return start >= from && start < to ? factor : 1.0;
  };
}

Noise coldStart(std::uint64_t launches, double factor) {
  requireFactor(factor, "coldStart");
  return [launches, factor](const VirtualLaunch& launch) { return launch.number < launches ? factor : 1.0; };
}

Noise coldPrograms(std::uint64_t launches, double factor) {
  requireFactor(factor, "coldPrograms");
  return [launches, factor](const VirtualLaunch& launch) { return launch.numberInProgram < launches ? factor : 1.0; };
}

Noise slowLaunches(std::uint64_t first, std::uint64_t last, double factor) {
  require(last >= first, "slowLaunches", "the last launch comes before the first");
  requireFactor(factor, "slowLaunches");
  return [first, last, factor](const VirtualLaunch& launch) {
    return launch.number >= first && launch.number < last ? factor : 1.0;
  };
}

Noise where(std::function<bool(const VirtualLaunch&)> condition, Noise law) {
  return [condition = std::move(condition), law = std::move(law)](const VirtualLaunch& launch) {
    return condition(launch) ? law(launch) : 1.0;
  };
}

}  // namespace hone::test
