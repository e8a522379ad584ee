#include "compile/protocol.h"

#include <cstring>
#include <nlohmann/json.hpp>

namespace hone::detail {

namespace {

using Json = nlohmann::json;

constexpr char kMagic[4] = {'H', 'O', 'N', 'E'};

struct Header {
  char magic[4];
  std::uint16_t version;
  std::uint16_t kind;  // the message's index in the variant
  std::uint64_t payloadBytes;
};
static_assert(sizeof(Header) == 16);

// ---- payloads

Json bytes(const std::vector<unsigned char>& contents) { return Json::binary(contents); }

std::vector<unsigned char> bytesOf(const Json& json) { return json.get_binary(); }

template <class Enum>
Enum enumOf(const Json& json, Enum last) {
  const auto value = json.get<std::uint32_t>();
  if (value > static_cast<std::uint32_t>(last)) throw ProtocolError("there is no case " + std::to_string(value));
  return static_cast<Enum>(value);
}

Json toJson(const ArgumentShape& shape) {
  return {{"kind", shape.kind}, {"bytes", shape.bytes}, {"contents", bytes(shape.contents)}};
}

ArgumentShape argumentFrom(const Json& json) {
  return {enumOf(json.at("kind"), ArgumentShape::Kind::null), json.at("bytes").get<std::size_t>(),
          bytesOf(json.at("contents"))};
}

Json toJson(const WarmUp& launch) {
  Json arguments = Json::array();
  for (const ArgumentShape& shape : launch.arguments) arguments.push_back(toJson(shape));
  return {{"dimensions", launch.dimensions}, {"offset", launch.offset},     {"global", launch.global},
          {"local", launch.local},           {"hasLocal", launch.hasLocal}, {"arguments", std::move(arguments)}};
}

WarmUp warmUpFrom(const Json& json) {
  WarmUp launch;
  launch.dimensions = json.at("dimensions").get<unsigned>();
  if (launch.dimensions < 1 || launch.dimensions > 3)
    throw ProtocolError("a launch of " + std::to_string(launch.dimensions) + " dimensions");
  json.at("offset").get_to(launch.offset);
  json.at("global").get_to(launch.global);
  json.at("local").get_to(launch.local);
  json.at("hasLocal").get_to(launch.hasLocal);
  for (const Json& shape : json.at("arguments")) launch.arguments.push_back(argumentFrom(shape));
  return launch;
}

Json payloadOf(const Hello& hello) { return {{"device", hello.device}, {"niceness", hello.niceness}}; }
Json payloadOf(const Ready&) { return Json::object(); }
Json payloadOf(const Refusal& refusal) { return {{"reason", refusal.reason}}; }
Json payloadOf(const Warming&) { return Json::object(); }

Json payloadOf(const BuildRequest& request) {
  const CompileJob& job = request.job;
  Json json = {{"source", job.source}, {"options", job.options}, {"kernel", job.kernel}, {"folder", job.folder}};
  if (job.warmUp) json["warmUp"] = toJson(*job.warmUp);
  if (job.blindWarmUp) json["isGridLarge"] = job.blindWarmUp->isGridLarge;
  return json;
}

Json payloadOf(const BuildAnswer& answer) {
  const CompileResult& result = answer.result;
  return {{"binary", bytes(result.binary)},
          {"log", result.log},
          {"death", result.death},
          {"notice", result.notice},
          {"buildNs", result.buildTime.count()},
          {"warmUpNs", result.warmUpTime.count()}};
}

void readPayload(const Json& json, Hello& hello) {
  json.at("device").get_to(hello.device);
  json.at("niceness").get_to(hello.niceness);
}
void readPayload(const Json&, Ready&) {}
void readPayload(const Json& json, Refusal& refusal) { json.at("reason").get_to(refusal.reason); }
void readPayload(const Json&, Warming&) {}

void readPayload(const Json& json, BuildRequest& request) {
  CompileJob& job = request.job;
  json.at("source").get_to(job.source);
  json.at("options").get_to(job.options);
  json.at("kernel").get_to(job.kernel);
  json.at("folder").get_to(job.folder);
  if (json.contains("warmUp")) job.warmUp = warmUpFrom(json.at("warmUp"));
  if (json.contains("isGridLarge")) job.blindWarmUp = {json.at("isGridLarge").get<bool>()};
}

void readPayload(const Json& json, BuildAnswer& answer) {
  CompileResult& result = answer.result;
  result.binary = bytesOf(json.at("binary"));
  json.at("log").get_to(result.log);
  result.death = enumOf(json.at("death"), CompileResult::Death::warmingUp);
  json.at("notice").get_to(result.notice);
  result.buildTime = std::chrono::nanoseconds(json.at("buildNs").get<std::int64_t>());
  result.warmUpTime = std::chrono::nanoseconds(json.at("warmUpNs").get<std::int64_t>());
}

// ---- messages

/// The variant's alternative number `kind`. REQUIRES: there is one
template <std::size_t index = 0>
Message alternative(std::size_t kind) {
  if constexpr (index + 1 < std::variant_size_v<Message>) {
    if (kind != index) return alternative<index + 1>(kind);
  }
  return std::variant_alternative_t<index, Message>{};
}

/// Throws ProtocolError unless the header is one of this version's.
void check(const Header& header) {
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) throw ProtocolError("it does not speak the protocol");
  if (header.version != kProtocolVersion) {
    throw ProtocolError("it speaks version " + std::to_string(header.version) + " of the protocol, this library " +
                        std::to_string(kProtocolVersion));
  }
  if (header.kind >= std::variant_size_v<Message>)
    throw ProtocolError("there is no message " + std::to_string(header.kind));
  if (header.payloadBytes > kMaximumPayload)
    throw ProtocolError("a message of " + std::to_string(header.payloadBytes) + " bytes");
}

}  // namespace

std::string encode(const Message& message) {
  const Json payload = std::visit([](const auto& one) { return payloadOf(one); }, message);
  std::string frame(sizeof(Header), '\0');
  Json::to_cbor(payload, nlohmann::detail::output_adapter<char>(frame));
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kProtocolVersion;
  header.kind = static_cast<std::uint16_t>(message.index());
  header.payloadBytes = frame.size() - sizeof(Header);
  std::memcpy(frame.data(), &header, sizeof(header));
  return frame;
}

std::optional<Message> MessageReader::next() {
  Header header;
  if (received_.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, received_.data(), sizeof(header));
  check(header);
  const auto payloadBytes = static_cast<std::size_t>(header.payloadBytes);
  if (received_.size() - sizeof(header) < payloadBytes) return std::nullopt;
  Message message = alternative(header.kind);
  try {
    const char* begin = received_.data() + sizeof(header);
    const Json payload = Json::from_cbor(begin, begin + payloadBytes);
    std::visit([&](auto& one) { readPayload(payload, one); }, message);
  } catch (const Json::exception& error) {
    throw ProtocolError(std::string("a message that cannot be read: ") + error.what());
  }
  received_.erase(0, sizeof(header) + payloadBytes);
  return message;
}

}  // namespace hone::detail
