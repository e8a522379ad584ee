// The values a parameter can take, in the order in which they are neighbours of each other.
//
//   hone::Range tile = {8, 16, 32};
//   hone::Range unroll = hone::powersOfTwo(1, 16);
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "hone/api.h"
#include "hone/integer.h"

namespace hone {

/// An ordered, finite list of integers without duplicates.
/// Thread safety: immutable.
class Range {
 public:
  Range() = default;
  Range(std::initializer_list<std::int64_t> values) : values_(values) {}
  template <class T, IfInteger<T> = 0>
  Range(std::initializer_list<T> values) {
    for (T value : values) values_.push_back(toInt64(value));
  }
  explicit Range(std::vector<std::int64_t> values) : values_(std::move(values)) {}

  const std::vector<std::int64_t>& values() const { return values_; }

 private:
  std::vector<std::int64_t> values_;
};

/// first, first + step, ... up to and including last where the step reaches it.
/// Throws UsageError if step < 1 or last < first.
HONE_API Range range(std::int64_t first, std::int64_t last, std::int64_t step = 1);

/// The powers of two from first to last, both of which must be powers of two themselves; throws UsageError otherwise.
HONE_API Range powersOfTwo(std::int64_t first, std::int64_t last);

/// {0, 1}
HONE_API Range booleans();

}  // namespace hone
