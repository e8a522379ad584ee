// How an application tells its workers which device it means.
#pragma once

#include <string>

#include "hone/opencl/handles.h"
#include "opencl/handle.h"

namespace hone::opencl::detail {

/// The device that this one is a part of; null for a whole one.
cl_device_id parentOf(cl_device_id device);

/// The device's identity in all processes, see DeviceFacts; a sub-device's is that of the device it is a part of, for
/// which its programs are compiled as well.
std::string rootIdentity(cl_device_id device);

/// The device's key: its identity and its driver's version.
std::string keyOf(cl_device_id device);

/// The device of a key made in another process of this machine. Throws Error where there is no such device.
cl_device_id deviceOf(const std::string& key);

}  // namespace hone::opencl::detail
