#include "opencl/device_limits.h"

#include "opencl/error.h"

namespace hone::opencl::detail {

namespace {

template <class T>
T deviceInfo(cl_device_id device, cl_device_info what) {
  T value{};
  check(clGetDeviceInfo(device, what, sizeof(value), &value, nullptr), "clGetDeviceInfo");
  return value;
}

std::vector<std::size_t> maxWorkItemSizes(cl_device_id device) {
  std::vector<std::size_t> sizes(deviceInfo<cl_uint>(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  check(
      clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes.size() * sizeof(std::size_t), sizes.data(), nullptr),
      "clGetDeviceInfo");
  return sizes;
}

}  // namespace

void requireWorkGroup(cl_device_id device, const std::vector<Expression>& sizes, Declarations& declarations) {
  const std::vector<std::size_t> limits = maxWorkItemSizes(device);
  Expression workGroup = sizes[0];
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) workGroup = workGroup * sizes[i];
    declarations.require(sizes[i] >= 1 && sizes[i] <= limits.at(i));
  }
  declarations.require(workGroup <= deviceInfo<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
}

void requireLocalMemory(cl_device_id device, const Expression& bytes, Declarations& declarations) {
  declarations.require(bytes <= deviceInfo<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE));
}

}  // namespace hone::opencl::detail
