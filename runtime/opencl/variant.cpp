#include "opencl/variant.h"

#include <algorithm>
#include <sstream>

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

std::vector<std::string> kernelNamesOf(cl_program program) {
  std::size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &size), "clGetProgramInfo");
  std::string joined(size, '\0');
  check(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, joined.data(), nullptr), "clGetProgramInfo");
  joined.resize(std::min(joined.find('\0'), joined.size()));
  std::vector<std::string> names;
  std::istringstream parts(joined);
  for (std::string name; std::getline(parts, name, ';');) names.push_back(name);
  if (names.empty()) throw Error("the program has no kernel", CL_INVALID_KERNEL_NAME);
  return names;
}

Variant::Variant(OwnedProgram program, cl_device_id device, const std::string& kernelName)
    : program_(std::move(program)),
      kernelNames_(kernelName.empty() ? kernelNamesOf(program_.get()) : std::vector<std::string>{kernelName}) {
  idle_.push_back(makeSet());
  for (const OwnedKernel& kernel : idle_[0]->kernels) limits_.push_back(limitsOf(kernel.get(), device));
  check(
      clGetKernelInfo(idle_[0]->kernels[0].get(), CL_KERNEL_NUM_ARGS, sizeof(argumentCount_), &argumentCount_, nullptr),
      "clGetKernelInfo");
}

std::unique_ptr<KernelSet> Variant::makeSet() const {
  auto set = std::make_unique<KernelSet>();
  for (const std::string& name : kernelNames_) set->kernels.push_back(makeKernel(program_.get(), name));
  return set;
}

std::unique_ptr<KernelSet> Variant::take() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<KernelSet> set = std::move(idle_.back());
      idle_.pop_back();
      return set;
    }
  }
  return makeSet();
}

void Variant::giveBack(std::unique_ptr<KernelSet> set) {
  const std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(std::move(set));
}

}  // namespace hone::opencl::detail
