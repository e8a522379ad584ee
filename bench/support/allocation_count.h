// Counts the heap allocations that C++ code of the program makes. Linking allocation_count.cpp replaces operator new.
#pragma once

#include <cstddef>

namespace hone::bench {

/// Allocations by operator new since the program started, over all threads.
std::size_t allocationCount();

}  // namespace hone::bench
