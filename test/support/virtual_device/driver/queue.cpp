#include <algorithm>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/driver.h"

namespace hone::test::driver {

namespace {

constexpr cl_command_queue_properties kKnown = CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

cl_command_queue create(Call& call, cl_context contextHandle, cl_device_id deviceHandle,
                        cl_command_queue_properties properties, std::vector<cl_queue_properties> list, cl_int* code) {
  using Handle = cl_command_queue;
  if (call.fault() != CL_SUCCESS) return give<Handle>(code, call.fault());
  Context* context = call->find<Context>(contextHandle);
  if (!context) return give<Handle>(code, CL_INVALID_CONTEXT);
  Device* device = call->find<Device>(deviceHandle);
  const auto& devices = context->devices;
  if (!device || std::find(devices.begin(), devices.end(), device) == devices.end())
    return give<Handle>(code, CL_INVALID_DEVICE);
  if ((properties & ~kKnown) != 0) return give<Handle>(code, CL_INVALID_VALUE);
  if (device->isLost) return give<Handle>(code, CL_OUT_OF_RESOURCES);
  Queue* queue = call->make<Queue>(*context, *device, properties);
  queue->propertyList = std::move(list);
  return give(code, CL_SUCCESS, handleOf<Handle>(queue));
}

cl_command_queue CL_API_CALL createQueue(cl_context context, cl_device_id device,
                                         cl_command_queue_properties properties, cl_int* code) {
  Call call("clCreateCommandQueue");
  return create(call, context, device, properties, {}, code);
}

cl_command_queue CL_API_CALL createQueueWithProperties(cl_context context, cl_device_id device,
                                                       const cl_queue_properties* properties, cl_int* code) {
  Call call("clCreateCommandQueueWithProperties");
  cl_command_queue_properties flags = 0;
  std::vector<cl_queue_properties> list;
  for (; properties && *properties != 0; properties += 2) {
    if (properties[0] != CL_QUEUE_PROPERTIES) return give<cl_command_queue>(code, CL_INVALID_VALUE);
    flags = properties[1];
    list.insert(list.end(), {properties[0], properties[1]});
  }
  if (!list.empty()) list.push_back(0);
  return create(call, context, device, flags, std::move(list), code);
}

cl_int CL_API_CALL retainQueue(cl_command_queue handle) {
  Call call("clRetainCommandQueue");
  Queue* queue = call->find<Queue>(handle);
  if (!queue) return CL_INVALID_COMMAND_QUEUE;
  call->retain(queue);
  return CL_SUCCESS;
}

cl_int CL_API_CALL releaseQueue(cl_command_queue handle) {
  Call call("clReleaseCommandQueue");
  Queue* queue = call->find<Queue>(handle);
  if (!queue) return CL_INVALID_COMMAND_QUEUE;
  call->flush(*queue);  // as the specification has it
  call->release(queue);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getQueueInfo(cl_command_queue handle, cl_command_queue_info what, std::size_t size, void* value,
                                std::size_t* sizeNeeded) {
  Call call("clGetCommandQueueInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Queue* queue = call->find<Queue>(handle);
  if (!queue) return CL_INVALID_COMMAND_QUEUE;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_QUEUE_CONTEXT: return answer.of(handleOf<cl_context>(queue->context.get()));
    case CL_QUEUE_DEVICE: return answer.of(handleOf<cl_device_id>(&queue->device));
    case CL_QUEUE_REFERENCE_COUNT: return answer.of(cl_uint{queue->references});
    case CL_QUEUE_PROPERTIES: return answer.of(queue->properties);
    case CL_QUEUE_PROPERTIES_ARRAY: return answer.list(queue->propertyList);
    case CL_QUEUE_SIZE: return CL_INVALID_COMMAND_QUEUE;  // not a queue on the device
    case CL_QUEUE_DEVICE_DEFAULT: return answer.of(cl_command_queue{nullptr});
    default: return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL flush(cl_command_queue handle) {
  Call call("clFlush");
  if (call.fault() != CL_SUCCESS) return call.fault();
  Queue* queue = call->find<Queue>(handle);
  if (!queue) return CL_INVALID_COMMAND_QUEUE;
  call->flush(*queue);
  return CL_SUCCESS;
}

cl_int CL_API_CALL finish(cl_command_queue handle) {
  Call call("clFinish");
  call.countBlocking();
  if (call.fault() != CL_SUCCESS) return call.fault();
  Queue* queue = call->find<Queue>(handle);
  if (!queue) return CL_INVALID_COMMAND_QUEUE;
  const Hold<Queue> held(queue);
  call->flush(*queue);
  call->waitFor(*queue, call.lock());
  return queue->device.isLost ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

}  // namespace

void addQueueCalls(cl_icd_dispatch& table) {
  table.clCreateCommandQueue = createQueue;
  table.clCreateCommandQueueWithProperties = createQueueWithProperties;
  table.clRetainCommandQueue = retainQueue;
  table.clReleaseCommandQueue = releaseQueue;
  table.clGetCommandQueueInfo = getQueueInfo;
  table.clFlush = flush;
  table.clFinish = finish;
}

}  // namespace hone::test::driver
