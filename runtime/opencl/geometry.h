// A kernel's launch geometry: as declared, and as sizes for one configuration and problem.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hone/expression.h"
#include "hone/opencl/handles.h"

namespace hone::opencl::detail {

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

struct GeometryDeclaration {
  std::vector<Expression> global;
  std::vector<Expression> local;  // empty: the OpenCL implementation chooses

  /// Throws UsageError, naming the kernel, if there is no global size or if the dimensions differ.
  void checkComplete(const std::string& kernel) const;

  /// The number of work-groups. REQUIRES: complete, with a local size
  Expression workGroups() const;

  /// Throws UsageError, naming the kernel, if a size has no value or is 0.
  Geometry at(const std::int64_t* configuration, const std::int64_t* problem, const std::string& kernel) const;
};

}  // namespace hone::opencl::detail
