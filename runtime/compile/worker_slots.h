// How the processes of a machine share the number of workers that a device may have.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "descriptor.h"

namespace hone::detail {

/// A slot is a name in the machine's abstract socket namespace: whoever binds it has the slot, copies of the descriptor
/// included, and the kernel frees it with the last copy, however its holder dies. No file is left behind and no folder
/// needed. Containers with a network of their own have slots of their own.

/// Takes the first free one of a device's slots; empty if all `count` are taken. Throws std::system_error where there
/// are no sockets.
std::optional<Descriptor> takeSlot(const std::string& device, std::size_t count);

}  // namespace hone::detail
