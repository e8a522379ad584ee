// Explicit, seeded randomness with an integer mapping of its own: std::*_distribution differ between libraries, and a
// search must be repeatable everywhere.
//
//   RandomEngine engine = RandomEngine::derived(seed, numberOfJudgedTrials);
//   std::swap(order[i], order[i + engine.below(order.size() - i)]);
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hone::detail {

/// SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): a Weyl sequence whose terms
/// are mixed; period 2^64.
/// Thread safety: externally synchronised.
class RandomEngine {
 public:
  explicit RandomEngine(std::uint64_t seed) : state_(seed) {}

  /// An engine for the counter-th decision: what is drawn depends on the two numbers only, never on how often something
  /// was drawn before. Neighbouring seeds and counters give unrelated sequences.
  static RandomEngine derived(std::uint64_t seed, std::uint64_t counter) {
    return RandomEngine(mixed(mixed(seed + kWeyl) + counter * kWeyl));
  }

  std::uint64_t next() {
    state_ += kWeyl;
    return mixed(state_);
  }

  /// Uniform on 0 .. n - 1, without bias: the lowest 2^64 mod n draws are rejected, so that each remainder is left
  /// equally often. REQUIRES: n > 0
  std::uint64_t below(std::uint64_t n) {
    const std::uint64_t rejected = (0 - n) % n;
    std::uint64_t drawn = next();
    while (drawn < rejected) drawn = next();
    return drawn % n;
  }

  /// Uniform on [0, 1): the upper 53 bits, which a double holds exactly.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static constexpr std::uint64_t kWeyl = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd

  static constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;  // multipliers of the paper: Stafford's variant 13
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

/// Fisher-Yates.
template <class T>
void shuffle(std::vector<T>& items, RandomEngine& engine) {
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[engine.below(left)]);
}

}  // namespace hone::detail
