// Where a program runs: the device that --device names, with a context and a profiling queue.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hone/opencl.hpp"

namespace hone::apps {

struct DeviceEntry {
  std::string name;
  std::string platform;
  bool isGpu;
};

/// The position of the wanted device: an index, or a part of "name (platform)" in any case (the first that has it).
/// Empty: the first GPU if there is one, else the first. Throws InputError, listing the devices, if there is no such
/// device.
std::size_t chooseDevice(const std::vector<DeviceEntry>& devices, const std::string& wanted);

struct OpenedDevice {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;  // in order, profiling
  std::string name;
  std::string driver;  // platform and version, as the driver tells them
};

/// Throws InputError as chooseDevice does.
OpenedDevice openDevice(const std::string& wanted);

/// All devices with the facts of each, numbered as --device takes them. Throws InputError if there is none.
std::string deviceList();

/// Throws InputError if the buffers do not fit into the device's memory or one of them is larger than it allows.
/// On CPU devices, which share the host's memory, `hostBytes` counts as well. (double: products of sizes can exceed
/// 2^64.)
void requireMemory(const cl::Device& device, const std::vector<double>& bufferBytes, double hostBytes);

}  // namespace hone::apps
