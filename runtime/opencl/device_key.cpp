#include "opencl/device_key.h"

#include <vector>

#include "hone/opencl/device_facts.h"
#include "opencl/error.h"

namespace hone::opencl::detail {

namespace {

cl_device_id rootOf(cl_device_id device) {
  const cl_device_id parent = parentOf(device);
  return parent ? rootOf(parent) : device;
}

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> found(count);
  check(clGetPlatformIDs(count, found.data(), nullptr), "clGetPlatformIDs");
  return found;
}

std::vector<cl_device_id> devicesOf(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> devices(count);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), "clGetDeviceIDs");
  return devices;
}

std::string keyFrom(const DeviceFacts& facts) { return facts.identity + ", driver " + facts.driverVersion; }

bool hasKey(cl_device_id device, const std::string& key) {
  try {
    return keyFrom(factsOf(device)) == key;
  } catch (const Error&) {  // another driver's device, which does not tell what it must
    return false;
  }
}

}  // namespace

cl_device_id parentOf(cl_device_id device) {
  cl_device_id parent = nullptr;
  const cl_int code = clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof(parent), &parent, nullptr);
  return code == CL_SUCCESS ? parent : nullptr;
}

std::string rootIdentity(cl_device_id device) { return factsOf(rootOf(device)).identity; }

std::string keyOf(cl_device_id device) { return keyFrom(factsOf(rootOf(device))); }

cl_device_id deviceOf(const std::string& key) {
  for (cl_platform_id platform : platforms()) {
    for (cl_device_id device : devicesOf(platform)) {
      if (hasKey(device, key)) return device;
    }
  }
  throw Error("there is no device '" + key + "' in the worker's process", CL_DEVICE_NOT_FOUND);
}

}  // namespace hone::opencl::detail
