// What a TunedKernel declares beyond parameters and constraints: source, macros and geometry; and what they become for
// one configuration and problem.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hone/opencl.h"
#include "space/declaration_data.h"

namespace hone::opencl::detail {

/// A configuration's launch geometry.
struct Geometry {
  cl_uint dimensions = 0;
  std::array<std::size_t, 3> global{};
  std::array<std::size_t, 3> local{};
  bool hasLocal = false;
};

/// The value of an expression that a launch needs. Throws UsageError, naming `what`, if there is none or if it is
/// negative.
std::size_t sizeFrom(const Expression& expression, const std::int64_t* configuration, const std::int64_t* problem,
                     const std::string& what);

struct KernelDeclaration {
  std::string source;
  std::string kernelName;
  std::string buildOptions;
  std::vector<std::pair<std::string, Expression>> macros;  // derived ones
  std::vector<Expression> global;
  std::vector<Expression> local;
  std::optional<Expression> localMemory;

  /// Adds the device's limits to the constraints. Throws UsageError if the geometry is incomplete or if a macro has the
  /// name of a parameter.
  void complete(cl_device_id device, Declarations& declarations) const;

  bool doMacrosReadProblem() const;

  /// The compiler options of a variant: two configurations with equal options are the same variant.
  /// Throws UsageError if a derived macro has no value.
  std::string optionsFor(const hone::detail::DeclarationData& declarations, const std::int64_t* configuration,
                         const std::int64_t* problem) const;

  /// Throws UsageError if a size has no value or is 0.
  Geometry geometryFor(const std::int64_t* configuration, const std::int64_t* problem) const;
};

}  // namespace hone::opencl::detail
