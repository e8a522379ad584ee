// Inputs for the programs: the same numbers on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace hone::apps {

/// `count` numbers, uniform in [-1, 1). (std::uniform_real_distribution differs between libraries.)
inline std::vector<float> randomFloats(std::size_t count, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(engine() >> 8) * 0x1p-23f - 1.0f;  // 24 bits: exact
  return numbers;
}

/// The same with all 53 bits.
inline std::vector<double> randomDoubles(std::size_t count, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    const std::uint64_t high = engine() >> 5, low = engine() >> 6;  // 27 and 26 bits
    number = static_cast<double>(high << 26 | low) * 0x1p-52 - 1.0;
  }
  return numbers;
}

/// `count` numbers, uniform in 0 .. bound - 1, up to bound / 2^32. REQUIRES: bound >= 1
inline std::vector<std::uint32_t> randomIntegers(std::size_t count, std::uint64_t bound, std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>((engine() * bound) >> 32);
  return numbers;
}

}  // namespace hone::apps
