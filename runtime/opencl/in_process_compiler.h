// The compile service that builds in this process, on the background thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

#include "background.h"
#include "compile/compile_service.h"
#include "opencl/handle.h"

namespace hone::opencl::detail {

/// Builds one job a step. Launches may wait for locks that the driver holds while it compiles.
///
/// Jobs are built in the application's context if the device is its only one, else in a context of the service's own,
/// made for the first job: a program has a binary for each device of its context, and PoCL 3.1 gives none for any but
/// the first.
/// Thread safety: internally synchronised; no lock is held while a job is built.
class InProcessCompiler final : public hone::detail::CompileService, public hone::detail::BackgroundTask {
 public:
  /// The context must outlive the service. A work-group may use `localMemoryBytes`.
  InProcessCompiler(cl_context context, cl_device_id device, std::uint64_t localMemoryBytes)
      : context_(context), device_(device), localMemoryBytes_(localMemoryBytes) {}

  void submit(const void* owner, hone::detail::CompileJob job, Done done) override;
  /// Waits for the owner's job if it is being built.
  void cancel(const void* owner) override;
  std::size_t building() const override;

  bool step() override;

 private:
  struct Entry {
    const void* owner;
    hone::detail::CompileJob job;
    Done done;
  };

  cl_context buildContext();

  const cl_context context_;
  const cl_device_id device_;
  const std::uint64_t localMemoryBytes_;
  OwnedContext ownContext_;  // step()'s own
  mutable std::mutex mutex_;
  std::condition_variable stepDone_;
  std::deque<Entry> queue_;
  const void* building_ = nullptr;  // the owner of the job that is being built
};

}  // namespace hone::opencl::detail
