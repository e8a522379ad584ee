// A configuration's compiled program, ready to be launched from several threads.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "opencl/handle.h"
#include "opencl/kernel_limits.h"

namespace hone::opencl::detail {

/// Builds a program for one device. Throws Error with the build log if it does not compile.
OwnedProgram buildFromSource(cl_context context, cl_device_id device, const std::string& source,
                             const std::string& options);
OwnedProgram buildFromBinary(cl_context context, cl_device_id device, const std::vector<unsigned char>& binary,
                             const std::string& options);
/// Throws Error if the program has no such kernel.
OwnedKernel makeKernel(cl_program program, const std::string& name);
/// The names of a built program's kernels, in the driver's order. Throws Error if there are none.
std::vector<std::string> kernelNamesOf(cl_program program);

/// One kernel object for each of a program's kernels: what one launch, or one measurement, has for itself.
struct KernelSet {
  std::vector<OwnedKernel> kernels;  // in the order of Variant::kernelNames()
};

/// One program and a small pool of its kernels: clSetKernelArg is not thread-safe, so each launch has a cl_kernel of
/// its own from setting the arguments to the enqueue.
/// Thread safety: internally synchronised.
class Variant {
 public:
  /// `kernelName` is the one kernel that is launched; empty: all that the program has. Throws Error if the program has
  /// no kernel of that name, or none at all. REQUIRES: the program was built for the device
  Variant(OwnedProgram program, cl_device_id device, const std::string& kernelName);

  const std::vector<std::string>& kernelNames() const { return kernelNames_; }
  /// In the order of kernelNames().
  const std::vector<KernelLimits>& limits() const { return limits_; }
  /// How many arguments the first kernel takes.
  cl_uint argumentCount() const { return argumentCount_; }

  /// The kernels for one launch. Throws Error if the driver cannot make another set.
  std::unique_ptr<KernelSet> take();
  void giveBack(std::unique_ptr<KernelSet> set);

  /// take() and giveBack() for a scope.
  class Lease {
   public:
    explicit Lease(Variant& variant) : variant_(variant), set_(variant.take()) {}
    ~Lease() { variant_.giveBack(std::move(set_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    cl_kernel kernel() const { return set_->kernels[0].get(); }

   private:
    Variant& variant_;
    std::unique_ptr<KernelSet> set_;
  };

 private:
  std::unique_ptr<KernelSet> makeSet() const;

  const OwnedProgram program_;
  const std::vector<std::string> kernelNames_;
  std::vector<KernelLimits> limits_;
  cl_uint argumentCount_ = 0;
  std::mutex mutex_;  // for the pool
  std::vector<std::unique_ptr<KernelSet>> idle_;
};

}  // namespace hone::opencl::detail
