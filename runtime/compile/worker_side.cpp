#include "compile/worker_side.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>
#include <thread>

#include "compile/protocol.h"
#include "compile/worker_process.h"

namespace hone::detail {

namespace {

// The pool ends idle workers after 10 s. This one is for a forked child of the application that holds the socket open.
constexpr int kIdleLimitMs = 60'000;

// Of a build log; a compiler that is flooded with errors writes megabytes, and a person reads the beginning.
constexpr std::size_t kLongestLog = std::size_t{64} << 10;

/// Ends the worker and what its compiler has started, a linker for example.
[[noreturn]] void endAll() {
  if (getpgrp() == getpid()) kill(0, SIGKILL);
  _exit(1);
}

/// The application's process, readable once it has ended; -1 where the kernel has no such descriptors (before 5.3).
int openPeer(int socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, peer.pid, 0u));  // closes itself on exec
#else
  return -1;
#endif
}

/// Waits until the application is gone. Its death closes the socket, unless a child that it forked holds a copy.
[[noreturn]] void watchApplication(int socket) {
  pollfd watched[2] = {{socket, POLLRDHUP, 0}, {openPeer(socket), POLLIN, 0}};
  while (poll(watched, 2, -1) < 0 && errno == EINTR) {
  }
  endAll();
}

/// The messages of the other end.
class Channel {
 public:
  explicit Channel(int socket) : socket_(socket) {}

  void send(const Message& message) {
    const std::string frame = encode(message);
    for (std::size_t sent = 0; sent < frame.size();) {
      const ssize_t count = ::send(socket_, frame.data() + sent, frame.size() - sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EINTR) endAll();
      sent += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
  }

  /// Empty when the application is gone, or wants nothing any more. Throws ProtocolError.
  std::optional<Message> receive() {
    for (;;) {
      if (std::optional<Message> message = reader_.next()) return message;
      pollfd waited{socket_, POLLIN, 0};
      const int ready = poll(&waited, 1, kIdleLimitMs);
      if (ready == 0) return std::nullopt;
      if (ready < 0 && errno == EINTR) continue;
      char bytes[65536];
      const ssize_t count = recv(socket_, bytes, sizeof(bytes), 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      reader_.append(bytes, static_cast<std::size_t>(count));
    }
  }

 private:
  const int socket_;
  MessageReader reader_;
};

/// Moves the socket away from the standard input, and keeps it and what else was given from what a compiler starts.
int takeSocket() {
  const int socket = fcntl(kWorkerSocket, F_DUPFD_CLOEXEC, kWorkerKept + 1);
  const int nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (socket < 0 || nowhere < 0 || dup2(nowhere, kWorkerSocket) < 0) return -1;
  fcntl(kWorkerKept, F_SETFD, FD_CLOEXEC);
  return socket;
}

CompileResult answerTo(const CompileJob& job, JobBuilder& builder, Channel& channel) {
  CompileResult result;
  if (!job.folder.empty() && chdir(job.folder.c_str()) != 0) {
    result.log = "the working directory " + job.folder + " cannot be entered";
    return result;
  }
  result = builder.build(job, [&] { channel.send(Warming{}); });
  if (result.log.size() > kLongestLog) {
    result.log.resize(kLongestLog);
    result.log += "\n[the rest is left out]";
  }
  return result;
}

void serveOn(Channel& channel, const OpenBuilder& open) {
  std::unique_ptr<JobBuilder> builder;
  while (const std::optional<Message> message = channel.receive()) {
    if (const auto* hello = std::get_if<Hello>(&*message)) {
      // Before the driver starts its threads, which inherit it. That less is refused does no harm.
      [[maybe_unused]] const int niceness = nice(hello->niceness);
      builder = open(hello->device);
      channel.send(Ready{});
    } else if (const auto* request = std::get_if<BuildRequest>(&*message)) {
      if (!builder) throw ProtocolError("a job came before the device");
      channel.send(BuildAnswer{answerTo(request->job, *builder, channel)});
    } else {
      throw ProtocolError("a message that is not for workers");
    }
  }
}

}  // namespace

int serve(const OpenBuilder& open) {
  const int socket = takeSocket();
  struct stat status {};
  if (socket < 0 || fstat(socket, &status) != 0 || !S_ISSOCK(status.st_mode)) return 2;  // started by hand
  // So that all can be ended at once. A session of its own would be a group of its own to the scheduler, which shares
  // the processor evenly among such groups, whatever their priority (autogroups).
  setpgid(0, 0);
  Channel channel(socket);
  try {
    std::thread(watchApplication, socket).detach();
    serveOn(channel, open);
  } catch (const std::exception& error) {
    channel.send(Refusal{error.what()});
  }
  endAll();  // no destructors: a driver that is taken down while its threads run crashes now and then
}

}  // namespace hone::detail
