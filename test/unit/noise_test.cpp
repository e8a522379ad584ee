// What each law gives for certain launches is worked out by hand; what is drawn was computed by another program, from
// the papers' formulae; and over many launches and seeds, the laws' distributions are those that they promise.
#include "support/virtual_device/models/noise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace hone::test {
namespace {

using namespace std::chrono_literals;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double atNumber(const Noise& noise, std::uint64_t number) {
  VirtualLaunch launch;
  launch.number = number;
  return noise(launch);
}

double atTime(const Noise& noise, std::chrono::nanoseconds start) {
  VirtualLaunch launch;
  launch.startNs = start.count();
  return noise(launch);
}

/// The factors of launches 0 .. count - 1, one begun each microsecond.
std::vector<double> factorsOf(const Noise& noise, std::uint64_t count) {
  std::vector<double> factors;
  VirtualLaunch launch;
  for (launch.number = 0; launch.number < count; ++launch.number, launch.startNs += 1000)
    factors.push_back(noise(launch));
  return factors;
}

double shareAbove(const std::vector<double>& factors, double bound) {
  const auto above = std::count_if(factors.begin(), factors.end(), [&](double factor) { return factor > bound; });
  return static_cast<double>(above) / static_cast<double>(factors.size());
}

/// Four standard errors of a share p among n independent draws: a right law misses it once in 16,000 times.
double tolerance(double p, std::size_t n) { return 4 * std::sqrt(p * (1 - p) / static_cast<double>(n)); }

double meanOf(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double correlationOf(const std::vector<double>& a, const std::vector<double>& b) {
  const double meanA = meanOf(a), meanB = meanOf(b);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - meanA) * (b[i] - meanB);
    aa += (a[i] - meanA) * (a[i] - meanA);
    bb += (b[i] - meanB) * (b[i] - meanB);
  }
  return ab / std::sqrt(aa * bb);
}

std::vector<Noise> oneOfEach(std::uint64_t seed) {
  return {jitter(0.1, seed),          outliers({0.3, 1.5, 100, 2}, seed),
          bursts({0.05, 5, 2}, seed), bimodalClocks({0.5, 2, 3us}, seed),
          drift({10us, 50us, 2}),     throttling({20us, 5us, 1.5}),
          slowDuring(20us, 30us, 3),  coldStart(10, 2),
          slowLaunches(5, 15, 4)};
}

TEST(Noise, SameSeedGivesTheSameFactorsInWhateverOrderTheyAreAsked) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<Noise> once = oneOfEach(seed), again = oneOfEach(seed);
    for (std::size_t law = 0; law < once.size(); ++law) {
      const std::vector<double> factors = factorsOf(once[law], 100);
      for (std::uint64_t number = 100; number-- > 0;) {
        VirtualLaunch launch;
        launch.number = number;
        launch.startNs = static_cast<std::int64_t>(number) * 1000;
        ASSERT_EQ(again[law](launch), factors[number]) << "seed " << seed << ", law " << law;
      }
    }
  }
}

TEST(Noise, EveryFactorIsFiniteAndPositive) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const Noise& noise : oneOfEach(seed)) {
      for (double factor : factorsOf(noise, 100)) ASSERT_TRUE(factor > 0 && std::isfinite(factor)) << "seed " << seed;
    }
  }
}

TEST(Noise, LawsOfOneSeedAreUnrelated) {
  // Uncorrelated, the coefficient's standard error is 1 / sqrt(n): 0.01.
  const std::vector<Noise> laws{jitter(0.1, 3), outliers({0.3, 1.5, 3, 2}, 3), bursts({0.5, 1, 2}, 3),
                                bimodalClocks({0.5, 2, 1us}, 3), jitter(0.1, 4)};
  for (std::size_t a = 0; a < laws.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NEAR(correlationOf(factorsOf(laws[a], 10'000), factorsOf(laws[b], 10'000)), 0, 0.04)
          << "laws " << a << " and " << b;
    }
  }
}

TEST(Jitter, IsTheExponentialOfBoxAndMullersNumber) {
  const Noise noise = jitter(0.1, 7);
  EXPECT_NEAR(atNumber(noise, 0), 0.9030701830583546, 1e-15);
  EXPECT_NEAR(atNumber(noise, 1), 0.9270246761846611, 1e-15);
  EXPECT_NEAR(atNumber(noise, 2), 1.0656503517748792, 1e-15);
  EXPECT_NEAR(atNumber(noise, 1'000'000), 0.9743110514593672, 1e-15);
}

TEST(Jitter, IsLogNormal) {
  constexpr std::size_t n = 20'000;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<double> factors = factorsOf(jitter(0.2, seed), n);
    // The normal distribution's share above 0, 1 and 2 standard deviations, and below -2.
    EXPECT_NEAR(shareAbove(factors, 1), 0.5, tolerance(0.5, n)) << "seed " << seed;
    EXPECT_NEAR(shareAbove(factors, std::exp(0.2)), 0.158655, tolerance(0.158655, n)) << "seed " << seed;
    EXPECT_NEAR(shareAbove(factors, std::exp(0.4)), 0.022750, tolerance(0.022750, n)) << "seed " << seed;
    EXPECT_NEAR(1 - shareAbove(factors, std::exp(-0.4)), 0.022750, tolerance(0.022750, n)) << "seed " << seed;
    // Launches are independent of each other.
    const std::vector<double> earlier(factors.begin(), factors.end() - 1), later(factors.begin() + 1, factors.end());
    EXPECT_NEAR(correlationOf(earlier, later), 0, 4 / std::sqrt(n)) << "seed " << seed;
  }
}

TEST(Jitter, WithoutSpreadIsNoNoise) { EXPECT_EQ(factorsOf(jitter(0, 1), 10), std::vector<double>(10, 1.0)); }

TEST(Outliers, AreParetosNumbersNowAndThen) {
  const std::vector<double> factors = factorsOf(outliers({0.2, 1.5, 100, 2}, 7), 12);
  const std::vector<double> expected{
      1, 1, 1, 5.128335633971202, 1, 1, 1, 1.9595477165425146, 1.9219285200005318, 1, 1, 2.9021549217983944};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(factors[i], expected[i], 1e-14) << "launch " << i;
}

TEST(Outliers, HaveTheTailThatTheIndexSays) {
  constexpr std::size_t n = 20'000;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<double> factors = factorsOf(outliers({0.1, 2, 40, 1.5}, seed), n);
    EXPECT_NEAR(shareAbove(factors, 1), 0.1, tolerance(0.1, n)) << "seed " << seed;
    EXPECT_NEAR(shareAbove(factors, 1.999), 0.1, tolerance(0.1, n)) << "seed " << seed;       // none in between
    EXPECT_NEAR(shareAbove(factors, 8), 0.0125, tolerance(0.0125, n)) << "seed " << seed;     // 0.1 (2 / 8)^1.5
    EXPECT_NEAR(shareAbove(factors, 18), 0.003704, tolerance(0.0037, n)) << "seed " << seed;  // 0.1 (2 / 18)^1.5
    EXPECT_LE(*std::max_element(factors.begin(), factors.end()), 40);
  }
}

TEST(Outliers, StopAtTheMost) {
  // Of 2000 launches, all outliers, (1.5 / 2)^1 = 3 in 4 would exceed the bound.
  const std::vector<double> factors = factorsOf(outliers({1, 1.5, 2, 1}, 1), 2000);
  const auto atMost = std::count(factors.begin(), factors.end(), 2.0);
  EXPECT_NEAR(static_cast<double>(atMost) / 2000, 0.75, tolerance(0.75, 2000));
}

TEST(Bursts, LastForTheirLaunchesAndMayOverlap) {
  // With this seed and probability, bursts begin at launches 16, 65, 177, 184, 289 and 299.
  const std::vector<double> factors = factorsOf(bursts({0.02, 20, 3}, 7), 300);
  std::vector<double> expected(300, 1.0);
  const auto disturb = [&](std::size_t first, std::size_t last) {
    std::fill(expected.begin() + static_cast<std::ptrdiff_t>(first),
              expected.begin() + static_cast<std::ptrdiff_t>(last), 3.0);
  };
  disturb(16, 36);
  disturb(65, 85);
  disturb(177, 204);
  disturb(289, 300);
  EXPECT_EQ(factors, expected);
}

TEST(Bursts, CanBeginWithTheFirstLaunch) { EXPECT_EQ(factorsOf(bursts({1, 5, 3}, 1), 2), (std::vector<double>{3, 3})); }

TEST(Bursts, TakeTheShareThatTheyPromise) {
  // 1 - 0.99^10 = 0.0956. Launches are not independent: some 2000 bursts of 10 count, not 200,000 launches.
  const std::vector<double> factors = factorsOf(bursts({0.01, 10, 3}, 5), 200'000);
  EXPECT_NEAR(shareAbove(factors, 1), 0.0956, 4 * 0.0956 / std::sqrt(2000));
}

TEST(BimodalClocks, KeepAClockForAStretch) {
  // With this seed and share, the slow stretches among the first 20 are:
  const std::vector<std::size_t> slow{0, 1, 2, 5, 7, 9, 10, 15, 16, 19};
  const Noise noise = bimodalClocks({0.5, 1.9, 10ms}, 7);
  for (std::size_t stretch = 0; stretch < 20; ++stretch) {
    const double expected = std::count(slow.begin(), slow.end(), stretch) ? 1.9 : 1.0;
    const std::chrono::nanoseconds begin = 10ms * stretch;
    EXPECT_EQ(atTime(noise, begin), expected) << stretch;
    EXPECT_EQ(atTime(noise, begin + 4ms), expected) << stretch;
    EXPECT_EQ(atTime(noise, begin + 10ms - 1ns), expected) << stretch;
  }
}

TEST(BimodalClocks, AreSlowForTheirShare) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const std::vector<double> factors = factorsOf(bimodalClocks({0.2, 2, 1us}, seed), 10'000);
    EXPECT_NEAR(shareAbove(factors, 1), 0.2, tolerance(0.2, 10'000)) << "seed " << seed;
  }
}

TEST(Drift, GoesLinearlyAndStays) {
  const Noise noise = drift({2s, 6s, 1.2});
  EXPECT_EQ(atTime(noise, 0s), 1);
  EXPECT_EQ(atTime(noise, 2s), 1);
  EXPECT_DOUBLE_EQ(atTime(noise, 3s), 1.05);
  EXPECT_DOUBLE_EQ(atTime(noise, 5s), 1.15);
  EXPECT_EQ(atTime(noise, 6s), 1.2);
  EXPECT_EQ(atTime(noise, 100s), 1.2);
}

TEST(Drift, CanBeTowardsFasterOrAStep) {
  EXPECT_DOUBLE_EQ(atTime(drift({0s, 10s, 0.5}), 5s), 0.75);
  EXPECT_EQ(atTime(drift({4s, 4s, 3}), 4s - 1ns), 1);
  EXPECT_EQ(atTime(drift({4s, 4s, 3}), 4s), 3);
}

TEST(Throttling, SlowsTheEndOfEachPeriod) {
  const Noise noise = throttling({1s, 200ms, 1.5});
  for (std::chrono::nanoseconds period : {0s, 1s, 7s}) {
    EXPECT_EQ(atTime(noise, period), 1);
    EXPECT_EQ(atTime(noise, period + 800ms - 1ns), 1);
    EXPECT_EQ(atTime(noise, period + 800ms), 1.5);
    EXPECT_EQ(atTime(noise, period + 1s - 1ns), 1.5);
  }
}

TEST(SlowDuring, TakesLaunchesThatBeginInTheWindow) {
  const Noise noise = slowDuring(5ms, 8ms, 3);
  EXPECT_EQ(atTime(noise, 5ms - 1ns), 1);
  EXPECT_EQ(atTime(noise, 5ms), 3);
  EXPECT_EQ(atTime(noise, 8ms - 1ns), 3);
  EXPECT_EQ(atTime(noise, 8ms), 1);
}

TEST(SlowLaunches, TakesLaunchesByNumber) {
  EXPECT_EQ(factorsOf(slowLaunches(2, 4, 3), 6), (std::vector<double>{1, 1, 3, 3, 1, 1}));
}

TEST(ColdStart, SlowsTheDevicesFirstLaunches) {
  EXPECT_EQ(factorsOf(coldStart(3, 2), 5), (std::vector<double>{2, 2, 2, 1, 1}));
}

TEST(ColdPrograms, SlowEachProgramsFirstLaunches) {
  const Noise noise = coldPrograms(2, 10);
  VirtualLaunch launch;
  launch.number = 500;
  for (double expected : {10, 10, 1, 1}) {
    EXPECT_EQ(noise(launch), expected);
    ++launch.numberInProgram;
  }
}

TEST(Where, LeavesOtherLaunchesAlone) {
  const Noise noise = where([](const VirtualLaunch& launch) { return macroOf(launch, "WG") == 64; }, coldStart(1, 5));
  VirtualLaunch launch;
  launch.macros["WG"] = 64;
  EXPECT_EQ(noise(launch), 5);
  launch.macros["WG"] = 32;
  EXPECT_EQ(noise(launch), 1);
}

TEST(Noise, ComposesWithAModel) {
  ComposedModel model = lasting(100ns).with(coldStart(10, 2)).with(slowDuring(5us, 8us, 1.5));
  VirtualLaunch launch;
  EXPECT_EQ(model.durationNs(launch), 200);
  launch.startNs = 6000;
  EXPECT_EQ(model.durationNs(launch), 300);
  launch.number = 10;
  EXPECT_EQ(model.durationNs(launch), 150);
}

TEST(Noise, RefusesWhatIsNoLaw) {
  EXPECT_THROW(jitter(-0.1, 1), std::invalid_argument);
  EXPECT_THROW(jitter(kNoNumber, 1), std::invalid_argument);
  EXPECT_THROW(outliers({1.1, 1.5, 100, 2}, 1), std::invalid_argument);
  EXPECT_THROW(outliers({0.1, 0, 100, 2}, 1), std::invalid_argument);
  EXPECT_THROW(outliers({0.1, 1.5, 1.4, 2}, 1), std::invalid_argument);
  EXPECT_THROW(outliers({0.1, 1.5, 100, 0}, 1), std::invalid_argument);
  EXPECT_THROW(bursts({-0.1, 20, 2}, 1), std::invalid_argument);
  EXPECT_THROW(bursts({0.1, 20, -2}, 1), std::invalid_argument);
  EXPECT_THROW(bimodalClocks({0.5, 2, 0ms}, 1), std::invalid_argument);
  EXPECT_THROW(bimodalClocks({kNoNumber, 2, 1ms}, 1), std::invalid_argument);
  EXPECT_THROW(drift({2s, 1s, 2}), std::invalid_argument);
  EXPECT_THROW(throttling({0s, 0s, 2}), std::invalid_argument);
  EXPECT_THROW(throttling({1s, 2s, 2}), std::invalid_argument);
  EXPECT_THROW(slowDuring(2s, 1s, 2), std::invalid_argument);
  EXPECT_THROW(slowDuring(-1s, 1s, 2), std::invalid_argument);
  EXPECT_THROW(slowLaunches(2, 1, 2), std::invalid_argument);
  EXPECT_THROW(coldStart(1, 0), std::invalid_argument);
  EXPECT_THROW(coldPrograms(1, std::numeric_limits<double>::infinity()), std::invalid_argument);
}

}  // namespace
}  // namespace hone::test
