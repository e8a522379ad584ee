#include "compile/protocol.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <string>

namespace hone::detail {
namespace {

CompileJob fullJob() {
  CompileJob job;
  job.source = std::string("kernel void k() { \0\xff\n }", 24);  // any bytes: comments are in any encoding
  job.options = "-D A=1 -I \"a b\"";
  job.kernel = "k";
  job.folder = "/some/where";
  WarmUp launch;
  launch.dimensions = 2;
  launch.offset = {1, 2, 0};
  launch.global = {std::size_t{1} << 40, 16, 1};
  launch.local = {8, 4, 1};
  launch.hasLocal = true;
  launch.arguments = {{ArgumentShape::Kind::scalar, 4, {1, 0, 255, 3}},
                      {ArgumentShape::Kind::buffer, std::size_t{5} << 30, {}},
                      {ArgumentShape::Kind::local, 64, {}},
                      {ArgumentShape::Kind::null, 0, {}}};
  job.warmUp = launch;
  job.blindWarmUp = {true};
  return job;
}

CompileResult fullResult() {
  CompileResult result;
  result.binary = {0, 1, 2, 255, 0};
  result.log = "warning: unused";
  result.death = CompileResult::Death::warmingUp;
  result.buildTime = std::chrono::milliseconds(1500);
  result.warmUpTime = std::chrono::nanoseconds(7);
  result.notice = "by the way";
  return result;
}

std::optional<Message> decoded(const std::string& bytes) {
  MessageReader reader;
  reader.append(bytes.data(), bytes.size());
  return reader.next();
}

template <class Kind>
Kind roundTrip(const Kind& message) {
  const std::optional<Message> read = decoded(encode(message));
  EXPECT_TRUE(read && std::holds_alternative<Kind>(*read));
  return std::get<Kind>(*read);
}

std::string refusalOf(const std::string& bytes) {
  try {
    return decoded(bytes) ? "a message" : "nothing yet";
  } catch (const ProtocolError& error) {
    return error.what();
  }
}

TEST(Protocol, EveryMessageComesBackAsItWas) {
  const Hello hello = roundTrip(Hello{"pci:0000:01:00.0 Card", -3});
  EXPECT_EQ(hello.device, "pci:0000:01:00.0 Card");
  EXPECT_EQ(hello.niceness, -3);
  roundTrip(Ready{});
  EXPECT_EQ(roundTrip(Refusal{"no memory"}).reason, "no memory");
  EXPECT_EQ(roundTrip(BuildRequest{fullJob()}).job, fullJob());
  roundTrip(Warming{});
  EXPECT_EQ(roundTrip(BuildAnswer{fullResult()}).result, fullResult());
}

TEST(Protocol, EmptyJobsAndResultsComeBackAsTheyWere) {
  EXPECT_EQ(roundTrip(BuildRequest{}).job, CompileJob{});
  EXPECT_EQ(roundTrip(BuildAnswer{}).result, CompileResult{});
}

TEST(Protocol, MessagesCanComeByteByByte) {
  const std::string bytes = encode(Refusal{"one"}) + encode(Ready{}) + encode(Refusal{"two"});
  MessageReader reader;
  std::string reasons;
  int ready = 0;
  for (const char byte : bytes) {
    reader.append(&byte, 1);
    while (const std::optional<Message> message = reader.next()) {
      if (const auto* refusal = std::get_if<Refusal>(&*message)) reasons += refusal->reason;
      ready += std::holds_alternative<Ready>(*message) ? 1 : 0;
    }
  }
  EXPECT_EQ(reasons, "onetwo");
  EXPECT_EQ(ready, 1);
}

TEST(Protocol, PartOfAMessageIsNoneYet) {
  const std::string bytes = encode(BuildRequest{fullJob()});
  for (std::size_t length = 0; length < bytes.size(); ++length)
    ASSERT_EQ(refusalOf(bytes.substr(0, length)), "nothing yet") << length;
}

TEST(Protocol, OtherVersionsAreNamed) {
  std::string bytes = encode(Ready{});
  bytes[4] = 7;
  EXPECT_EQ(refusalOf(bytes), "it speaks version 7 of the protocol, this library 1");
}

TEST(Protocol, WhatIsNotTheProtocolIsRefusedAtTheFirst16Bytes) {
  EXPECT_EQ(refusalOf("Segmentation fault"), "it does not speak the protocol");
  std::string bytes = encode(Ready{});
  bytes[6] = 99;
  EXPECT_EQ(refusalOf(bytes), "there is no message 99");
}

TEST(Protocol, ImpossibleLengthsAreRefusedBeforeTheyAreWaitedFor) {
  std::string bytes = encode(Ready{});
  const std::uint64_t length = kMaximumPayload + 1;
  std::memcpy(&bytes[8], &length, sizeof(length));
  EXPECT_EQ(refusalOf(bytes), "a message of 268435457 bytes");
}

/// A frame around another message's payload, or around no payload at all.
std::string frame(const Message& kind, const std::string& payload) {
  std::string bytes = encode(kind).substr(0, 16);
  const std::uint64_t length = payload.size();
  std::memcpy(&bytes[8], &length, sizeof(length));
  return bytes + payload;
}

TEST(Protocol, PayloadsThatMakeNoSenseAreRefused) {
  const std::string ready = encode(Ready{}).substr(16);
  for (const Message& kind : {Message(Hello{}), Message(Refusal{}), Message(BuildRequest{}), Message(BuildAnswer{})}) {
    EXPECT_EQ(refusalOf(frame(kind, ready)).substr(0, 29), "a message that cannot be read") << kind.index();
    EXPECT_EQ(refusalOf(frame(kind, "\xff\x00\x13garbage")).substr(0, 29), "a message that cannot be read");
    EXPECT_EQ(refusalOf(frame(kind, "")).substr(0, 29), "a message that cannot be read");
  }
}

TEST(Protocol, NoFlippedByteMakesAReaderCrash) {
  const std::string bytes = encode(BuildRequest{fullJob()});
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      const std::string reason = refusalOf(flipped);
      refused += reason != "a message" && reason != "nothing yet" ? 1 : 0;
    }
  }
  EXPECT_GT(refused, 100);  // others change a text, or a length, for which more bytes would be waited for
}

TEST(Protocol, WarmUpsOfNoOrFourDimensionsAreRefused) {
  for (unsigned dimensions : {0u, 4u}) {
    CompileJob job = fullJob();
    job.warmUp->dimensions = dimensions;
    EXPECT_EQ(refusalOf(encode(BuildRequest{job})), "a launch of " + std::to_string(dimensions) + " dimensions");
  }
}

}  // namespace
}  // namespace hone::detail
