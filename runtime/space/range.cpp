#include "hone/range.h"

namespace hone {

Range range(std::int64_t first, std::int64_t last, std::int64_t step) {
  if (step < 1) throw UsageError("range: step " + std::to_string(step) + " is not positive");
  if (last < first)
    throw UsageError("range: last value " + std::to_string(last) + " is below the first, " + std::to_string(first));
  std::vector<std::int64_t> values;
  const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  const std::uint64_t steps = span / static_cast<std::uint64_t>(step);
  for (std::uint64_t i = 0; i <= steps; ++i) {  // unsigned: i * step may exceed an int64 where the sum does not
    const std::uint64_t offset = i * static_cast<std::uint64_t>(step);
    values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + offset));
  }
  return Range(std::move(values));
}

Range powersOfTwo(std::int64_t first, std::int64_t last) {
  const auto isPowerOfTwo = [](std::int64_t value) { return value > 0 && (value & (value - 1)) == 0; };
  for (std::int64_t bound : {first, last}) {
    if (!isPowerOfTwo(bound)) throw UsageError("powersOfTwo: " + std::to_string(bound) + " is not a power of two");
  }
  if (last < first)
    throw UsageError("powersOfTwo: last value " + std::to_string(last) + " is below the first, " +
                     std::to_string(first));
  std::vector<std::int64_t> values;
  for (std::int64_t value = first; value < last; value *= 2) values.push_back(value);
  values.push_back(last);
  return Range(std::move(values));
}

Range booleans() { return {0, 1}; }

}  // namespace hone
