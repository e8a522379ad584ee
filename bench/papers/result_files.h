// What a run leaves for scripts and for a run on another device. Both files are written after each program, and what
// stood in them of programs that a run leaves out is kept.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hone/report.h"

namespace hone::bench {

/// The best configuration of a program on a device.
struct KnownBest {
  std::vector<std::int64_t> problem;
  NamedConfiguration configuration;
  double ms = 0;
};

struct DeviceBest {
  std::string device, driver;
  std::map<std::string, KnownBest> programs;
};

/// Throws InputError, naming the file, if it cannot be read or is not one that writeBest() wrote.
DeviceBest readBest(const std::string& file);
/// What the file holds of this device, if it is there. Throws InputError as readBest() does, or if it is of another
/// device.
DeviceBest readOwnBest(const std::string& file, const std::string& device, const std::string& driver);
/// Throws InputError if writing fails.
void writeBest(const std::string& file, const DeviceBest& best);

/// {"metrics": {...}}. Throws InputError if writing fails, or if the file is there and something else.
void writeMetrics(const std::string& file, const std::map<std::string, double>& metrics);

}  // namespace hone::bench
