// The library's clock, where the time is a virtual device's.
#pragma once

#include "support/virtual_device/virtual_device.h"
#include "tuner_core.h"

namespace hone::test {

/// Thread safety: internally synchronised.
class VirtualClock final : public detail::Clock {
 public:
  /// The device must outlive the clock.
  explicit VirtualClock(const VirtualDevice& device) : device_(device) {}
  std::int64_t nowNs() const override { return device_.now().count(); }

 private:
  const VirtualDevice& device_;
};

}  // namespace hone::test
