#include "opencl/kernel_limits.h"

namespace hone::opencl::detail {

namespace {

template <class T>
std::optional<T> tryInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what) {
  T value{};
  if (clGetKernelWorkGroupInfo(kernel, device, what, sizeof(value), &value, nullptr) != CL_SUCCESS) return std::nullopt;
  return value;
}

/// NVIDIA's driver (580.159.04, H200) answers 256 for every kernel, also for those that require and run with 1024.
bool isNvidia(cl_device_id device) {
  constexpr cl_uint kPciVendor = 0x10DE;
  cl_uint vendor = 0;
  return clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof(vendor), &vendor, nullptr) == CL_SUCCESS &&
         vendor == kPciVendor;
}

std::string sizesText(const std::array<std::size_t, 3>& sizes, cl_uint dimensions) {
  std::string text;
  for (cl_uint i = 0; i < dimensions; ++i) text += (i == 0 ? "" : " x ") + std::to_string(sizes[i]);
  return text;
}

}  // namespace

KernelLimits limitsOf(cl_kernel kernel, cl_device_id device) {
  KernelLimits limits;
  limits.requiredWorkGroupSize = tryInfo<std::array<std::size_t, 3>>(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
                                     .value_or(std::array<std::size_t, 3>{});
  if (limits.requiredWorkGroupSize[0] == 0 && !isNvidia(device))
    limits.maxWorkGroupSize = tryInfo<std::size_t>(kernel, device, CL_KERNEL_WORK_GROUP_SIZE);
  limits.localBytes = tryInfo<cl_ulong>(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE).value_or(0);
  limits.privateBytes = tryInfo<cl_ulong>(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE).value_or(0);
  return limits;
}

std::optional<std::string> objectionTo(const std::array<std::size_t, 3>& local, cl_uint dimensions,
                                       const KernelLimits& limits) {
  const auto& required = limits.requiredWorkGroupSize;
  std::size_t product = 1;
  bool isAsRequired = true;
  for (cl_uint i = 0; i < 3; ++i) {
    const std::size_t size = i < dimensions ? local[i] : 1;
    product *= size;  // within the device's limit, which is a constraint
    isAsRequired = isAsRequired && size == required[i];
  }
  if (required[0] != 0 && !isAsRequired) {
    return "the kernel requires a work-group of " + sizesText(required, 3) + ", the local size is " +
           sizesText(local, dimensions);
  }
  if (limits.maxWorkGroupSize && product > *limits.maxWorkGroupSize) {
    return "the kernel allows work-groups of " + std::to_string(*limits.maxWorkGroupSize) +
           " work-items, the local size is " + sizesText(local, dimensions) +
           " (private memory of a work-item: " + std::to_string(limits.privateBytes) + " bytes)";
  }
  return std::nullopt;
}

std::optional<std::string> objectionToLocalMemory(std::uint64_t argumentBytes, const KernelLimits& limits,
                                                  std::uint64_t deviceBytes) {
  if (limits.localBytes <= deviceBytes && argumentBytes <= deviceBytes - limits.localBytes) return std::nullopt;
  return "a work-group needs " + std::to_string(limits.localBytes + argumentBytes) + " bytes of local memory (" +
         std::to_string(argumentBytes) + " as arguments), the device has " + std::to_string(deviceBytes);
}

}  // namespace hone::opencl::detail
