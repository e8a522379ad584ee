// How many workers there may be.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hone::detail {

/// A quarter of the cores, so that the application keeps the others; at most 8, with which an H200's driver compiles 33
/// variants a second, more than any search asks for; and as many as hold their device contexts in 5 % of the device's
/// memory. At least 1.
std::size_t workersFor(std::size_t cores, std::uint64_t deviceBytes);

/// The machine's cores, and those that this process may use.
std::size_t machineCores();
std::size_t ownCores();

}  // namespace hone::detail
