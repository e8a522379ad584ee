#include "opencl/error.h"

#include <algorithm>
#include <array>

namespace hone::opencl::detail {

namespace {

struct NamedCode {
  cl_int code;
  const char* name;
};

#define HONE_NAMED(code) \
  NamedCode { code, #code }
constexpr std::array kNames{HONE_NAMED(CL_DEVICE_NOT_FOUND),
                            HONE_NAMED(CL_DEVICE_NOT_AVAILABLE),
                            HONE_NAMED(CL_COMPILER_NOT_AVAILABLE),
                            HONE_NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
                            HONE_NAMED(CL_OUT_OF_RESOURCES),
                            HONE_NAMED(CL_OUT_OF_HOST_MEMORY),
                            HONE_NAMED(CL_PROFILING_INFO_NOT_AVAILABLE),
                            HONE_NAMED(CL_MEM_COPY_OVERLAP),
                            HONE_NAMED(CL_IMAGE_FORMAT_MISMATCH),
                            HONE_NAMED(CL_IMAGE_FORMAT_NOT_SUPPORTED),
                            HONE_NAMED(CL_BUILD_PROGRAM_FAILURE),
                            HONE_NAMED(CL_MAP_FAILURE),
                            HONE_NAMED(CL_MISALIGNED_SUB_BUFFER_OFFSET),
                            HONE_NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
                            HONE_NAMED(CL_COMPILE_PROGRAM_FAILURE),
                            HONE_NAMED(CL_LINKER_NOT_AVAILABLE),
                            HONE_NAMED(CL_LINK_PROGRAM_FAILURE),
                            HONE_NAMED(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
                            HONE_NAMED(CL_INVALID_VALUE),
                            HONE_NAMED(CL_INVALID_DEVICE_TYPE),
                            HONE_NAMED(CL_INVALID_PLATFORM),
                            HONE_NAMED(CL_INVALID_DEVICE),
                            HONE_NAMED(CL_INVALID_CONTEXT),
                            HONE_NAMED(CL_INVALID_QUEUE_PROPERTIES),
                            HONE_NAMED(CL_INVALID_COMMAND_QUEUE),
                            HONE_NAMED(CL_INVALID_HOST_PTR),
                            HONE_NAMED(CL_INVALID_MEM_OBJECT),
                            HONE_NAMED(CL_INVALID_IMAGE_SIZE),
                            HONE_NAMED(CL_INVALID_SAMPLER),
                            HONE_NAMED(CL_INVALID_BINARY),
                            HONE_NAMED(CL_INVALID_BUILD_OPTIONS),
                            HONE_NAMED(CL_INVALID_PROGRAM),
                            HONE_NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
                            HONE_NAMED(CL_INVALID_KERNEL_NAME),
                            HONE_NAMED(CL_INVALID_KERNEL_DEFINITION),
                            HONE_NAMED(CL_INVALID_KERNEL),
                            HONE_NAMED(CL_INVALID_ARG_INDEX),
                            HONE_NAMED(CL_INVALID_ARG_VALUE),
                            HONE_NAMED(CL_INVALID_ARG_SIZE),
                            HONE_NAMED(CL_INVALID_KERNEL_ARGS),
                            HONE_NAMED(CL_INVALID_WORK_DIMENSION),
                            HONE_NAMED(CL_INVALID_WORK_GROUP_SIZE),
                            HONE_NAMED(CL_INVALID_WORK_ITEM_SIZE),
                            HONE_NAMED(CL_INVALID_GLOBAL_OFFSET),
                            HONE_NAMED(CL_INVALID_EVENT_WAIT_LIST),
                            HONE_NAMED(CL_INVALID_EVENT),
                            HONE_NAMED(CL_INVALID_OPERATION),
                            HONE_NAMED(CL_INVALID_BUFFER_SIZE),
                            HONE_NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
                            HONE_NAMED(CL_INVALID_COMPILER_OPTIONS),
                            HONE_NAMED(CL_INVALID_LINKER_OPTIONS),
                            HONE_NAMED(CL_DEVICE_PARTITION_FAILED),
                            HONE_NAMED(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
                            HONE_NAMED(CL_INVALID_GL_OBJECT),
                            HONE_NAMED(CL_INVALID_MIP_LEVEL),
                            HONE_NAMED(CL_INVALID_PROPERTY),
                            HONE_NAMED(CL_INVALID_IMAGE_DESCRIPTOR),
                            HONE_NAMED(CL_INVALID_DEVICE_PARTITION_COUNT),
                            HONE_NAMED(CL_INVALID_PIPE_SIZE),
                            HONE_NAMED(CL_INVALID_DEVICE_QUEUE),
                            HONE_NAMED(CL_INVALID_SPEC_ID),
                            HONE_NAMED(CL_MAX_SIZE_RESTRICTION_EXCEEDED)};
#undef HONE_NAMED

}  // namespace

std::string errorName(cl_int code) {
  const auto found = std::find_if(kNames.begin(), kNames.end(), [code](const NamedCode& n) { return n.code == code; });
  return found != kNames.end() ? found->name : "OpenCL error " + std::to_string(code);
}

std::string describeError(const std::string& call, cl_int code) {
  return call + ": " + errorName(code) + " (" + std::to_string(code) + ")";
}

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS) throw Error(describeError(call, code), code);
}

}  // namespace hone::opencl::detail
