// Counts C++ heap allocations. Linking it replaces operator new of the whole program: its test is one of its own.
#pragma once

#include <cstddef>

namespace hone::test {

/// By the calling thread, so far: the driver's own threads are not the launch path.
std::size_t allocations();

}  // namespace hone::test
