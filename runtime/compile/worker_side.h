// The worker's side of the socket: jobs in, results out, until the application is gone.
//
//   int main() {
//     return hone::detail::serve([](const std::string& device) { return std::make_unique<MyBuilder>(device); });
//   }
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "compile/compile_service.h"

namespace hone::detail {

/// Who compiles, in a worker.
class JobBuilder {
 public:
  virtual ~JobBuilder() = default;
  /// Never throws for a job that cannot be built. Calls `beforeWarming` before it launches the kernel.
  virtual CompileResult build(const CompileJob& job, const std::function<void()>& beforeWarming) = 0;
};

/// Makes the builder for a device; what it throws is the reason why there is no worker.
using OpenBuilder = std::function<std::unique_ptr<JobBuilder>(const std::string& device)>;

/// Serves the application at the other end of the standard input, at the priority that it asks for. Returns, with the
/// process's exit status, only where that is no socket: somebody has started the program by hand.
///
/// The process ends, with all that it has started, as soon as the application ends or closes its end, also in the
/// middle of a build; or after a while without a job, in case that somebody else holds the application's end open.
int serve(const OpenBuilder& open);

}  // namespace hone::detail
