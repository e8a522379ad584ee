#include "support/virtual_device/driver/dispatch.h"

#include "support/virtual_device/driver/answer.h"

namespace hone::test::driver {

namespace {

/// Stands in for what the driver does not implement: CL_INVALID_OPERATION instead of a jump to nowhere.
template <class Function>
struct Unsupported;

template <class Result, class... Arguments>
struct Unsupported<Result(CL_API_CALL*)(Arguments...)> {
  static Result CL_API_CALL call(Arguments... arguments) {
    if constexpr (std::is_same_v<Result, cl_int>) {
      return CL_INVALID_OPERATION;
    } else if constexpr (std::is_pointer_v<Result>) {
      (tell(arguments), ...);
      return nullptr;
    }
  }

 private:
  template <class T>
  static void tell(T) {}
  static void tell(cl_int* code) {
    if (code) *code = CL_INVALID_OPERATION;
  }
};

template <class Function>
void fill(Function& entry) {
  entry = &Unsupported<Function>::call;
}

void fillUnsupported(cl_icd_dispatch& table) {
  fill(table.clCreateImage2D);
  fill(table.clCreateImage3D);
  fill(table.clGetSupportedImageFormats);
  fill(table.clGetImageInfo);
  fill(table.clEnqueueReadImage);
  fill(table.clEnqueueWriteImage);
  fill(table.clEnqueueCopyImage);
  fill(table.clEnqueueCopyImageToBuffer);
  fill(table.clEnqueueCopyBufferToImage);
  fill(table.clEnqueueMapImage);
  fill(table.clEnqueueNativeKernel);
  fill(table.clEnqueueReadBufferRect);
  fill(table.clEnqueueWriteBufferRect);
  fill(table.clEnqueueCopyBufferRect);
  fill(table.clCreateSubDevices);
  fill(table.clCreateImage);
  fill(table.clCreateProgramWithBuiltInKernels);
  fill(table.clCompileProgram);
  fill(table.clLinkProgram);
  fill(table.clEnqueueFillImage);
  fill(table.clCreatePipe);
  fill(table.clGetPipeInfo);
  fill(table.clSVMAlloc);
  fill(table.clSVMFree);
  fill(table.clEnqueueSVMFree);
  fill(table.clEnqueueSVMMemcpy);
  fill(table.clEnqueueSVMMemFill);
  fill(table.clEnqueueSVMMap);
  fill(table.clEnqueueSVMUnmap);
  fill(table.clSetKernelArgSVMPointer);
  fill(table.clSetKernelExecInfo);
  fill(table.clGetKernelSubGroupInfoKHR);
  fill(table.clCloneKernel);
  fill(table.clCreateProgramWithIL);
  fill(table.clEnqueueSVMMigrateMem);
  fill(table.clGetDeviceAndHostTimer);
  fill(table.clGetHostTimer);
  fill(table.clGetKernelSubGroupInfo);
  fill(table.clSetDefaultDeviceCommandQueue);
  fill(table.clSetProgramReleaseCallback);
  fill(table.clSetProgramSpecializationConstant);
  fill(table.clCreateImageWithProperties);
  fill(table.clSetContextDestructorCallback);
  fill(table.clSetCommandQueueProperty);
  fill(table.clSetMemObjectDestructorCallback);
}

cl_icd_dispatch makeTable() {
  cl_icd_dispatch table{};
  fillUnsupported(table);
  addPlatformCalls(table);
  addContextCalls(table);
  addQueueCalls(table);
  addMemoryCalls(table);
  addTransferCalls(table);
  addProgramCalls(table);
  addKernelCalls(table);
  addLaunchCalls(table);
  addEventCalls(table);
  return table;
}

}  // namespace

const cl_icd_dispatch& dispatchTable() {
  static const cl_icd_dispatch table = makeTable();
  return table;
}

}  // namespace hone::test::driver
