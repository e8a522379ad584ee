#include "device.h"

#include <algorithm>
#include <cctype>

#include "errors.h"
#include "format.h"
#include "parse_number.h"

namespace hone::apps {

namespace {

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string list(const std::vector<DeviceEntry>& devices) {
  std::string text;
  for (std::size_t i = 0; i < devices.size(); ++i)
    text += (i ? ", " : "") + std::to_string(i) + ": " + devices[i].name + " (" + devices[i].platform + ")";
  return text;
}

// Platforms without devices, and an ICD loader without platforms, answer with an error instead of an empty list.
std::vector<cl::Device> allDevices() {
  std::vector<cl::Device> devices;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return devices;
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> some;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &some);
    } catch (const cl::Error&) {
      continue;
    }
    devices.insert(devices.end(), some.begin(), some.end());
  }
  return devices;
}

cl::Platform platformOf(const cl::Device& device) { return cl::Platform(device.getInfo<CL_DEVICE_PLATFORM>()); }

}  // namespace

std::size_t chooseDevice(const std::vector<DeviceEntry>& devices, const std::string& wanted) {
  if (devices.empty()) throw InputError("there is no OpenCL device");
  if (wanted.empty()) {
    const auto gpu = std::find_if(devices.begin(), devices.end(), [](const DeviceEntry& d) { return d.isGpu; });
    return gpu == devices.end() ? 0 : static_cast<std::size_t>(gpu - devices.begin());
  }
  if (const auto index = parseNumber<std::size_t>(wanted); index && *index < devices.size()) return *index;
  const bool isIndex = std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c); });
  for (std::size_t i = 0; i < devices.size() && !isIndex; ++i) {
    const std::string shown = devices[i].name + " (" + devices[i].platform + ")";
    if (lowerCase(shown).find(lowerCase(wanted)) != std::string::npos) return i;
  }
  throw InputError("--device '" + wanted + "': there is no such device; there are " + list(devices));
}

OpenedDevice openDevice(const std::string& wanted) {
  const std::vector<cl::Device> devices = allDevices();
  std::vector<DeviceEntry> entries;
  for (const cl::Device& device : devices) {
    entries.push_back({device.getInfo<CL_DEVICE_NAME>(), platformOf(device).getInfo<CL_PLATFORM_NAME>(),
                       (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0});
  }
  const std::size_t chosen = chooseDevice(entries, wanted);
  OpenedDevice opened;
  opened.device = devices[chosen];
  opened.context = cl::Context(opened.device);
  opened.queue = cl::CommandQueue(opened.context, opened.device, CL_QUEUE_PROFILING_ENABLE);
  opened.name = entries[chosen].name;
  opened.driver = entries[chosen].platform + ", " + opened.device.getInfo<CL_DRIVER_VERSION>();
  return opened;
}

std::string deviceList() {
  const std::vector<cl::Device> devices = allDevices();
  if (devices.empty()) throw InputError("there is no OpenCL device");
  std::string text;
  for (std::size_t i = 0; i < devices.size(); ++i)
    text += std::to_string(i) + ": " + toString(opencl::deviceFacts(devices[i]));
  return text;
}

void requireMemory(const cl::Device& device, const std::vector<double>& bufferBytes, double hostBytes) {
  const auto largestAllowed = static_cast<double>(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>());
  const auto memory = static_cast<double>(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>());
  const bool sharesHostMemory = (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_CPU) != 0;
  double sum = sharesHostMemory ? hostBytes : 0;
  for (const double bytes : bufferBytes) {
    if (bytes > largestAllowed) {
      throw InputError("the problem is too large: it needs a buffer of " + mebibytes(bytes) + ", the device allows " +
                       mebibytes(largestAllowed));
    }
    sum += bytes;
  }
  if (sum > memory) {
    throw InputError("the problem is too large: it needs " + mebibytes(sum) + ", the device has " + mebibytes(memory));
  }
}

}  // namespace hone::apps
