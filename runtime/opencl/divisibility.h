// Where an implementation accepts only global sizes that the local size divides.
#pragma once

#include <string>
#include <vector>

#include "hone/declarations.h"
#include "hone/opencl/device_facts.h"

namespace hone::opencl::detail {

/// Whether launches of a program that is built with these options need global sizes that the local size divides: on
/// devices without non-uniform work-groups, in programs for less than OpenCL C 2.0 (so they are without -cl-std), and
/// with -cl-uniform-work-group-size.
bool needsUniformWorkGroups(const DeviceFacts& facts, const std::string& buildOptions);

/// Whether the expressions alone tell that `divisor` divides `number`, whatever the configuration, as it does in
/// ceilDiv(N, WG) * WG. False: they do not tell.
bool isMultiple(const Expression& number, const Expression& divisor);

/// Requires `global % local == 0` in each dimension where it is not plain from the expressions. Like every constraint
/// it restricts candidates only where it reads problem sizes. Where it reads none and the default violates it, it is
/// left out: a default that can be launched nevertheless stays what it is.
/// REQUIRES: as many local as global sizes
void requireUniformWorkGroups(const std::vector<Expression>& global, const std::vector<Expression>& local,
                              Declarations& declarations);

}  // namespace hone::opencl::detail
