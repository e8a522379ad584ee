// Bytes behind a buffer's end that nobody may write.
#pragma once

#include "support/virtual_device/driver/objects.h"

namespace hone::test::driver {

constexpr std::size_t kGuardBytes = 128;  // the largest built-in type, a double16

/// True of memory that has no guard: sub-buffers, and the host's own.
bool isGuardIntact(const Memory& memory);
void repairGuard(Memory& memory);

}  // namespace hone::test::driver
