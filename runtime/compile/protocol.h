// What an application and a compile worker say to each other, as bytes. A pure codec: no descriptor, process or clock.
//
//   send(encode(BuildRequest{job}));
//   reader.append(received);
//   while (std::optional<Message> message = reader.next()) ...
//
// A frame is a header of 16 bytes - "HONE", version (2 bytes), kind (2), payload (8) - and so many bytes of payload,
// which is CBOR (RFC 8949). Numbers of the header are in the machine's order: both ends are on it. Magic and version
// stand where they stand in all versions to come.
//
//   application              worker
//   Hello{device, ...}  ->
//                       <-   Ready{}, or Refusal{reason} and the end
//   BuildRequest{job}   ->
//                       <-   Warming{} where the kernel is going to be launched
//                       <-   BuildAnswer{result}
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>

#include "compile/compile_service.h"

namespace hone::detail {

constexpr std::uint16_t kProtocolVersion = 1;

/// Of a payload. Binaries of kernels have 0.1 to 1 MB; whoever announces more than this is not one of us.
constexpr std::size_t kMaximumPayload = std::size_t{256} << 20;

struct Hello {
  std::string device;  // in opencl/'s words
  int niceness = 0;    // of the worker, beyond the application's
};
struct Ready {};
struct Refusal {
  std::string reason;
};
struct BuildRequest {
  CompileJob job;
};
struct Warming {};
struct BuildAnswer {
  CompileResult result;
};
using Message = std::variant<Hello, Ready, Refusal, BuildRequest, Warming, BuildAnswer>;

/// What was received is no message of this version.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string encode(const Message& message);

/// Puts messages together from bytes, in whatever pieces they come. Thread safety: externally synchronised.
class MessageReader {
 public:
  void append(const char* bytes, std::size_t count) { received_.append(bytes, count); }

  /// Empty until the next message is complete. Throws ProtocolError as soon as it is clear that none is coming; the
  /// reader is of no use afterwards.
  std::optional<Message> next();

 private:
  std::string received_;
};

}  // namespace hone::detail
