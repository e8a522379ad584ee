// Kernel launches: what the specification and the device's limits require of them, and what a script has go wrong.

#include <algorithm>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/enqueue.h"

namespace hone::test::driver {

namespace {

using Sizes = std::array<std::size_t, 3>;

Sizes sizesOf(const std::size_t* sizes, cl_uint dimensions, std::size_t otherwise) {
  Sizes all{otherwise, otherwise, otherwise};
  if (sizes) std::copy_n(sizes, dimensions, all.begin());
  return all;
}

/// What a driver may choose where the application leaves it the local size: here, the kernel's required one or 1.
Sizes chosenLocalSize(const Kernel& kernel) {
  return kernel.signature.requiredWorkGroup[0] != 0 ? kernel.signature.requiredWorkGroup : Sizes{1, 1, 1};
}

cl_int checkArguments(Call& call, const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Kernel::Value& value = kernel.arguments[i];
    if (!value.isSet) {
      call->reportViolation("argument " + std::to_string(i) + " of " + kernel.signature.name + " is not set");
      return CL_INVALID_KERNEL_ARGS;
    }
    if (value.object && value.object->references == 0) {
      call->reportViolation("argument " + std::to_string(i) + " of " + kernel.signature.name + " is a released " +
                            nameOf(value.object->kind));
      return CL_INVALID_KERNEL_ARGS;
    }
  }
  return CL_SUCCESS;
}

cl_int checkWorkGroup(const Device& device, const Kernel& kernel, const Sizes& global, const Sizes& local) {
  const Sizes& required = kernel.signature.requiredWorkGroup;
  if (required[0] != 0 && local != required) return CL_INVALID_WORK_GROUP_SIZE;
  std::size_t items = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (local[i] == 0) return CL_INVALID_WORK_GROUP_SIZE;
    if (local[i] > device.description.maxWorkItemSizes[i]) return CL_INVALID_WORK_ITEM_SIZE;
    const bool isWhole = global[i] % local[i] == 0;
    if (!isWhole && !device.description.hasNonUniformWorkGroups) return CL_INVALID_WORK_GROUP_SIZE;
    items *= local[i];
  }
  return items <= traitsOf(device, kernel).maxWorkGroupSize ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}

cl_int checkLocalMemory(const Device& device, const Kernel& kernel) {
  std::uint64_t bytes = traitsOf(device, kernel).localBytes;
  for (const Kernel::Value& value : kernel.arguments) bytes += value.localBytes;
  return bytes <= device.description.localMemoryBytes ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

std::map<unsigned, std::int64_t> integerScalars(const Kernel& kernel) {
  std::map<unsigned, std::int64_t> integers;
  for (unsigned i = 0; i < kernel.arguments.size(); ++i) {
    const std::string& type = kernel.signature.arguments[i].type;
    const std::vector<std::byte>& bytes = kernel.arguments[i].bytes;
    const auto as = [&]<class T>(T value) {
      std::copy_n(bytes.data(), sizeof(T), reinterpret_cast<std::byte*>(&value));
      return static_cast<std::int64_t>(value);
    };
    if (bytes.size() == 4 && type == "int") integers[i] = as(std::int32_t{});
    if (bytes.size() == 4 && type == "uint") integers[i] = as(std::uint32_t{});
    if (bytes.size() == 8 && (type == "long" || type == "ulong")) integers[i] = as(std::int64_t{});
  }
  return integers;
}

std::unique_ptr<LaunchData> launchOf(const Kernel& kernel, cl_uint dimensions, const Sizes& offset, const Sizes& global,
                                     const Sizes& local) {
  auto data = std::make_unique<LaunchData>();
  data->program = Hold<Program>(kernel.program.get());
  data->signatures = kernel.signatures;
  data->signature = &kernel.signature;
  data->launch.kernel = kernel.signature.name;
  data->launch.macros = kernel.program->macros;
  data->launch.dimensions = dimensions;
  data->launch.global = global;
  data->launch.local = local;
  data->launch.scalars = integerScalars(kernel);
  data->offset = offset;
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Kernel::Value& value = kernel.arguments[i];
    ArgumentValue& argument = data->arguments.emplace_back();
    argument.kind = kernel.signature.arguments[i].kind;
    argument.scalar = value.bytes;
    argument.localBytes = value.localBytes;
    if (argument.kind != ArgumentKind::buffer || !value.object) continue;
    auto* memory = static_cast<Memory*>(value.object);
    argument.bytes = {memory->start, memory->size};
    data->memories.emplace_back(memory->parent ? memory->parent.get() : memory);  // whose guard is looked at
    if (memory->parent) data->memories.emplace_back(memory);
  }
  return data;
}

cl_int launch(const char* name, cl_command_queue queueHandle, cl_kernel kernelHandle, cl_uint dimensions,
              const std::size_t* offset, const std::size_t* global, const std::size_t* local, cl_uint waitCount,
              const cl_event* waitList, cl_event* event) {
  Call call(name);
  Enqueue enqueue(call, queueHandle, waitCount, waitList, event);
  if (enqueue.status() != CL_SUCCESS) return enqueue.status();
  Kernel* kernel = call->find<Kernel>(kernelHandle);
  if (!kernel) return CL_INVALID_KERNEL;
  kernel->setter = {};
  Device& device = enqueue.device();
  const std::vector<Device*>& built = kernel->program->devices;
  if (kernel->program->context.get() != enqueue.queue().context.get()) return CL_INVALID_CONTEXT;
  if (std::find(built.begin(), built.end(), &device) == built.end()) return CL_INVALID_PROGRAM_EXECUTABLE;
  if (dimensions < 1 || dimensions > 3) return CL_INVALID_WORK_DIMENSION;
  if (const cl_int wrong = checkArguments(call, *kernel); wrong != CL_SUCCESS) return wrong;
  // Since OpenCL 2.1, a launch of nothing succeeds once its wait list has.
  if (!global || std::find(global, global + dimensions, std::size_t{0}) != global + dimensions)
    return enqueue.submit(enqueue.makeCommand(CL_COMMAND_NDRANGE_KERNEL));
  const Sizes globalSizes = sizesOf(global, dimensions, 1);
  const Sizes localSizes = local ? sizesOf(local, dimensions, 1) : chosenLocalSize(*kernel);
  if (const cl_int wrong = checkWorkGroup(device, *kernel, globalSizes, localSizes); wrong != CL_SUCCESS) return wrong;
  if (const cl_int wrong = checkLocalMemory(device, *kernel); wrong != CL_SUCCESS) return wrong;
  const Macros& macros = kernel->program->macros;
  if (const auto code = call->faults.enqueues.ask(macros)) return *code;

  Event* command = enqueue.makeCommand(CL_COMMAND_NDRANGE_KERNEL);
  command->engine = &device.compute;
  command->launch = launchOf(*kernel, dimensions, sizesOf(offset, dimensions, 0), globalSizes, localSizes);
  command->launch->wrongResult = call->faults.results.ask(macros);
  command->failsWith = call->faults.events.ask(macros).value_or(CL_SUCCESS);
  command->brokenTimestamps = call->faults.timestamps.ask(macros);
  return enqueue.submit(command);
}

cl_int CL_API_CALL enqueueNdRange(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const std::size_t* offset, const std::size_t* global, const std::size_t* local,
                                  cl_uint waitCount, const cl_event* waitList, cl_event* event) {
  return launch("clEnqueueNDRangeKernel", queue, kernel, dimensions, offset, global, local, waitCount, waitList, event);
}

cl_int CL_API_CALL enqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waitCount, const cl_event* waitList,
                               cl_event* event) {
  const std::size_t one = 1;
  return launch("clEnqueueTask", queue, kernel, 1, nullptr, &one, &one, waitCount, waitList, event);
}

}  // namespace

void addLaunchCalls(cl_icd_dispatch& table) {
  table.clEnqueueNDRangeKernel = enqueueNdRange;
  table.clEnqueueTask = enqueueTask;
}

}  // namespace hone::test::driver
