#include "compile/worker_slots.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>

namespace hone::detail {

namespace {

/// "hone-worker 3 " and the device's end, where devices of one name differ. The first byte is 0: an abstract name.
std::string slotName(const std::string& device, std::size_t slot) {
  constexpr std::size_t kLongest = sizeof(sockaddr_un::sun_path);
  const std::string prefix = std::string(1, '\0') + "hone-worker " + std::to_string(slot) + " ";
  const std::size_t room = kLongest - prefix.size();
  return prefix + device.substr(device.size() - std::min(device.size(), room));
}

}  // namespace

std::optional<Descriptor> takeSlot(const std::string& device, std::size_t count) {
  for (std::size_t slot = 0; slot < count; ++slot) {
    Descriptor descriptor(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (descriptor.number() < 0) throw std::system_error(errno, std::generic_category(), "no socket for a slot");
    const std::string name = slotName(device, slot);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    if (bind(descriptor.number(), reinterpret_cast<const sockaddr*>(&address), size) == 0) return descriptor;
    if (errno != EADDRINUSE) throw std::system_error(errno, std::generic_category(), "no name for a slot");
  }
  return std::nullopt;
}

}  // namespace hone::detail
