// Device facts from whoever answers as the driver does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hone/opencl/device_facts.h"

namespace hone::opencl::detail {

/// clGetDeviceInfo of one device, or clGetPlatformInfo of one platform.
using InfoQuery = std::function<cl_int(cl_uint what, std::size_t size, void* value, std::size_t* sizeNeeded)>;

/// All facts; the identity is not told apart from that of other devices yet. Throws Error if the device does not tell
/// what every device must.
DeviceFacts factsFrom(const InfoQuery& device, const InfoQuery& platform);

/// The identity of one of a platform's devices, told apart from those of the devices before it.
std::string distinctIdentity(const std::vector<std::string>& identities, std::size_t position);

}  // namespace hone::opencl::detail
