// That a test leaves nothing behind on its virtual device, and has not misused OpenCL.
#pragma once

#include <gtest/gtest.h>

#include <ostream>

#include "support/virtual_device/virtual_device.h"

namespace hone::test {

inline std::ostream& operator<<(std::ostream& out, const LiveObjects& live) {
  return out << live.contexts << " contexts, " << live.queues << " queues, " << live.memories << " memory objects, "
             << live.programs << " programs, " << live.kernels << " kernels, " << live.events << " events, "
             << live.samplers << " samplers";
}

/// Lets what is under way end first. REQUIRES: the test has released what it made
inline void expectClean(VirtualDevice& device) {
  device.drain();
  EXPECT_EQ(device.counts().live, LiveObjects{});
  for (const std::string& violation : device.takeViolations()) ADD_FAILURE() << violation;
}

/// Does so at the end of its life: to be declared directly behind the device, before what is made on it.
class ExpectsClean {
 public:
  explicit ExpectsClean(VirtualDevice& device) : device_(device) {}
  ~ExpectsClean() { expectClean(device_); }
  ExpectsClean(const ExpectsClean&) = delete;
  ExpectsClean& operator=(const ExpectsClean&) = delete;

 private:
  VirtualDevice& device_;
};

}  // namespace hone::test
