#include "compile/worker.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace hone::detail {

using Death = CompileResult::Death;

Worker::Worker(Descriptor socket, const Hello& hello) : socket_(std::move(socket)), outgoing_(encode(hello)) {
  exchange();
}

Worker::~Worker() {
  // Closing would not do while another thread waits for the socket: poll() keeps it open.
  if (!forkGuard_.isForkedChild() && socket_.isOurs()) shutdown(socket_.number(), SHUT_RDWR);
}

void Worker::begin(const CompileJob& job) {
  outgoing_ += encode(BuildRequest{job});
  state_ = State::building;
  wouldDie_ = Death::building;
  exchange();
}

bool Worker::exchange() {
  if (state_ == State::refused || state_ == State::gone || state_ == State::stolen) return false;
  if (!socket_.isOurs()) {
    state_ = State::stolen;
    return true;
  }
  const bool hasSent = send();
  return receive() || hasSent;
}

/// Where the other end is gone, receive() finds out, after what it said last.
bool Worker::send() {
  if (outgoing_.empty()) return false;
  const ssize_t count = ::send(socket_.number(), outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count > 0) outgoing_.erase(0, static_cast<std::size_t>(count));
  return count > 0;
}

bool Worker::receive() {
  char bytes[65536];
  const ssize_t count = recv(socket_.number(), bytes, sizeof(bytes), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (count < 0) {
    end(std::strerror(errno));
  } else if (count == 0) {
    end("it ended");
  } else {
    try {
      reader_.append(bytes, static_cast<std::size_t>(count));
      while (const std::optional<Message> message = reader_.next()) take(*message);
    } catch (const ProtocolError& error) {
      end(error.what());
    }
  }
  return true;
}

void Worker::take(const Message& message) {
  if (const auto* refusal = std::get_if<Refusal>(&message)) {
    end(refusal->reason);
  } else if (std::holds_alternative<Ready>(message) && state_ == State::starting) {
    state_ = State::idle;
  } else if (std::holds_alternative<Warming>(message) && state_ == State::building) {
    wouldDie_ = Death::warmingUp;
  } else if (const auto* answer = std::get_if<BuildAnswer>(&message); answer && state_ == State::building) {
    answer_ = answer->result;
    state_ = State::idle;
    wouldDie_ = Death::none;
  } else {
    throw ProtocolError("a message that was not asked for");
  }
}

void Worker::end(const std::string& reason) {
  if (state_ == State::refused || state_ == State::gone) return;
  state_ = state_ == State::starting ? State::refused : State::gone;
  reason_ = reason;
}

}  // namespace hone::detail
