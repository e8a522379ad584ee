#include "opencl/in_process_compiler.h"

#include <algorithm>

#include "opencl/error.h"
#include "opencl/job_builder.h"

namespace hone::opencl::detail {

using hone::detail::CompileJob;
using hone::detail::CompileResult;

void InProcessCompiler::submit(const void* owner, CompileJob job, Done done) {
  job.blindWarmUp.reset();
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
    result = buildJob(buildContext(), device_, localMemoryBytes_, entry.job);
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
