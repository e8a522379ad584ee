// The host's time as a small interface, so that tests can have one of their own.
#pragma once

#include <cstdint>

namespace hone::detail {

/// Monotonic host time. Thread safety: internally synchronised.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t nowNs() const = 0;
};

/// The process's steady clock.
const Clock& steadyClock();

}  // namespace hone::detail
