#include "wake_channel.h"

#include <sys/socket.h>

namespace hone::detail {

WakeChannel::WakeChannel() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  waiting_ = Descriptor(ends[0]);
  signalling_ = Descriptor(ends[1]);
}

void WakeChannel::signal() {
  const char byte = 0;
  if (signalling_.isOurs()) send(signalling_.number(), &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace hone::detail
