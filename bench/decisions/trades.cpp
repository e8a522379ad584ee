#include "trades.h"

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace hone::bench {

namespace {

using detail::Thresholds;

struct Threshold {
  std::string name;
  std::vector<double> values;  // instead of its own
  std::function<void(Thresholds&, double)> set;
};

/// A member as a number.
template <class Member>
Threshold threshold(const std::string& name, std::vector<double> values, Member member) {
  return {name, std::move(values), [member](Thresholds& thresholds, double value) {
            auto& place = member(thresholds);
            place = static_cast<std::remove_reference_t<decltype(place)>>(value);
          }};
}

std::vector<Threshold> all() {
  const auto comparison = [](auto read) {
    return [read](Thresholds & t) -> auto& { return read(t.race.comparison); };
  };
  return {
      threshold("pairs of a race", {3, 9}, comparison([](auto& c) -> auto& { return c.maximumPairs; })),
      threshold("difference worth knowing", {0.001, 0.02}, comparison([](auto& c) -> auto& { return c.worthKnowing; })),
      threshold("errors of a race", {1, 3}, comparison([](auto& c) -> auto& { return c.errors; })),
      threshold("lucky pairs", {1, 4}, comparison([](auto& c) -> auto& { return c.luckyPairs; })),
      threshold("margin after two pairs", {0.05, 0.2}, comparison([](auto& c) -> auto& { return c.margins[1].least; })),
      threshold("margin after three pairs", {0.01, 0.06},
                comparison([](auto& c) -> auto& { return c.margins[2].least; })),
      threshold(
          "hopeless first launch", {1.1, 3}, [](Thresholds & t) -> auto& { return t.race.hopeless; }),
      threshold(
          "contenders", {2, 8}, [](Thresholds & t) -> auto& { return t.final.contenders; }),
      threshold(
          "margin of contenders", {0.01, 0.06}, [](Thresholds & t) -> auto& { return t.final.contenderMargin; }),
      threshold(
          "launches of the final", {45, 180}, [](Thresholds & t) -> auto& { return t.final.launches; }),
      threshold(
          "rounds until errors tell", {5, 15}, [](Thresholds & t) -> auto& { return t.final.leastRounds; }),
      threshold(
          "errors of the final", {1.5, 5}, [](Thresholds & t) -> auto& { return t.final.errors; }),
      threshold(
          "far from the level", {0.05, 0.3}, [](Thresholds & t) -> auto& { return t.sandwich.yardstick.farAtLeast; }),
      threshold(
          "far in spreads", {3, 12}, [](Thresholds & t) -> auto& { return t.sandwich.yardstick.farSpreads; }),
      threshold(
          "near samples until calm", {1, 4}, [](Thresholds & t) -> auto& { return t.sandwich.yardstick.calmSamples; }),
      threshold(
          "far samples until slower", {100, 4000},
          [](Thresholds & t) -> auto& { return t.sandwich.yardstick.slowerLasts; }),
      threshold(
          "outliers in a row", {1, 6}, [](Thresholds & t) -> auto& { return t.sandwich.outliersInARow; }),
      threshold(
          "witnesses", {1, 6}, [](Thresholds & t) -> auto& { return t.sandwich.witnesses; }),
      threshold(
          "errors of means", {1, 4}, [](Thresholds & t) -> auto& { return t.booking.means.errors; }),
      threshold(
          "samples of a known mean", {3, 16}, [](Thresholds & t) -> auto& { return t.booking.means.known; }),
      threshold(
          "what trials count more", {1, 1.5}, [](Thresholds & t) -> auto& { return t.booking.cautiousCost; }),
      threshold(
          "launches held back", {0, 3}, [](Thresholds & t) -> auto& { return t.booking.heldBack; }),
      threshold(
          "guess of a first launch", {1.2, 5}, [](Thresholds & t) -> auto& { return t.booking.firstRatioGuess; }),
      threshold(
          "trials before stopping", {10, 60}, [](Thresholds & t) -> auto& { return t.stop.leastTrials; }),
      threshold(
          "patience in vain", {1, 2}, [](Thresholds & t) -> auto& { return t.stop.patienceInVain; }),
      threshold(
          "gain hoped for", {0.05, 0.8}, [](Thresholds & t) -> auto& { return t.stop.hopedGain; }),
  };
}

void printRow(const std::string& name, const Thresholds& thresholds, const Recording& rows, std::uint64_t seeds) {
  Scenario choice{name, recordedNoise(rows, Order::drawn)};
  choice.thresholds = thresholds;
  const Row chosen = measure(choice, seeds);
  const double within = disturbedWithinOnePercent(choice, std::max<std::uint64_t>(seeds / 4, 10));
  Scenario costly{name, tailedNoise(0.02, 0.01, 10), {}, 0.02};
  costly.costs = Costs::scattered;
  costly.thresholds = thresholds;
  const Row spent = measure(costly, std::max<std::uint64_t>(seeds / 10, 10));
  Scenario hard{name, recordedNoise(rows, Order::drawn)};
  hard.costs = Costs::needles;
  hard.thresholds = thresholds;
  const Row searched = measure(hard, std::max<std::uint64_t>(seeds / 5, 10));
  std::printf("%-36s %8.3f %6.1f %8.1f %12.1f %10.0f %8.1f %9.1f %10.0f\n", name.c_str(), chosen.regretMean,
              chosen.regretP99, chosen.launches, within, spent.launches * kConfigurations, spent.violations,
              searched.faster, searched.launches * kConfigurations);
  std::fflush(stdout);
}

}  // namespace

void printTrades(const Recording& rows, std::uint64_t seeds) {
  const char* format = "%-36s %8s %6s %8s %12s %10s %8s %9s %10s\n";
  std::printf(format, "", "regret", "p99", "launches", "disturbed", "launches,", "P3", "needles", "launches");
  std::printf(format, "", "%", "%", "a config.", "within 1 %", "budget 2 %", "broken", "found, %", "until then");
  printRow("all as they are", {}, rows, seeds);
  for (const Threshold& threshold : all()) {
    for (double value : threshold.values) {
      Thresholds thresholds;
      threshold.set(thresholds, value);
      char text[32];
      std::snprintf(text, sizeof text, ": %g", value);
      printRow(threshold.name + text, thresholds, rows, seeds);
    }
  }
}

}  // namespace hone::bench
