#include "opencl/in_process_compiler.h"

#include <algorithm>
#include <exception>

#include "opencl/error.h"
#include "opencl/variant.h"

namespace hone::opencl::detail {

using hone::detail::ArgumentShape;
using hone::detail::CompileJob;
using hone::detail::CompileResult;
using hone::detail::WarmUp;

namespace {

/// Launches the kernel once and waits for it. Buffers are new ones, of the sizes that the real ones have.
void warmUp(cl_context context, cl_device_id device, cl_kernel kernel, const WarmUp& launch) {
  cl_int code = CL_SUCCESS;
  const OwnedQueue queue(clCreateCommandQueueWithProperties(context, device, nullptr, &code));
  check(code, "clCreateCommandQueueWithProperties");
  std::vector<OwnedMemory> buffers;
  for (cl_uint i = 0; i < launch.arguments.size(); ++i) {
    const ArgumentShape& shape = launch.arguments[i];
    switch (shape.kind) {
      case ArgumentShape::Kind::scalar: code = clSetKernelArg(kernel, i, shape.bytes, shape.contents.data()); break;
      case ArgumentShape::Kind::local: code = clSetKernelArg(kernel, i, shape.bytes, nullptr); break;
      case ArgumentShape::Kind::null: code = clSetKernelArg(kernel, i, sizeof(cl_mem), nullptr); break;
      case ArgumentShape::Kind::buffer: {
        buffers.emplace_back(clCreateBuffer(context, CL_MEM_READ_WRITE, shape.bytes, nullptr, &code));
        check(code, "clCreateBuffer");
        // Zeros: an index among the data stays in bounds, a count among them ends a loop.
        const unsigned char zero = 0;
        check(clEnqueueFillBuffer(queue.get(), buffers.back().get(), &zero, 1, 0, shape.bytes, 0, nullptr, nullptr),
              "clEnqueueFillBuffer");
        const cl_mem handle = buffers.back().get();
        code = clSetKernelArg(kernel, i, sizeof(handle), &handle);
        break;
      }
    }
    check(code, "clSetKernelArg");
  }
  check(clEnqueueNDRangeKernel(queue.get(), kernel, launch.dimensions, launch.offset.data(), launch.global.data(),
                               launch.hasLocal ? launch.local.data() : nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue.get()), "clFinish");
}

/// REQUIRES: the program was built for this one device
std::vector<unsigned char> binaryOf(cl_program program) {
  std::size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr), "clGetProgramInfo");
  std::vector<unsigned char> binary(size);
  unsigned char* bytes = binary.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr), "clGetProgramInfo");
  return binary;
}

CompileResult compile(cl_context context, cl_device_id device, const CompileJob& job) {
  CompileResult result;
  try {
    const OwnedProgram program = buildFromSource(context, device, job.source, job.options);
    const OwnedKernel kernel = makeKernel(program.get(), job.kernel);
    if (job.warmUp) warmUp(context, device, kernel.get(), *job.warmUp);
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

bool InProcessCompiler::step() {
  Entry entry;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (queue_.empty()) return false;
    entry = std::move(queue_.front());
    queue_.pop_front();
    building_ = entry.owner;
  }
  entry.done(compile(context_, device_, entry.job));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    building_ = nullptr;
  }
  stepDone_.notify_all();
  return true;
}

}  // namespace hone::opencl::detail
