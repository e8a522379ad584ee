#include "opencl/variant.h"

#include "opencl/error.h"

namespace hone::opencl::detail {

namespace {

std::string buildLog(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return "";
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  log.erase(log.find_last_not_of(std::string("\0\n ", 3)) + 1);
  return log;
}

void build(cl_program program, cl_device_id device, const std::string& options) {
  const cl_int code = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS)
    throw Error(describeError("clBuildProgram", code) + " with " + options + "\n" + buildLog(program, device), code);
}

}  // namespace

OwnedProgram buildFromSource(cl_context context, cl_device_id device, const std::string& source,
                             const std::string& options) {
  const char* text = source.c_str();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  OwnedProgram program(clCreateProgramWithSource(context, 1, &text, &length, &code));
  check(code, "clCreateProgramWithSource");
  build(program.get(), device, options);
  return program;
}

OwnedProgram buildFromBinary(cl_context context, cl_device_id device, const std::vector<unsigned char>& binary,
                             const std::string& options) {
  const unsigned char* bytes = binary.data();
  const std::size_t length = binary.size();
  cl_int status = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  OwnedProgram program(clCreateProgramWithBinary(context, 1, &device, &length, &bytes, &status, &code));
  check(code, "clCreateProgramWithBinary");
  check(status, "clCreateProgramWithBinary");
  build(program.get(), device, options);
  return program;
}

OwnedKernel makeKernel(cl_program program, const std::string& name) {
  cl_int code = CL_SUCCESS;
  OwnedKernel kernel(clCreateKernel(program, name.c_str(), &code));
  if (code != CL_SUCCESS) throw Error(describeError("clCreateKernel '" + name + "'", code), code);
  return kernel;
}

Variant::Variant(OwnedProgram program, std::string kernelName)
    : program_(std::move(program)), kernelName_(std::move(kernelName)) {
  idle_.push_back(makeKernel(program_.get(), kernelName_));
  check(clGetKernelInfo(idle_.back().get(), CL_KERNEL_NUM_ARGS, sizeof(argumentCount_), &argumentCount_, nullptr),
        "clGetKernelInfo");
}

OwnedKernel Variant::take() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      OwnedKernel kernel = std::move(idle_.back());
      idle_.pop_back();
      return kernel;
    }
  }
  return makeKernel(program_.get(), kernelName_);
}

void Variant::giveBack(OwnedKernel kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(kernel));
}

}  // namespace hone::opencl::detail
