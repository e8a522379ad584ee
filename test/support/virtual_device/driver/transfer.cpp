// Commands that move bytes: read, write, copy, fill, map and unmap. They take their bytes' time of the device's
// bandwidth and move them when they end.

#include <algorithm>
#include <cstring>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/enqueue.h"

namespace hone::test::driver {

namespace {

bool isWithin(const Memory& memory, std::size_t offset, std::size_t size) {
  return size > 0 && offset <= memory.size && size <= memory.size - offset;
}

cl_int findBuffer(Call& call, const Enqueue& enqueue, cl_mem handle, Memory** memory) {
  *memory = call->find<Memory>(handle);
  if (!*memory) return CL_INVALID_MEM_OBJECT;
  return (*memory)->context.get() == enqueue.queue().context.get() ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

Event* makeTransfer(const Enqueue& enqueue, cl_command_type type, std::size_t bytes,
                    std::initializer_list<Memory*> memories, std::function<void()> action) {
  Device& device = enqueue.device();
  Event* command = enqueue.makeCommand(type);
  command->engine = &device.copies;
  command->work = std::max(1.0, static_cast<double>(bytes) / device.description.copyBytesPerNs);
  command->action = std::move(action);
  for (Memory* memory : memories) command->memories.emplace_back(memory);
  return command;
}

cl_int CL_API_CALL readBuffer(cl_command_queue queue, cl_mem handle, cl_bool isBlocking, std::size_t offset,
                              std::size_t size, void* to, cl_uint waitCount, const cl_event* waitList,
                              cl_event* event) {
  Call call("clEnqueueReadBuffer");
  if (isBlocking) call.countBlocking();
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  Memory* memory = nullptr;
  if (const cl_int wrong = findBuffer(call, enqueue, handle, &memory); wrong != CL_SUCCESS) return wrong;
  if (!to || !isWithin(*memory, offset, size)) return CL_INVALID_VALUE;
  if ((memory->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0) return CL_INVALID_OPERATION;
  Event* command = makeTransfer(enqueue, CL_COMMAND_READ_BUFFER, size, {memory},
                                [=] { std::memcpy(to, memory->start + offset, size); });
  return enqueue.submit(command, isBlocking);
}

cl_int CL_API_CALL writeBuffer(cl_command_queue queue, cl_mem handle, cl_bool isBlocking, std::size_t offset,
                               std::size_t size, const void* from, cl_uint waitCount, const cl_event* waitList,
                               cl_event* event) {
  Call call("clEnqueueWriteBuffer");
  if (isBlocking) call.countBlocking();
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  Memory* memory = nullptr;
  if (const cl_int wrong = findBuffer(call, enqueue, handle, &memory); wrong != CL_SUCCESS) return wrong;
  if (!from || !isWithin(*memory, offset, size)) return CL_INVALID_VALUE;
  if ((memory->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)) != 0) return CL_INVALID_OPERATION;
  Event* command = makeTransfer(enqueue, CL_COMMAND_WRITE_BUFFER, size, {memory},
                                [=] { std::memcpy(memory->start + offset, from, size); });
  return enqueue.submit(command, isBlocking);
}

cl_int CL_API_CALL copyBuffer(cl_command_queue queue, cl_mem fromHandle, cl_mem toHandle, std::size_t fromOffset,
                              std::size_t toOffset, std::size_t size, cl_uint waitCount, const cl_event* waitList,
                              cl_event* event) {
  Call call("clEnqueueCopyBuffer");
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  Memory* from = nullptr;
  Memory* to = nullptr;
  if (const cl_int wrong = findBuffer(call, enqueue, fromHandle, &from); wrong != CL_SUCCESS) return wrong;
  if (const cl_int wrong = findBuffer(call, enqueue, toHandle, &to); wrong != CL_SUCCESS) return wrong;
  if (!isWithin(*from, fromOffset, size) || !isWithin(*to, toOffset, size)) return CL_INVALID_VALUE;
  const std::byte* source = from->start + fromOffset;
  std::byte* target = to->start + toOffset;
  if (source < target + size && target < source + size) return CL_MEM_COPY_OVERLAP;
  Event* command =
      makeTransfer(enqueue, CL_COMMAND_COPY_BUFFER, size, {from, to}, [=] { std::memcpy(target, source, size); });
  return enqueue.submit(command);
}

cl_int CL_API_CALL fillBuffer(cl_command_queue queue, cl_mem handle, const void* pattern, std::size_t patternSize,
                              std::size_t offset, std::size_t size, cl_uint waitCount, const cl_event* waitList,
                              cl_event* event) {
  Call call("clEnqueueFillBuffer");
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  Memory* memory = nullptr;
  if (const cl_int wrong = findBuffer(call, enqueue, handle, &memory); wrong != CL_SUCCESS) return wrong;
  const bool isPatternSize = patternSize > 0 && patternSize <= 128 && (patternSize & (patternSize - 1)) == 0;
  if (!pattern || !isPatternSize || !isWithin(*memory, offset, size)) return CL_INVALID_VALUE;
  if (offset % patternSize != 0 || size % patternSize != 0) return CL_INVALID_VALUE;
  const auto* first = static_cast<const std::byte*>(pattern);  // the application may reuse it at once
  const auto fill = [=, bytes = std::vector<std::byte>(first, first + patternSize)] {
    for (std::size_t i = 0; i < size; i += bytes.size())
      std::memcpy(memory->start + offset + i, bytes.data(), bytes.size());
  };
  return enqueue.submit(makeTransfer(enqueue, CL_COMMAND_FILL_BUFFER, size, {memory}, fill));
}

/// Where the application sees a mapped buffer: in its own memory, if the buffer was made with that.
std::byte* hostViewOf(const Memory& memory) {
  return memory.hostPointer ? static_cast<std::byte*>(memory.hostPointer) : memory.start;
}

void* CL_API_CALL mapBuffer(cl_command_queue queue, cl_mem handle, cl_bool isBlocking, cl_map_flags flags,
                            std::size_t offset, std::size_t size, cl_uint waitCount, const cl_event* waitList,
                            cl_event* event, cl_int* code) {
  Call call("clEnqueueMapBuffer");
  if (isBlocking) call.countBlocking();
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return give<void*>(code, enqueue.status());
  Memory* memory = nullptr;
  if (const cl_int wrong = findBuffer(call, enqueue, handle, &memory); wrong != CL_SUCCESS)
    return give<void*>(code, wrong);
  constexpr cl_map_flags kKnown = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if ((flags & ~kKnown) != 0 || !isWithin(*memory, offset, size)) return give<void*>(code, CL_INVALID_VALUE);
  ++memory->mapCount;
  std::byte* view = hostViewOf(*memory) + offset;
  Event* command = makeTransfer(enqueue, CL_COMMAND_MAP_BUFFER, size, {memory}, [=] {
    if (memory->hostPointer) std::memcpy(view, memory->start + offset, size);
  });
  const cl_int status = enqueue.submit(command, isBlocking);
  return give<void*>(code, status, status == CL_SUCCESS ? view : nullptr);
}

cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem handle, void* pointer, cl_uint waitCount,
                         const cl_event* waitList, cl_event* event) {
  Call call("clEnqueueUnmapMemObject");
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  Memory* memory = nullptr;
  if (const cl_int wrong = findBuffer(call, enqueue, handle, &memory); wrong != CL_SUCCESS) return wrong;
  std::byte* view = hostViewOf(*memory);
  auto* mapped = static_cast<std::byte*>(pointer);
  if (memory->mapCount == 0 || mapped < view || mapped >= view + memory->size) return CL_INVALID_VALUE;
  --memory->mapCount;
  Event* command = makeTransfer(enqueue, CL_COMMAND_UNMAP_MEM_OBJECT, 1, {memory}, [=] {
    if (memory->hostPointer) std::memcpy(memory->start, view, memory->size);
  });
  return enqueue.submit(command);
}

cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint count, const cl_mem* handles, cl_mem_migration_flags,
                           cl_uint waitCount, const cl_event* waitList, cl_event* event) {
  Call call("clEnqueueMigrateMemObjects");
  Enqueue enqueue(call, queue, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  if (count == 0 || !handles) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; ++i) {
    Memory* memory = nullptr;
    if (const cl_int wrong = findBuffer(call, enqueue, handles[i], &memory); wrong != CL_SUCCESS) return wrong;
  }
  return enqueue.submit(enqueue.makeCommand(CL_COMMAND_MIGRATE_MEM_OBJECTS));
}

}  // namespace

void addTransferCalls(cl_icd_dispatch& table) {
  table.clEnqueueReadBuffer = readBuffer;
  table.clEnqueueWriteBuffer = writeBuffer;
  table.clEnqueueCopyBuffer = copyBuffer;
  table.clEnqueueFillBuffer = fillBuffer;
  table.clEnqueueMapBuffer = mapBuffer;
  table.clEnqueueUnmapMemObject = unmap;
  table.clEnqueueMigrateMemObjects = migrate;
}

}  // namespace hone::test::driver
