// Buffers and sub-buffers, and samplers, which are good for nothing but being handed around.

#include <algorithm>
#include <cstring>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/driver.h"
#include "support/virtual_device/driver/memory_guard.h"

namespace hone::test::driver {

namespace {

constexpr std::byte kUninitialised{0xA5};  // what a missing write leaves behind: no small number, as float or integer
constexpr std::byte kGuard{0x5A};

constexpr cl_mem_flags kAccess = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
constexpr cl_mem_flags kHostAccess = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
constexpr cl_mem_flags kHostPointer = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

bool hasAtMostOne(cl_mem_flags flags) { return (flags & (flags - 1)) == 0; }

cl_int checkFlags(cl_mem_flags flags, const void* hostPointer) {
  if ((flags & ~(kAccess | kHostAccess | kHostPointer)) != 0) return CL_INVALID_VALUE;
  if (!hasAtMostOne(flags & kAccess) || !hasAtMostOne(flags & kHostAccess)) return CL_INVALID_VALUE;
  const bool uses = (flags & CL_MEM_USE_HOST_PTR) != 0;
  if (uses && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0) return CL_INVALID_VALUE;
  const bool needsPointer = uses || (flags & CL_MEM_COPY_HOST_PTR) != 0;
  return needsPointer == (hostPointer != nullptr) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

cl_int checkSize(const Driver& driver, const Context& context, std::size_t size) {
  if (size == 0) return CL_INVALID_BUFFER_SIZE;
  for (const Device* device : context.devices) {
    if (size > device->description.maxAllocationBytes) return CL_INVALID_BUFFER_SIZE;
    if (driver.counts.memoryBytes + size > device->description.globalMemoryBytes)
      return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  }
  return CL_SUCCESS;
}

cl_mem create(Call& call, cl_context contextHandle, cl_mem_flags flags, std::size_t size, void* hostPointer,
              cl_int* code) {
  call->counts.memoryBytesAskedFor += size;
  if (call.fault() != CL_SUCCESS) return give<cl_mem>(code, call.fault());
  Context* context = call->find<Context>(contextHandle);
  if (!context) return give<cl_mem>(code, CL_INVALID_CONTEXT);
  if (const cl_int wrong = checkFlags(flags, hostPointer); wrong != CL_SUCCESS) return give<cl_mem>(code, wrong);
  if (const cl_int wrong = checkSize(call.driver(), *context, size); wrong != CL_SUCCESS)
    return give<cl_mem>(code, wrong);
  Memory* memory = call->make<Memory>(*context);
  memory->size = size;
  memory->flags = (flags & kAccess) ? flags : flags | CL_MEM_READ_WRITE;
  memory->hostPointer = (flags & CL_MEM_USE_HOST_PTR) ? hostPointer : nullptr;
  memory->storage = std::make_unique<std::byte[]>(size + kGuardBytes);
  memory->start = memory->storage.get();
  if (hostPointer) {
    std::memcpy(memory->start, hostPointer, size);
  } else {
    std::fill_n(memory->start, size, kUninitialised);
  }
  repairGuard(*memory);
  Counts& counts = call->counts;
  counts.memoryBytes += size;
  counts.mostMemoryBytes = std::max(counts.mostMemoryBytes, counts.memoryBytes);
  return give(code, CL_SUCCESS, handleOf<cl_mem>(memory));
}

cl_mem CL_API_CALL createBuffer(cl_context context, cl_mem_flags flags, std::size_t size, void* host, cl_int* code) {
  Call call("clCreateBuffer");
  return create(call, context, flags, size, host, code);
}

cl_mem CL_API_CALL createBufferWithProperties(cl_context context, const cl_mem_properties* properties,
                                              cl_mem_flags flags, std::size_t size, void* host, cl_int* code) {
  Call call("clCreateBufferWithProperties");
  if (properties && *properties != 0) return give<cl_mem>(code, CL_INVALID_PROPERTY);
  return create(call, context, flags, size, host, code);
}

cl_mem CL_API_CALL createSubBuffer(cl_mem parentHandle, cl_mem_flags flags, cl_buffer_create_type type,
                                   const void* info, cl_int* code) {
  Call call("clCreateSubBuffer");
  if (call.fault() != CL_SUCCESS) return give<cl_mem>(code, call.fault());
  Memory* parent = call->find<Memory>(parentHandle);
  if (!parent || parent->parent) return give<cl_mem>(code, CL_INVALID_MEM_OBJECT);
  if (type != CL_BUFFER_CREATE_TYPE_REGION || !info) return give<cl_mem>(code, CL_INVALID_VALUE);
  const cl_buffer_region region = *static_cast<const cl_buffer_region*>(info);
  if (region.size == 0) return give<cl_mem>(code, CL_INVALID_BUFFER_SIZE);
  if (region.origin > parent->size || region.size > parent->size - region.origin)
    return give<cl_mem>(code, CL_INVALID_VALUE);
  constexpr std::size_t kAlignment = 128;  // CL_DEVICE_MEM_BASE_ADDR_ALIGN, in bytes
  if (region.origin % kAlignment != 0) return give<cl_mem>(code, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  Memory* memory = call->make<Memory>(*parent->context);
  memory->parent = Hold<Memory>(parent);
  memory->origin = region.origin;
  memory->size = region.size;
  memory->flags = (flags & kAccess) ? flags : flags | (parent->flags & kAccess);
  memory->hostPointer = parent->hostPointer ? static_cast<std::byte*>(parent->hostPointer) + region.origin : nullptr;
  memory->start = parent->start + region.origin;
  return give(code, CL_SUCCESS, handleOf<cl_mem>(memory));
}

cl_int CL_API_CALL retainMemory(cl_mem handle) {
  Call call("clRetainMemObject");
  Memory* memory = call->find<Memory>(handle);
  if (!memory) return CL_INVALID_MEM_OBJECT;
  call->retain(memory);
  return CL_SUCCESS;
}

cl_int CL_API_CALL releaseMemory(cl_mem handle) {
  Call call("clReleaseMemObject");
  Memory* memory = call->find<Memory>(handle);
  if (!memory) return CL_INVALID_MEM_OBJECT;
  call->release(memory);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getMemoryInfo(cl_mem handle, cl_mem_info what, std::size_t size, void* value,
                                 std::size_t* sizeNeeded) {
  Call call("clGetMemObjectInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Memory* memory = call->find<Memory>(handle);
  if (!memory) return CL_INVALID_MEM_OBJECT;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_MEM_TYPE: return answer.of(cl_mem_object_type{CL_MEM_OBJECT_BUFFER});
    case CL_MEM_FLAGS: return answer.of(memory->flags);
    case CL_MEM_SIZE: return answer.of(memory->size);
    case CL_MEM_HOST_PTR: return answer.of(memory->hostPointer);
    case CL_MEM_MAP_COUNT: return answer.of(memory->mapCount);
    case CL_MEM_REFERENCE_COUNT: return answer.of(cl_uint{memory->references});
    case CL_MEM_CONTEXT: return answer.of(handleOf<cl_context>(memory->context.get()));
    case CL_MEM_ASSOCIATED_MEMOBJECT: return answer.of(handleOf<cl_mem>(memory->parent.get()));
    case CL_MEM_OFFSET: return answer.of(memory->origin);
    case CL_MEM_USES_SVM_POINTER: return answer.of(cl_bool{CL_FALSE});
    case CL_MEM_PROPERTIES: return answer.bytes(nullptr, 0);
    default: return CL_INVALID_VALUE;
  }
}

cl_sampler makeSampler(Call& call, cl_context contextHandle, cl_int* code) {
  if (call.fault() != CL_SUCCESS) return give<cl_sampler>(code, call.fault());
  Context* context = call->find<Context>(contextHandle);
  if (!context) return give<cl_sampler>(code, CL_INVALID_CONTEXT);
  return give(code, CL_SUCCESS, handleOf<cl_sampler>(call->make<Sampler>(*context)));
}

cl_sampler CL_API_CALL createSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode, cl_int* code) {
  Call call("clCreateSampler");
  return makeSampler(call, context, code);
}

cl_sampler CL_API_CALL createSamplerWithProperties(cl_context context, const cl_sampler_properties*, cl_int* code) {
  Call call("clCreateSamplerWithProperties");
  return makeSampler(call, context, code);
}

cl_int CL_API_CALL retainSampler(cl_sampler handle) {
  Call call("clRetainSampler");
  Sampler* sampler = call->find<Sampler>(handle);
  if (!sampler) return CL_INVALID_SAMPLER;
  call->retain(sampler);
  return CL_SUCCESS;
}

cl_int CL_API_CALL releaseSampler(cl_sampler handle) {
  Call call("clReleaseSampler");
  Sampler* sampler = call->find<Sampler>(handle);
  if (!sampler) return CL_INVALID_SAMPLER;
  call->release(sampler);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getSamplerInfo(cl_sampler handle, cl_sampler_info what, std::size_t size, void* value,
                                  std::size_t* sizeNeeded) {
  Call call("clGetSamplerInfo");
  const Sampler* sampler = call->find<Sampler>(handle);
  if (!sampler) return CL_INVALID_SAMPLER;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_SAMPLER_REFERENCE_COUNT: return answer.of(cl_uint{sampler->references});
    case CL_SAMPLER_CONTEXT: return answer.of(handleOf<cl_context>(sampler->context.get()));
    default: return CL_INVALID_VALUE;
  }
}

}  // namespace

bool isGuardIntact(const Memory& memory) {
  if (!memory.storage) return true;
  const std::byte* guard = memory.start + memory.size;
  return std::all_of(guard, guard + kGuardBytes, [](std::byte byte) { return byte == kGuard; });
}

void repairGuard(Memory& memory) {
  if (memory.storage) std::fill_n(memory.start + memory.size, kGuardBytes, kGuard);
}

void Memory::dispose() {
  Driver& driver = Driver::instance();
  if (storage && session == driver.session()) driver.counts.memoryBytes -= size;
  if (mapCount > 0 && session == driver.session()) driver.reportViolation("a buffer is destroyed while it is mapped");
  storage.reset();
  start = nullptr;
  parent.reset();
  context.reset();
}

void addMemoryCalls(cl_icd_dispatch& table) {
  table.clCreateBuffer = createBuffer;
  table.clCreateBufferWithProperties = createBufferWithProperties;
  table.clCreateSubBuffer = createSubBuffer;
  table.clRetainMemObject = retainMemory;
  table.clReleaseMemObject = releaseMemory;
  table.clGetMemObjectInfo = getMemoryInfo;
  table.clCreateSampler = createSampler;
  table.clCreateSamplerWithProperties = createSamplerWithProperties;
  table.clRetainSampler = retainSampler;
  table.clReleaseSampler = releaseSampler;
  table.clGetSamplerInfo = getSamplerInfo;
}

}  // namespace hone::test::driver
