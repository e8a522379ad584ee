// Every count, size and parameter value is an int64; this is how any other integer type becomes one.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "hone/error.h"

namespace hone {

template <class T>
using IfInteger = std::enable_if_t<std::is_integral_v<T>, int>;

/// The same number as an int64. Throws UsageError where an unsigned value exceeds 2^63 - 1.
template <class T, IfInteger<T> = 0>
constexpr std::int64_t toInt64(T value) {
  if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t)) {
    if (value > static_cast<T>(std::numeric_limits<std::int64_t>::max()))
      throw UsageError("integer " + std::to_string(value) + " does not fit into 63 bits");
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace hone
