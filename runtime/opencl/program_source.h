// What is compiled for each configuration: source, options and macros.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hone/expression.h"
#include "space/declaration_data.h"

namespace hone::opencl::detail {

struct ProgramSource {
  std::string text;                                        // OpenCL C
  std::string options;                                     // the user's, without macros
  std::vector<std::pair<std::string, Expression>> macros;  // derived ones

  bool doMacrosReadProblem() const;

  /// The compiler options of a variant: two configurations with equal options are the same variant.
  /// Throws UsageError if a derived macro has no value.
  std::string optionsFor(const hone::detail::DeclarationData& declarations, const std::int64_t* configuration,
                         const std::int64_t* problem) const;
};

}  // namespace hone::opencl::detail
