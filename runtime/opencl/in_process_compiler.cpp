#include "opencl/in_process_compiler.h"

#include <algorithm>
#include <exception>
#include <optional>

#include "opencl/error.h"
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

/// Makes each kernel once, with which drivers finish compiling it. Returns the one that the job names, or else the
/// first.
OwnedKernel makeKernels(cl_program program, const std::string& name) {
  if (!name.empty()) return makeKernel(program, name);
  const std::vector<std::string> names = kernelNamesOf(program);
  for (std::size_t i = 1; i < names.size(); ++i) makeKernel(program, names[i]);
  return makeKernel(program, names[0]);
}

CompileResult compile(cl_context context, cl_device_id device, std::uint64_t deviceLocalBytes, const CompileJob& job) {
  CompileResult result;
  try {
    const OwnedProgram program = buildFromSource(context, device, job.source, job.options);
    const OwnedKernel kernel = makeKernels(program.get(), job.kernel);
    if (job.warmUp) {
      if (const auto objection = objectionTo(*job.warmUp, limitsOf(kernel.get(), device), deviceLocalBytes)) {
        result.log = *objection;
        return result;
      }
      const OwnedQueue queue = makeQueue(context, device);
      std::optional<std::vector<OwnedMemory>> standIns;
      try {
        standIns = makeStandIns(context, queue.get(), *job.warmUp);
      } catch (const Error&) {
        // No memory for a second set of data: the variant is used unwarmed, since the candidate is not to blame.
      }
      if (standIns) warmUp(queue.get(), kernel.get(), *job.warmUp, *standIns);
    }
    result.binary = binaryOf(program.get());
    if (result.binary.empty()) result.log = "the driver gave no binary";
  } catch (const std::exception& error) {
    result.log = error.what();
  }
  return result;
}

}  // namespace

void InProcessCompiler::submit(const void* owner, CompileJob job, Done done) {
  const std::lock_guard<std::mutex> lock(mutex_);
  queue_.push_back({owner, std::move(job), std::move(done)});
}

void InProcessCompiler::cancel(const void* owner) {
  std::unique_lock<std::mutex> lock(mutex_);
  queue_.erase(std::remove_if(queue_.begin(), queue_.end(), [&](const Entry& entry) { return entry.owner == owner; }),
               queue_.end());
  stepDone_.wait(lock, [&] { return building_ != owner; });
}

cl_context InProcessCompiler::buildContext() {
  cl_uint devices = 0;
  check(clGetContextInfo(context_, CL_CONTEXT_NUM_DEVICES, sizeof(devices), &devices, nullptr), "clGetContextInfo");
  if (devices == 1) return context_;
  if (!ownContext_) {
    cl_int code = CL_SUCCESS;
    ownContext_.reset(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    check(code, "clCreateContext");
  }
  return ownContext_.get();
}

bool InProcessCompiler::step() {
  Entry entry;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (queue_.empty()) return false;
    entry = std::move(queue_.front());
    queue_.pop_front();
    building_ = entry.owner;
  }
  CompileResult result;
  try {
    result = compile(buildContext(), device_, localMemoryBytes_, entry.job);
  } catch (const Error& error) {  // no context: as bad as a failed build
    result.log = error.what();
  }
  entry.done(std::move(result));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    building_ = nullptr;
  }
  stepDone_.notify_all();
  return true;
}

}  // namespace hone::opencl::detail
