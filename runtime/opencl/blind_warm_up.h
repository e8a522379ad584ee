// Launches of kernels of whose arguments nothing is known, so that the driver compiles what it leaves to the first one.
//
// PoCL compiles a kernel for each size of work-group, once for small grids and once for large ones, when it is launched
// with it. What a program launches between start and stop of a measurement is its own affair; a kernel that requires
// its work-group's size (reqd_work_group_size) tells that much. Its numbers are zeros here, and its buffers are zeros
// as far as a kernel is likely to look: not the device's memory but addresses of which none is touched before. A kernel
// that looks farther crashes, and so does no harm to what its builder keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hone/opencl/handles.h"

namespace hone::opencl::detail {

/// Work-items in a dimension from which PoCL 3.1 compiles another function.
inline constexpr std::size_t kLargeGrid = 65536;

/// Launches each of the kernels that can be launched so, and waits for it: on a small grid and, where large ones are to
/// be expected and that does not take long, on one of these, too. Left out are those without a required size, and those
/// with arguments of which the driver does not tell the types, or that are neither buffers, local memory nor numbers.
/// What the driver refuses is left out, too. REQUIRES: a CPU device
void warmUpBlindly(cl_context context, cl_device_id device, std::uint64_t localMemoryBytes,
                   const std::vector<cl_kernel>& kernels, bool isGridLarge);

/// Bytes of a number or vector of OpenCL C, by its name: 16 for "float4". Empty for other types.
std::optional<std::size_t> sizeOfNumber(const std::string& type);

}  // namespace hone::opencl::detail
