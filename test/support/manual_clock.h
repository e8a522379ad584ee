// Time that stands still until a test moves it.
#pragma once

#include "tuner_core.h"

namespace hone::test {

class ManualClock final : public detail::Clock {
 public:
  std::int64_t nowNs() const override {
    ++readings_;
    return nowNs_;
  }
  void advance(std::int64_t ns) { nowNs_ += ns; }
  int readings() const { return readings_; }

 private:
  std::int64_t nowNs_ = 1;
  mutable int readings_ = 0;
};

}  // namespace hone::test
