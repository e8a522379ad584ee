#include <algorithm>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/driver.h"

namespace hone::test::driver {

namespace {

std::vector<cl_context_properties> listOf(const cl_context_properties* properties) {
  std::vector<cl_context_properties> list;
  for (; properties && *properties != 0; properties += 2) list.insert(list.end(), {properties[0], properties[1]});
  if (!list.empty()) list.push_back(0);
  return list;
}

cl_int checkProperties(Call& call, const std::vector<cl_context_properties>& list) {
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    if (list[i] != CL_CONTEXT_PLATFORM) return CL_INVALID_PROPERTY;
    if (!call->find<Platform>(reinterpret_cast<cl_platform_id>(list[i + 1]))) return CL_INVALID_PLATFORM;
  }
  return CL_SUCCESS;
}

cl_context create(Call& call, std::vector<Device*> devices, std::vector<cl_context_properties> properties,
                  cl_int* code) {
  if (call.fault() != CL_SUCCESS) return give<cl_context>(code, call.fault());
  if (const cl_int wrong = checkProperties(call, properties); wrong != CL_SUCCESS) return give<cl_context>(code, wrong);
  for (const Device* device : devices) {
    if (device->isLost) return give<cl_context>(code, CL_DEVICE_NOT_AVAILABLE);
  }
  Context* context = call->make<Context>(std::move(devices));
  context->properties = std::move(properties);
  return give(code, CL_SUCCESS, handleOf<cl_context>(context));
}

using Notify = void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*);

cl_context CL_API_CALL createContext(const cl_context_properties* properties, cl_uint count,
                                     const cl_device_id* handles, Notify, void*, cl_int* code) {
  Call call("clCreateContext");
  if (count == 0 || !handles) return give<cl_context>(code, CL_INVALID_VALUE);
  std::vector<Device*> devices;
  for (cl_uint i = 0; i < count; ++i) {
    Device* device = call->find<Device>(handles[i]);
    if (!device) return give<cl_context>(code, CL_INVALID_DEVICE);
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) devices.push_back(device);
  }
  return create(call, std::move(devices), listOf(properties), code);
}

cl_context CL_API_CALL createContextFromType(const cl_context_properties* properties, cl_device_type type, Notify,
                                             void*, cl_int* code) {
  cl_device_id handles[64];
  cl_uint count = 0;
  const cl_int found = dispatchTable().clGetDeviceIDs(nullptr, type, 64, handles, &count);
  Call call("clCreateContextFromType");
  if (found != CL_SUCCESS) return give<cl_context>(code, found);
  std::vector<Device*> devices;
  for (cl_uint i = 0; i < std::min<cl_uint>(count, 64); ++i) devices.push_back(call->find<Device>(handles[i]));
  return create(call, std::move(devices), listOf(properties), code);
}

cl_int CL_API_CALL retainContext(cl_context handle) {
  Call call("clRetainContext");
  Context* context = call->find<Context>(handle);
  if (!context) return CL_INVALID_CONTEXT;
  call->retain(context);
  return CL_SUCCESS;
}

cl_int CL_API_CALL releaseContext(cl_context handle) {
  Call call("clReleaseContext");
  Context* context = call->find<Context>(handle);
  if (!context) return CL_INVALID_CONTEXT;
  call->release(context);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getContextInfo(cl_context handle, cl_context_info what, std::size_t size, void* value,
                                  std::size_t* sizeNeeded) {
  Call call("clGetContextInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Context* context = call->find<Context>(handle);
  if (!context) return CL_INVALID_CONTEXT;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_CONTEXT_REFERENCE_COUNT: return answer.of(cl_uint{context->references});
    case CL_CONTEXT_NUM_DEVICES: return answer.of(static_cast<cl_uint>(context->devices.size()));
    case CL_CONTEXT_DEVICES: return answer.list(context->devices);  // a handle is its object's address
    case CL_CONTEXT_PROPERTIES: return answer.list(context->properties);
    default: return CL_INVALID_VALUE;
  }
}

}  // namespace

void addContextCalls(cl_icd_dispatch& table) {
  table.clCreateContext = createContext;
  table.clCreateContextFromType = createContextFromType;
  table.clRetainContext = retainContext;
  table.clReleaseContext = releaseContext;
  table.clGetContextInfo = getContextInfo;
}

}  // namespace hone::test::driver
