#include "opencl/job_builder.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "opencl/blind_warm_up.h"
#include "opencl/error.h"
#include "opencl/handle.h"
#include "opencl/kernel_limits.h"
#include "opencl/variant.h"

namespace hone::opencl::detail {

using hone::detail::ArgumentShape;
using hone::detail::CompileJob;
using hone::detail::CompileResult;
using hone::detail::WarmUp;

namespace {

/// Buffers of the sizes that the real ones have, filled with zeros: an index among the data stays in bounds, a count
/// among them ends a loop. Throws Error where the device has not enough memory for a second set.
std::vector<OwnedMemory> makeStandIns(cl_context context, cl_command_queue queue, const WarmUp& launch) {
  std::vector<OwnedMemory> standIns;
  for (const ArgumentShape& shape : launch.arguments) {
    if (shape.kind != ArgumentShape::Kind::buffer) continue;
    cl_int code = CL_SUCCESS;
    standIns.emplace_back(clCreateBuffer(context, CL_MEM_READ_WRITE, shape.bytes, nullptr, &code));
    check(code, "clCreateBuffer");
    const unsigned char zero = 0;
    check(clEnqueueFillBuffer(queue, standIns.back().get(), &zero, 1, 0, shape.bytes, 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
  }
  check(clFinish(queue), "clFinish");
  return standIns;
}

/// Launches the kernel once and waits for it. Throws Error if that is not possible.
void warmUp(cl_command_queue queue, cl_kernel kernel, const WarmUp& launch, const std::vector<OwnedMemory>& standIns) {
  auto nextStandIn = standIns.begin();
  for (cl_uint i = 0; i < launch.arguments.size(); ++i) {
    const ArgumentShape& shape = launch.arguments[i];
    cl_int code = CL_SUCCESS;
    switch (shape.kind) {
      case ArgumentShape::Kind::scalar: code = clSetKernelArg(kernel, i, shape.bytes, shape.contents.data()); break;
      case ArgumentShape::Kind::local: code = clSetKernelArg(kernel, i, shape.bytes, nullptr); break;
      case ArgumentShape::Kind::null: code = clSetKernelArg(kernel, i, sizeof(cl_mem), nullptr); break;
      case ArgumentShape::Kind::buffer: {
        const cl_mem handle = (nextStandIn++)->get();
        code = clSetKernelArg(kernel, i, sizeof(handle), &handle);
        break;
      }
    }
    check(code, "clSetKernelArg");
  }
  check(clEnqueueNDRangeKernel(queue, kernel, launch.dimensions, launch.offset.data(), launch.global.data(),
                               launch.hasLocal ? launch.local.data() : nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
}

/// Why the kernel cannot be launched so; empty if nothing is known against it.
std::optional<std::string> objectionTo(const WarmUp& launch, const KernelLimits& limits, std::uint64_t deviceBytes) {
  std::optional<std::string> objection;
  if (launch.hasLocal) objection = objectionTo(launch.local, launch.dimensions, limits);
  if (objection) return objection;
  std::uint64_t localBytes = 0;
  for (const ArgumentShape& shape : launch.arguments)
    localBytes += shape.kind == ArgumentShape::Kind::local ? shape.bytes : 0;
  return objectionToLocalMemory(localBytes, limits, deviceBytes);
}

OwnedQueue makeQueue(cl_context context, cl_device_id device) {
  cl_int code = CL_SUCCESS;
  OwnedQueue queue(clCreateCommandQueueWithProperties(context, device, nullptr, &code));
  check(code, "clCreateCommandQueueWithProperties");
  return queue;
}

/// REQUIRES: the program's context has one device
std::vector<unsigned char> binaryOf(cl_program program) {
  std::size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr), "clGetProgramInfo");
  std::vector<unsigned char> binary(size);
  unsigned char* bytes = binary.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr), "clGetProgramInfo");
  return binary;
}

constexpr unsigned char kPoclBinary[] = {'p', 'o', 'c', 'l', 'b', 'i', 'n'};  // what its binaries begin with
constexpr unsigned char kBitcode[] = {'B', 'C', 0xC0, 0xDE};                  // and what the code in them does

/// Whether it lacks the code. PoCL (3.1) packs what its cache on disk holds at the moment. Where another process
/// compiles the same program, that is replaced there and missing for some ms: in 2 of 450 binaries that three processes
/// made at the same times. Loading such a binary fails an assertion, which ends the process.
bool isTorn(const std::vector<unsigned char>& binary) {
  return binary.size() > sizeof(kPoclBinary) &&
         std::equal(std::begin(kPoclBinary), std::end(kPoclBinary), binary.begin()) &&
         std::search(binary.begin(), binary.end(), std::begin(kBitcode), std::end(kBitcode)) == binary.end();
}

OwnedProgram buildSource(cl_context context, cl_device_id device, const CompileJob& job) {
  const char* forTypes = job.blindWarmUp ? " -cl-kernel-arg-info" : "";  // of arguments; else PoCL does not tell them
  return buildFromSource(context, device, job.source, job.options + forTypes);
}

/// Of the program that the job has become. A torn one is made again, which the compiler's cache makes cheap; empty
/// where that does not help.
std::vector<unsigned char> wholeBinaryOf(cl_program program, cl_context context, cl_device_id device,
                                         const CompileJob& job) {
  constexpr int kTries = 5;
  std::vector<unsigned char> binary = binaryOf(program);
  for (int tries = 1; isTorn(binary); ++tries) {
    if (tries == kTries) return {};
    binary = binaryOf(buildSource(context, device, job).get());
  }
  return binary;
}

/// The one that the job names, or else all. Drivers finish compiling a kernel when it is made.
std::vector<OwnedKernel> makeKernels(cl_program program, const std::string& name) {
  std::vector<OwnedKernel> kernels;
  for (const std::string& each : name.empty() ? kernelNamesOf(program) : std::vector<std::string>{name})
    kernels.push_back(makeKernel(program, each));
  return kernels;
}

std::vector<cl_kernel> handlesOf(const std::vector<OwnedKernel>& kernels) {
  std::vector<cl_kernel> handles;
  for (const OwnedKernel& kernel : kernels) handles.push_back(kernel.get());
  return handles;
}

class Stopwatch {
 public:
  std::chrono::nanoseconds elapsed() const { return std::chrono::steady_clock::now() - start_; }

 private:
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Nothing where the device has no memory for a second set of data: the variant is used unwarmed, since the candidate
/// is not to blame.
std::optional<std::vector<OwnedMemory>> tryMakeStandIns(cl_context context, cl_command_queue queue,
                                                        const WarmUp& launch) {
  try {
    return makeStandIns(context, queue, launch);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

CompileResult buildJob(cl_context context, cl_device_id device, std::uint64_t localMemoryBytes, const CompileJob& job,
                       const std::function<void()>& beforeWarming) {
  CompileResult result;
  try {
    const Stopwatch building;
    const OwnedProgram program = buildSource(context, device, job);
    const std::vector<OwnedKernel> kernels = makeKernels(program.get(), job.kernel);
    result.buildTime = building.elapsed();
    if (job.warmUp) {
      if (const auto objection = objectionTo(*job.warmUp, limitsOf(kernels[0].get(), device), localMemoryBytes)) {
        result.log = *objection;
        return result;
      }
      const OwnedQueue queue = makeQueue(context, device);
      const auto standIns = tryMakeStandIns(context, queue.get(), *job.warmUp);
      if (standIns && beforeWarming) beforeWarming();
      const Stopwatch warming;
      if (standIns) warmUp(queue.get(), kernels[0].get(), *job.warmUp, *standIns);
      result.warmUpTime = warming.elapsed();
    }
    if (job.blindWarmUp) {
      if (beforeWarming) beforeWarming();
      const Stopwatch warming;
      warmUpBlindly(context, device, localMemoryBytes, handlesOf(kernels), job.blindWarmUp->isGridLarge);
      result.warmUpTime = warming.elapsed();
    }
    result.binary = wholeBinaryOf(program.get(), context, device, job);
    if (result.binary.empty()) result.log = "the driver gave no whole binary";
  } catch (const std::exception& error) {
    result.log = error.what();
  }
  return result;
}

}  // namespace hone::opencl::detail
