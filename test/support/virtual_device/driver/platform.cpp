// The platform and its devices, as the loader and the application find them.

#include <algorithm>

#include "support/virtual_device/api.h"
#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/driver.h"
#include "support/virtual_device/driver/scripted_start.h"

namespace hone::test::driver {

namespace {

constexpr const char* kExtensions = "cl_khr_icd cl_khr_device_uuid cl_khr_byte_addressable_store";
constexpr const char* kExtensionsWithFp64 = "cl_khr_icd cl_khr_device_uuid cl_khr_byte_addressable_store cl_khr_fp64";
// The loader asks about platforms and devices with a process's first OpenCL call; a run must not depend on whether it
// comes to be the first.
constexpr Call::HostTime kFree = Call::HostTime::none;

constexpr cl_uint kVendorId = 0x486F6E65;  // "Hone", which no PCI vendor has

/// CL_DEVICE_UUID_KHR and what stands beside it; the headers of Debian 12 have them, older ones do not.
constexpr cl_device_info kUuid = 0x106A, kDriverUuid = 0x106B, kLuidValid = 0x106C;

cl_int CL_API_CALL getPlatformIds(cl_uint capacity, cl_platform_id* platforms, cl_uint* count) {
  startFromEnvironment();
  if ((!platforms && !count) || (platforms && capacity == 0)) return CL_INVALID_VALUE;
  if (platforms) platforms[0] = handleOf<cl_platform_id>(&Driver::instance().platform);
  if (count) *count = 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL getPlatformInfo(cl_platform_id platform, cl_platform_info what, std::size_t size, void* value,
                                   std::size_t* sizeNeeded) {
  Call call("clGetPlatformInfo", kFree);
  if (call.fault() != CL_SUCCESS) return call.fault();
  if (platform && !call->find<Platform>(platform)) return CL_INVALID_PLATFORM;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_PLATFORM_PROFILE: return answer.text("FULL_PROFILE");
    case CL_PLATFORM_VERSION: return answer.text("OpenCL 3.0 Hone Virtual Device");
    case CL_PLATFORM_NUMERIC_VERSION: return answer.of(cl_version{CL_MAKE_VERSION(3, 0, 0)});
    case CL_PLATFORM_NAME: return answer.text("Hone Virtual Device");
    case CL_PLATFORM_VENDOR: return answer.text("Hone");
    case CL_PLATFORM_EXTENSIONS: return answer.text(kExtensions);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return answer.text("HONE");
    case CL_PLATFORM_HOST_TIMER_RESOLUTION: return answer.of(cl_ulong{0});
    default: return CL_INVALID_VALUE;
  }
}

cl_device_type typeOf(const Device& device) {
  switch (device.description.type) {
    case VirtualDeviceType::cpu: return CL_DEVICE_TYPE_CPU;
    case VirtualDeviceType::gpu: return CL_DEVICE_TYPE_GPU;
    case VirtualDeviceType::accelerator: break;
  }
  return CL_DEVICE_TYPE_ACCELERATOR;
}

cl_int CL_API_CALL getDeviceIds(cl_platform_id platform, cl_device_type type, cl_uint capacity, cl_device_id* devices,
                                cl_uint* count) {
  Call call("clGetDeviceIDs", kFree);
  if (call.fault() != CL_SUCCESS) return call.fault();
  if (platform && !call->find<Platform>(platform)) return CL_INVALID_PLATFORM;
  if ((!devices && !count) || (devices && capacity == 0)) return CL_INVALID_VALUE;
  cl_uint found = 0;
  for (Device* device : call->devices) {
    const bool isDefault = (type & CL_DEVICE_TYPE_DEFAULT) != 0 && device == call->devices.front();
    if ((typeOf(*device) & type) == 0 && !isDefault) continue;
    if (devices && found < capacity) devices[found] = handleOf<cl_device_id>(device);
    ++found;
  }
  if (count) *count = found;
  return found == 0 ? CL_DEVICE_NOT_FOUND : CL_SUCCESS;
}

cl_int CL_API_CALL getDeviceInfo(cl_device_id handle, cl_device_info what, std::size_t size, void* value,
                                 std::size_t* sizeNeeded) {
  Call call("clGetDeviceInfo", kFree);
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Device* device = call->find<Device>(handle);
  if (!device) return CL_INVALID_DEVICE;
  const DeviceDescription& is = device->description;
  const Answer answer{size, value, sizeNeeded};
  const auto yesOrNo = [&](bool claim) { return answer.of(static_cast<cl_bool>(claim)); };
  switch (what) {
    case CL_DEVICE_TYPE: return answer.of(typeOf(*device));
    case CL_DEVICE_VENDOR_ID: return answer.of(kVendorId);
    case CL_DEVICE_PLATFORM: return answer.of(handleOf<cl_platform_id>(&call->platform));
    case CL_DEVICE_PARENT_DEVICE: return answer.of(cl_device_id{nullptr});
    case CL_DEVICE_REFERENCE_COUNT: return answer.of(cl_uint{1});

    case CL_DEVICE_NAME: return answer.text(is.name);
    case CL_DEVICE_VENDOR: return answer.text("Hone");
    case CL_DRIVER_VERSION: return answer.text(is.driverVersion);
    case CL_DEVICE_PROFILE: return answer.text("FULL_PROFILE");
    case CL_DEVICE_VERSION: return answer.text("OpenCL 3.0 virtual");
    case CL_DEVICE_NUMERIC_VERSION: return answer.of(cl_version{CL_MAKE_VERSION(3, 0, 0)});
    case CL_DEVICE_OPENCL_C_VERSION: return answer.text("OpenCL C 1.2 virtual");
    case CL_DEVICE_EXTENSIONS: return answer.text(is.hasFp64 ? kExtensionsWithFp64 : kExtensions);
    case CL_DEVICE_BUILT_IN_KERNELS: return answer.text("");
    case kUuid: return answer.of(is.uuid);
    case kDriverUuid: return answer.of(std::array<unsigned char, 16>{'H', 'o', 'n', 'e', 'd', 'r', 'i', 'v', 'e', 'r'});
    case kLuidValid: return yesOrNo(false);

    case CL_DEVICE_MAX_COMPUTE_UNITS: return answer.of(cl_uint{is.computeUnits});
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS: return answer.of(cl_uint{3});
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer.of(is.maxWorkGroupSize);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return answer.of(is.maxWorkItemSizes);
    case CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return answer.of(is.preferredWorkGroupMultiple);
    case CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT: return yesOrNo(is.hasNonUniformWorkGroups);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY: return answer.of(cl_uint{1000});
    case CL_DEVICE_ADDRESS_BITS: return answer.of(cl_uint{64});
    case CL_DEVICE_MAX_PARAMETER_SIZE: return answer.of(std::size_t{4096});
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return answer.of(cl_ulong{is.maxAllocationBytes});
    case CL_DEVICE_GLOBAL_MEM_SIZE: return answer.of(cl_ulong{is.globalMemoryBytes});
    case CL_DEVICE_GLOBAL_MEM_CACHE_TYPE: return answer.of(cl_device_mem_cache_type{CL_NONE});
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: return answer.of(cl_uint{64});
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return answer.of(cl_ulong{0});
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: return answer.of(cl_ulong{64 * 1024});
    case CL_DEVICE_MAX_CONSTANT_ARGS: return answer.of(cl_uint{8});
    case CL_DEVICE_LOCAL_MEM_TYPE:
      return answer.of(static_cast<cl_device_local_mem_type>(is.localMemoryBytes > 0 ? CL_LOCAL : CL_NONE));
    case CL_DEVICE_LOCAL_MEM_SIZE: return answer.of(cl_ulong{is.localMemoryBytes});
    case CL_DEVICE_MEM_BASE_ADDR_ALIGN: return answer.of(cl_uint{1024});
    case CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE: return answer.of(cl_uint{128});
    case CL_DEVICE_ERROR_CORRECTION_SUPPORT: return yesOrNo(false);
    case CL_DEVICE_HOST_UNIFIED_MEMORY: return yesOrNo(is.type == VirtualDeviceType::cpu);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return answer.of(static_cast<std::size_t>(is.timerResolutionNs));
    case CL_DEVICE_ENDIAN_LITTLE: return yesOrNo(true);
    case CL_DEVICE_AVAILABLE: return yesOrNo(!device->isLost);
    case CL_DEVICE_COMPILER_AVAILABLE:
    case CL_DEVICE_LINKER_AVAILABLE: return yesOrNo(true);
    case CL_DEVICE_IMAGE_SUPPORT: return yesOrNo(false);
    case CL_DEVICE_EXECUTION_CAPABILITIES: return answer.of(cl_device_exec_capabilities{CL_EXEC_KERNEL});
    case CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:
      return answer.of(cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE});
    case CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES: return answer.of(cl_command_queue_properties{0});
    case CL_DEVICE_DOUBLE_FP_CONFIG:
      if (!is.hasFp64) return answer.of(cl_device_fp_config{0});
      [[fallthrough]];
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return answer.of(cl_device_fp_config{CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                                           CL_FP_ROUND_TO_INF | CL_FP_FMA});
    case CL_DEVICE_HALF_FP_CONFIG: return answer.of(cl_device_fp_config{0});
    case CL_DEVICE_PREFERRED_INTEROP_USER_SYNC: return yesOrNo(true);
    case CL_DEVICE_PRINTF_BUFFER_SIZE: return answer.of(std::size_t{0});
    case CL_DEVICE_PARTITION_MAX_SUB_DEVICES: return answer.of(cl_uint{0});
    case CL_DEVICE_SVM_CAPABILITIES: return answer.of(cl_device_svm_capabilities{0});
    default: return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL retainDevice(cl_device_id device) {
  Call call("clRetainDevice");
  return call->find<Device>(device) ? CL_SUCCESS : CL_INVALID_DEVICE;  // no effect on devices that are no parts
}

cl_int CL_API_CALL releaseDevice(cl_device_id device) {
  Call call("clReleaseDevice");
  return call->find<Device>(device) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

void* CL_API_CALL functionAddress(const char* name);
void* CL_API_CALL functionAddressForPlatform(cl_platform_id, const char* name) { return functionAddress(name); }

/// What the loader asks for; the driver has no extension functions besides.
void* CL_API_CALL functionAddress(const char* name) {
  const std::string asked = name ? name : "";
  if (asked == "clIcdGetPlatformIDsKHR") return reinterpret_cast<void*>(&getPlatformIds);
  if (asked == "clGetPlatformInfo") return reinterpret_cast<void*>(&getPlatformInfo);
  return nullptr;
}

}  // namespace

Device::Device(std::shared_ptr<LaunchModel> with, DeviceDescription is)
    : Object(kKind),
      model(std::move(with)),
      description(std::move(is)),
      compute(description.overlap, description.maxRunning),
      copies(takingTurns, description.maxRunning) {}

void addPlatformCalls(cl_icd_dispatch& table) {
  table.clGetPlatformIDs = getPlatformIds;
  table.clGetPlatformInfo = getPlatformInfo;
  table.clGetDeviceIDs = getDeviceIds;
  table.clGetDeviceInfo = getDeviceInfo;
  table.clRetainDevice = retainDevice;
  table.clReleaseDevice = releaseDevice;
  table.clGetExtensionFunctionAddress = functionAddress;
  table.clGetExtensionFunctionAddressForPlatform = functionAddressForPlatform;
}

}  // namespace hone::test::driver

extern "C" {

HONE_VIRTUAL_API void* CL_API_CALL clGetExtensionFunctionAddress(const char* name) {
  return hone::test::driver::functionAddress(name);
}

HONE_VIRTUAL_API cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint capacity, cl_platform_id* platforms,
                                                           cl_uint* count) {
  return hone::test::driver::getPlatformIds(capacity, platforms, count);
}
}
