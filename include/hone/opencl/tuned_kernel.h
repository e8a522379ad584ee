// An object in place of the cl_kernel.
//
//   hone::opencl::TunedKernel gemm(runtime, source, "gemm");
//   auto [M, N, K] = gemm.problem("M", "N", "K");
//   auto MWG = gemm.addParameter("MWG", {16, 32, 64, 128}, 64);
//   ...
//   gemm.build();
//   hone::opencl::Event done = gemm(queue, {m, n, k}, m, n, k, a, b, c);
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "hone/api.h"
#include "hone/opencl/event.h"
#include "hone/opencl/launch.h"
#include "hone/opencl/program_declarations.h"
#include "hone/report.h"

namespace hone::opencl {

/// A kernel that tunes itself: an object in place of the cl_kernel.
///
/// Parameters become -D macros. Each launch runs a configuration that is compiled already: the best one known, or a
/// candidate. A candidate that fails to build or to launch costs the caller nothing: another variant does the launch,
/// in the same call.
///
/// Costs are device times. Where the queue has no profiling, sampled launches - all while exploring, few once settled -
/// run on a queue of the runtime's own, between a marker and a barrier on the application's queue, so that order,
/// events and clFinish are as ever; what another thread enqueues to the same queue at that moment may run beside the
/// launch. Where the driver refuses any of that, the launch is done unmeasured.
/// Thread safety: launches and report() are internally synchronised; declarations are externally synchronised.
class HONE_API TunedKernel : public ProgramDeclarations {
 public:
  /// `source` is OpenCL C, `kernelName` the kernel in it; pins call the TunedKernel by that name. Throws UsageError for
  /// a binary, for an unknown strategy, for something in the environment that cannot be understood, or for a log that
  /// cannot be opened.
  TunedKernel(Runtime& runtime, std::string source, std::string kernelName, Options options = {});
  ~TunedKernel();

  /// The global and the local work size, in 1 to 3 dimensions. Without local(), the OpenCL implementation chooses.
  /// Configurations that the device's limits exclude are left out. So are those whose local size does not divide the
  /// global size, unless the device has non-uniform work-groups and the build options contain -cl-std=CL2.0 or later.
  template <class... Expressions>
  TunedKernel& global(const Expressions&... sizes) {
    static_assert(sizeof...(sizes) >= 1 && sizeof...(sizes) <= 3, "1 to 3 dimensions");
    return setGlobal({Expression(sizes)...});
  }
  template <class... Expressions>
  TunedKernel& local(const Expressions&... sizes) {
    static_assert(sizeof...(sizes) >= 1 && sizeof...(sizes) <= 3, "1 to 3 dimensions");
    return setLocal({Expression(sizes)...});
  }
  /// Allows only configurations with as many work-groups as the device has compute units, or more: with fewer, some
  /// idle. Without it, such candidates are tried too, though after others that are proposed together with them. build()
  /// throws UsageError if there is no local size or, as for each constraint that reads no problem size, if the default
  /// has fewer.
  TunedKernel& requireEnoughWorkGroups();

  /// Launches the kernel; the event is the launch's. `problem` gives the declared problem sizes in order.
  /// Throws UsageError for a queue of another context or device, or for a wrong number of problem sizes or arguments;
  /// Error if the default itself cannot be launched with these arguments.
  template <class... Arguments>
  Event operator()(const Launch& launch, std::initializer_list<Size> problem, const Arguments&... arguments) {
    const std::array<Argument, sizeof...(Arguments)> list{Argument::of(arguments)...};
    return run(launch, problem, list.data(), list.size());
  }

  /// Throws UsageError if the problem was never launched.
  Report report(std::initializer_list<Size> problem) const;

 private:
  TunedKernel& setGlobal(std::vector<Expression> sizes);
  TunedKernel& setLocal(std::vector<Expression> sizes);
  Event run(const Launch& launch, std::initializer_list<Size> problem, const Argument* arguments, std::size_t count);
};

}  // namespace hone::opencl
