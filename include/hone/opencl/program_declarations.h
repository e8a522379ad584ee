// What TunedProgram and TunedKernel have in common: OpenCL C that is compiled for each configuration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hone/api.h"
#include "hone/declarations.h"
#include "hone/opencl/runtime.h"
#include "hone/options.h"

namespace hone::opencl {

namespace detail {
class KernelPlan;
class ProgramTuner;
}  // namespace detail

/// Parameters become -D macros of the source.
/// Thread safety: settle() is internally synchronised; declarations are externally synchronised.
class HONE_API ProgramDeclarations : public Declarations {
 public:
  /// Compiler options for every variant, in addition to the macros: "-cl-mad-enable -I include".
  ProgramDeclarations& buildOptions(std::string options);
  /// A macro derived from parameters and problem sizes. A problem size in a macro makes problems for which it differs
  /// have variants of their own. Throws UsageError if the name is empty or taken.
  ProgramDeclarations& define(const std::string& name, const Expression& value);
  /// The bytes of local memory that a work-group uses; configurations beyond the device's limit are left out. Where
  /// several kernels use some, once for each.
  ProgramDeclarations& localMemory(const Expression& bytes);

  /// Ends the declarations and compiles the default, or what is pinned for all problems, unless a macro needs a problem
  /// size. The first launch does it otherwise. Throws UsageError if the declarations contradict each other or a pin
  /// does not fit to them, Error with the build log if the default does not compile.
  void build();

  /// Ends exploring for the problems launched so far: no candidate runs any more. In a final of at most 60 launches the
  /// default, the incumbent and those that came close to it run in turns; the winner runs from then on. Where a problem
  /// has settled already, incumbent and default are compared anew; where nothing is searched for (a pin, Mode::use),
  /// nothing happens.
  void settle();

 protected:
  /// `plan` is what is known of the launches; null where the program launches for itself.
  ProgramDeclarations(Runtime& runtime, std::string source, std::string name, std::unique_ptr<detail::KernelPlan> plan,
                      Options options);
  ~ProgramDeclarations();

  detail::ProgramTuner& tuner() const { return *tuner_; }

 private:
  std::unique_ptr<detail::ProgramTuner> tuner_;
};

}  // namespace hone::opencl
