// Kernels and their arguments.

#include <cstring>

#include "support/virtual_device/driver/answer.h"
#include "support/virtual_device/driver/dispatch.h"
#include "support/virtual_device/driver/driver.h"

namespace hone::test::driver {

namespace {

cl_kernel CL_API_CALL createKernel(cl_program handle, const char* name, cl_int* code) {
  Call call("clCreateKernel");
  if (call.fault() != CL_SUCCESS) return give<cl_kernel>(code, call.fault());
  Program* program = call->find<Program>(handle);
  if (!program) return give<cl_kernel>(code, CL_INVALID_PROGRAM);
  if (program->status != CL_BUILD_SUCCESS) return give<cl_kernel>(code, CL_INVALID_PROGRAM_EXECUTABLE);
  if (!name) return give<cl_kernel>(code, CL_INVALID_VALUE);
  for (const KernelSignature& signature : *program->kernels) {
    if (signature.name == name)
      return give(code, CL_SUCCESS, handleOf<cl_kernel>(call->make<Kernel>(*program, signature)));
  }
  return give<cl_kernel>(code, CL_INVALID_KERNEL_NAME);
}

cl_int CL_API_CALL createKernels(cl_program handle, cl_uint capacity, cl_kernel* kernels, cl_uint* count) {
  Call call("clCreateKernelsInProgram");
  if (call.fault() != CL_SUCCESS) return call.fault();
  Program* program = call->find<Program>(handle);
  if (!program) return CL_INVALID_PROGRAM;
  if (program->status != CL_BUILD_SUCCESS) return CL_INVALID_PROGRAM_EXECUTABLE;
  const auto& signatures = *program->kernels;
  if (kernels && capacity < signatures.size()) return CL_INVALID_VALUE;
  for (std::size_t i = 0; i < signatures.size() && kernels; ++i)
    kernels[i] = handleOf<cl_kernel>(call->make<Kernel>(*program, signatures[i]));
  if (count) *count = static_cast<cl_uint>(signatures.size());
  return CL_SUCCESS;
}

cl_int CL_API_CALL retainKernel(cl_kernel handle) {
  Call call("clRetainKernel");
  Kernel* kernel = call->find<Kernel>(handle);
  if (!kernel) return CL_INVALID_KERNEL;
  call->retain(kernel);
  return CL_SUCCESS;
}

cl_int CL_API_CALL releaseKernel(cl_kernel handle) {
  Call call("clReleaseKernel");
  Kernel* kernel = call->find<Kernel>(handle);
  if (!kernel) return CL_INVALID_KERNEL;
  call->release(kernel);
  return CL_SUCCESS;
}

// ---- arguments

/// Two threads that set arguments in turns launch a mixture of both's. Every enqueue ends a turn.
void noteSetter(Call& call, Kernel& kernel) {
  const std::thread::id self = std::this_thread::get_id();
  if (kernel.setter != std::thread::id() && kernel.setter != self)
    call->reportViolation("two threads set arguments of " + kernel.signature.name + " in turns");
  kernel.setter = self;
}

cl_int setObject(Call& call, Kernel::Value& to, std::size_t size, const void* value, ObjectKind kind) {
  if (size != sizeof(void*)) return CL_INVALID_ARG_SIZE;
  Object* object = nullptr;
  if (value) std::memcpy(&object, value, sizeof(object));
  if (kind == ObjectKind::sampler) {
    if (!object || !call->find<Sampler>(handleOf<cl_sampler>(object))) return CL_INVALID_SAMPLER;
  } else if (object && !call->find<Memory>(handleOf<cl_mem>(object))) {
    return CL_INVALID_MEM_OBJECT;
  }
  to.object = object;
  return CL_SUCCESS;
}

cl_int setValue(Call& call, Kernel::Value& to, const KernelArgument& argument, std::size_t size, const void* value) {
  switch (argument.kind) {
    case ArgumentKind::buffer: return setObject(call, to, size, value, ObjectKind::memory);
    case ArgumentKind::sampler: return setObject(call, to, size, value, ObjectKind::sampler);
    case ArgumentKind::local:
      if (value) return CL_INVALID_ARG_VALUE;
      if (size == 0) return CL_INVALID_ARG_SIZE;
      to.localBytes = size;
      return CL_SUCCESS;
    case ArgumentKind::scalar: break;
  }
  if (!value) return CL_INVALID_ARG_VALUE;
  if (argument.bytes != 0 && size != argument.bytes) return CL_INVALID_ARG_SIZE;
  const auto* bytes = static_cast<const std::byte*>(value);
  to.bytes.assign(bytes, bytes + size);
  return CL_SUCCESS;
}

cl_int CL_API_CALL setArgument(cl_kernel handle, cl_uint index, std::size_t size, const void* value) {
  Call call("clSetKernelArg");
  if (call.fault() != CL_SUCCESS) return call.fault();
  Kernel* kernel = call->find<Kernel>(handle);
  if (!kernel) return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size()) return CL_INVALID_ARG_INDEX;
  noteSetter(call, *kernel);
  const cl_int status = setValue(call, kernel->arguments[index], kernel->signature.arguments[index], size, value);
  if (status == CL_SUCCESS) {
    kernel->arguments[index].isSet = true;
  } else {
    call->reportViolation("argument " + std::to_string(index) + " of " + kernel->signature.name + " is a " +
                          kernel->signature.arguments[index].type + ", which is set with " + std::to_string(size) +
                          " bytes" + (value ? "" : " and no value"));
  }
  return status;
}

// ---- asking

cl_int CL_API_CALL getKernelInfo(cl_kernel handle, cl_kernel_info what, std::size_t size, void* value,
                                 std::size_t* sizeNeeded) {
  Call call("clGetKernelInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Kernel* kernel = call->find<Kernel>(handle);
  if (!kernel) return CL_INVALID_KERNEL;
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_KERNEL_FUNCTION_NAME: return answer.text(kernel->signature.name);
    case CL_KERNEL_NUM_ARGS: return answer.of(static_cast<cl_uint>(kernel->arguments.size()));
    case CL_KERNEL_REFERENCE_COUNT: return answer.of(cl_uint{kernel->references});
    case CL_KERNEL_CONTEXT: return answer.of(handleOf<cl_context>(kernel->program->context.get()));
    case CL_KERNEL_PROGRAM: return answer.of(handleOf<cl_program>(kernel->program.get()));
    case CL_KERNEL_ATTRIBUTES: return answer.text("");
    default: return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL getWorkGroupInfo(cl_kernel handle, cl_device_id deviceHandle, cl_kernel_work_group_info what,
                                    std::size_t size, void* value, std::size_t* sizeNeeded) {
  Call call("clGetKernelWorkGroupInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Kernel* kernel = call->find<Kernel>(handle);
  if (!kernel) return CL_INVALID_KERNEL;
  const std::vector<Device*>& devices = kernel->program->devices;
  const Device* device = deviceHandle ? call->find<Device>(deviceHandle) : devices.size() == 1 ? devices[0] : nullptr;
  if (!device) return CL_INVALID_DEVICE;
  const KernelTraits traits = traitsOf(*device, *kernel);
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_KERNEL_WORK_GROUP_SIZE: return answer.of(traits.maxWorkGroupSize);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE: return answer.of(kernel->signature.requiredWorkGroup);
    case CL_KERNEL_LOCAL_MEM_SIZE: {
      cl_ulong bytes = traits.localBytes;
      for (const Kernel::Value& argument : kernel->arguments) bytes += argument.localBytes;
      return answer.of(bytes);
    }
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE: return answer.of(device->description.preferredWorkGroupMultiple);
    case CL_KERNEL_PRIVATE_MEM_SIZE: return answer.of(cl_ulong{traits.privateBytes});
    default: return CL_INVALID_VALUE;
  }
}

cl_kernel_arg_address_qualifier addressSpaceOf(const KernelArgument& argument) {
  if (argument.isConstantSpace) return CL_KERNEL_ARG_ADDRESS_CONSTANT;
  if (argument.kind == ArgumentKind::local) return CL_KERNEL_ARG_ADDRESS_LOCAL;
  return argument.kind == ArgumentKind::buffer ? CL_KERNEL_ARG_ADDRESS_GLOBAL : CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

cl_kernel_arg_type_qualifier qualifierOf(const KernelArgument& argument) {
  // A const scalar is the callee's own copy.
  if (argument.isConst && argument.kind != ArgumentKind::scalar) return CL_KERNEL_ARG_TYPE_CONST;
  return CL_KERNEL_ARG_TYPE_NONE;
}

cl_int CL_API_CALL getArgumentInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info what, std::size_t size,
                                   void* value, std::size_t* sizeNeeded) {
  Call call("clGetKernelArgInfo");
  if (call.fault() != CL_SUCCESS) return call.fault();
  const Kernel* kernel = call->find<Kernel>(handle);
  if (!kernel) return CL_INVALID_KERNEL;
  if (index >= kernel->arguments.size()) return CL_INVALID_ARG_INDEX;
  const KernelArgument& argument = kernel->signature.arguments[index];
  const Answer answer{size, value, sizeNeeded};
  switch (what) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: return answer.of(addressSpaceOf(argument));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER: return answer.of(cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});
    case CL_KERNEL_ARG_TYPE_NAME: return answer.text(argument.type);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: return answer.of(qualifierOf(argument));
    case CL_KERNEL_ARG_NAME: return answer.text(argument.name);
    default: return CL_INVALID_VALUE;
  }
}

}  // namespace

KernelTraits traitsOf(const Device& device, const Kernel& kernel) {
  const auto script = device.traits.find(kernel.signature.name);
  KernelTraits traits = script == device.traits.end() ? KernelTraits{} : script->second(kernel.program->macros);
  if (traits.maxWorkGroupSize == 0) traits.maxWorkGroupSize = device.description.maxWorkGroupSize;
  return traits;
}

void addKernelCalls(cl_icd_dispatch& table) {
  table.clCreateKernel = createKernel;
  table.clCreateKernelsInProgram = createKernels;
  table.clRetainKernel = retainKernel;
  table.clReleaseKernel = releaseKernel;
  table.clSetKernelArg = setArgument;
  table.clGetKernelInfo = getKernelInfo;
  table.clGetKernelWorkGroupInfo = getWorkGroupInfo;
  table.clGetKernelArgInfo = getArgumentInfo;
}

}  // namespace hone::test::driver
