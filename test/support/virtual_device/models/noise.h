// Laws of noise: by what the durations of a virtual device's launches are multiplied.
//
//   recorded(space).with(jitter(0.01, seed)).with(coldStart(10, 2.0)).with(slowDuring(5s, 8s, 1.5))
//
// A factor depends on its law, the seed, and the launch's number or start: never on what was asked before. So launches
// that begin alike take the same time to the last bit, and laws can be copied and shared. (Another C library's exp and
// log may differ in a factor's last bit, which is far below a nanosecond.) Laws of different kinds are unrelated
// whatever their seeds; two of one kind need two seeds. A launch is priced when it begins: one that outlasts a window
// keeps its factor.
//
// All throw std::invalid_argument where a factor is not finite and positive, a probability not in 0 .. 1, or a time or
// number is negative.
// Thread safety: laws are immutable.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "support/virtual_device/models/composed_model.h"

namespace hone::test {

// ---- by chance, each launch for itself

/// Log-normal: exp(sigma z), z standard normal. Its median is 1; for small sigma, sigma is the relative spread.
Noise jitter(double sigma, std::uint64_t seed);

/// A heavy right tail (Pareto): with a probability, the launch takes `atLeast` times as long or longer, so that
/// P(factor > x) = probability (atLeast / x)^tailIndex for atLeast <= x < atMost. The lower the index, the heavier;
/// without `atMost`, an index of 2 has no variance and one of 1 no mean.
struct Outliers {
  double probability = 0.01;
  double atLeast = 1.5;
  double atMost = 100;
  double tailIndex = 2;
};
Noise outliers(const Outliers& law, std::uint64_t seed);

// ---- by chance, in stretches

/// Something disturbs the device for some launches in a row. Each launch begins such a burst with a probability p;
/// bursts may overlap, which makes nothing worse. In the long run 1 - (1 - p)^launches of the launches are in one.
struct Bursts {
  double probability = 0.001;
  std::uint64_t launches = 20;
  double factor = 2;
};
Noise bursts(const Bursts& law, std::uint64_t seed);

/// The device has two clocks and takes one or the other for each stretch of time, whatever it took before: slow
/// periods last 1 / (1 - slowShare) stretches in the mean.
struct BimodalClocks {
  double slowShare = 0.5;
  double slowFactor = 1.9;  // 1.6 and 3.1 ms: PoCL's two threads on one core and on two
  std::chrono::nanoseconds stretch = std::chrono::milliseconds(20);
};
Noise bimodalClocks(const BimodalClocks& law, std::uint64_t seed);

// ---- by the clock

/// The device becomes slower (factor above 1) or faster, linearly from 1 to the factor, and stays so.
struct Drift {
  std::chrono::nanoseconds from{0};
  std::chrono::nanoseconds to = std::chrono::seconds(60);  // from == to: a step
  double factor = 1.2;
};
Noise drift(const Drift& law);

/// The end of each period is slow: a device that heats up, throttles, and has cooled down.
struct Throttling {
  std::chrono::nanoseconds period = std::chrono::seconds(1);
  std::chrono::nanoseconds slow = std::chrono::milliseconds(200);  // of the period
  double factor = 1.5;
};
Noise throttling(const Throttling& law);

/// Launches that begin at from <= time < to.
Noise slowDuring(std::chrono::nanoseconds from, std::chrono::nanoseconds to, double factor);

// ---- by number

/// The device's first launches.
Noise coldStart(std::uint64_t launches, double factor);
/// The first launches of each program's kernels: what a driver leaves to them.
Noise coldPrograms(std::uint64_t launches, double factor);
/// The device's launches first <= number < last.
Noise slowLaunches(std::uint64_t first, std::uint64_t last, double factor);

// ---- combined

/// The law for the launches that the condition takes, no noise for the others: a configuration or a kernel.
Noise where(std::function<bool(const VirtualLaunch&)> condition, Noise law);

}  // namespace hone::test
