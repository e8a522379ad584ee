// What the device can do at most, and what a launch costs there.
#pragma once

#include <string>
#include <vector>

#include "device.h"

namespace hone::bench {

/// Launches of an empty kernel one by one, each waited for.
struct EmptyLaunches {
  std::size_t workGroup;
  double medianMs, deviationMs;  // launch and finish, as the host sees it; the deviation is the sample's, with n - 1
  double eventMs;                // the median of the events' times
};

/// 20 launches of 2^20 work-items for each of the work-groups 128, 256, 512 and 1024 that the device allows.
std::vector<EmptyLaunches> measureEmptyLaunches(const apps::OpenedDevice& on);

struct Ceilings {
  double gigabytesPerSecond;  // of a copy, read and written
  double gflops;              // of fused multiply-adds in single precision
};

/// The best of a few vector widths and chains; copies `bytes` and writes as many.
Ceilings measureCeilings(const apps::OpenedDevice& on, std::size_t bytes);

}  // namespace hone::bench
