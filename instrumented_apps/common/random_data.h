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

}  // namespace hone::apps
