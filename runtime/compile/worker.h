// One compile worker, as the pool sees it: the state of a conversation.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "compile/compile_service.h"
#include "compile/protocol.h"
#include "descriptor.h"
#include "fork_guard.h"

namespace hone::detail {

/// Never waits. Thread safety: externally synchronised.
class Worker {
 public:
  enum class State {
    starting,
    idle,
    building,
    refused,  // it ended before it was ready
    gone,     // it ended, or what it said made no sense
    stolen    // somebody closed the application's end of the socket
  };

  /// Greets the program at the other end.
  Worker(Descriptor socket, const Hello& hello);
  /// Ends the process, in the middle of a build as well; in a forked child, lets the parent have it.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  State state() const { return state_; }
  /// Why it refused or is gone.
  const std::string& reason() const { return reason_; }
  /// What it was doing with its job when it was heard last.
  CompileResult::Death wouldDie() const { return wouldDie_; }

  /// REQUIRES: idle
  void begin(const CompileJob& job);

  /// Treats it as one that has ended.
  void giveUp(const std::string& reason) { end(reason); }

  /// Sends and receives what can be; returns whether anything came or changed.
  bool exchange();
  /// The answer that has arrived, once.
  std::optional<CompileResult> takeAnswer() { return std::exchange(answer_, std::nullopt); }

  /// What to wait for: exchange() has something to do when this is readable,
  int socket() const { return socket_.number(); }
  /// and, where something is left to be sent, when it is writable.
  bool isSending() const { return !outgoing_.empty(); }

 private:
  bool send();
  bool receive();
  void take(const Message& message);
  void end(const std::string& reason);

  const ForkGuard forkGuard_;
  Descriptor socket_;
  State state_ = State::starting;
  CompileResult::Death wouldDie_ = CompileResult::Death::none;
  std::string reason_;
  std::string outgoing_;
  MessageReader reader_;
  std::optional<CompileResult> answer_;
};

}  // namespace hone::detail
