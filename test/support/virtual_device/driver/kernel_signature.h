// The kernels of a program, found in its source: their names, their arguments and the work-group that they require.
// What the bodies do is not looked at.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "support/virtual_device/kernel_call.h"

namespace hone::test::driver {

struct KernelArgument {
  ArgumentKind kind = ArgumentKind::scalar;
  std::string type;  // "float*"
  std::string name;
  bool isConst = false;  // what it points to
  bool isConstantSpace = false;
  std::size_t bytes = 0;  // of a scalar of a built-in type; 0: unknown
};

struct KernelSignature {
  std::string name;
  std::vector<KernelArgument> arguments;
  std::array<std::size_t, 3> requiredWorkGroup{};  // 0: none
};

/// Whether the preprocessed source can be a program, and its kernels.
struct ScannedProgram {
  std::vector<KernelSignature> kernels;
  std::string error;  // empty: none
};

ScannedProgram scanKernels(const std::string& preprocessed);

}  // namespace hone::test::driver
