// A configuration's compiled program, ready to be launched from several threads.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "opencl/handle.h"

namespace hone::opencl::detail {

/// Builds a program for one device. Throws Error with the build log if it does not compile.
OwnedProgram buildFromSource(cl_context context, cl_device_id device, const std::string& source,
                             const std::string& options);
OwnedProgram buildFromBinary(cl_context context, cl_device_id device, const std::vector<unsigned char>& binary,
                             const std::string& options);
/// Throws Error if the program has no such kernel.
OwnedKernel makeKernel(cl_program program, const std::string& name);

/// One program and a small pool of its kernel: clSetKernelArg is not thread-safe, so each launch has a cl_kernel of its
/// own from setting the arguments to the enqueue.
/// Thread safety: internally synchronised.
class Variant {
 public:
  /// Throws Error if the program has no kernel of that name.
  Variant(OwnedProgram program, std::string kernelName);

  /// How many arguments the kernel takes.
  cl_uint argumentCount() const { return argumentCount_; }

  /// A kernel for one launch.
  class Lease {
   public:
    explicit Lease(Variant& variant) : variant_(variant), kernel_(variant.take()) {}
    ~Lease() { variant_.giveBack(std::move(kernel_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    cl_kernel kernel() const { return kernel_.get(); }

   private:
    Variant& variant_;
    OwnedKernel kernel_;
  };

 private:
  OwnedKernel take();
  void giveBack(OwnedKernel kernel);

  const OwnedProgram program_;
  const std::string kernelName_;
  cl_uint argumentCount_ = 0;
  std::mutex mutex_;  // for the pool
  std::vector<OwnedKernel> idle_;
};

}  // namespace hone::opencl::detail
