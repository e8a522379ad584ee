// What a builder has to know of a launch's arguments in order to warm a variant up.
#pragma once

#include <optional>
#include <vector>

#include "compile/compile_service.h"
#include "hone/opencl.h"

namespace hone::opencl::detail {

/// A `__local` argument's bytes for a configuration. Throws UsageError if its expression has no value or belongs to
/// other declarations.
std::size_t localBytesOf(const Argument& argument, const hone::detail::DeclarationData& declarations,
                         const std::int64_t* configuration, const std::int64_t* problem);

/// The kinds and sizes of the arguments, with the contents of scalars; local memory is left at 0 bytes, since it
/// depends on the configuration. Empty where an argument is an image or a sampler: variants of such kernels are not
/// warmed up.
std::optional<std::vector<hone::detail::ArgumentShape>> shapeOf(const Argument* arguments, std::size_t count);

}  // namespace hone::opencl::detail
