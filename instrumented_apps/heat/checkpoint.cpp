#include "heat/checkpoint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "errors.h"
#include "problem_size.h"

namespace hone::apps::heat {

namespace {

constexpr std::array<char, 8> kMagic{'h', 'o', 'n', 'e', 'h', 'e', 'a', 't'};
constexpr std::uint32_t kVersion = 1;

// In the machine's own byte order: where it is another one, the version is.
struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t dimensions = 0;
  std::array<std::int64_t, 3> cells{};
  std::uint32_t levels = 0;
  std::uint32_t level = 0;
  std::uint64_t sections = 0;
  std::uint64_t steps = 0;
  double time = 0;
};
static_assert(sizeof(Header) == 72, "no padding, which would hold anything");

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError("--checkpoint '" + path + "': " + what);
}

[[noreturn]] void failToWrite(const std::string& path, int reason) {
  fail(path, std::string("cannot write: ") + std::strerror(reason));
}

std::string newName(const std::string& path) { return path + ".new"; }

std::uint64_t checksum(const Header& header, const Field& field) {
  XXH64_state_t state;
  XXH64_reset(&state, 0);
  XXH64_update(&state, &header, sizeof(header));
  XXH64_update(&state, field.data(), field.size() * sizeof(float));
  return XXH64_digest(&state);
}

bool isPossible(const Header& header) {
  const auto isSize = [](std::int64_t cells) { return cells >= 1 && cells <= kMaximumSize; };
  return (header.dimensions == 2 || header.dimensions == 3) &&
         std::all_of(header.cells.begin(), header.cells.end(), isSize) && header.levels >= 1 &&
         header.levels <= kMaximumLevels && header.level < header.levels;
}

Grid levelGrid(const Grid& finest, std::uint32_t levels, std::uint32_t level) {
  return levelsUpTo(finest, levels).at(level);
}

}  // namespace

void saveCheckpoint(const std::string& path, const Checkpoint& checkpoint) {
  Header header;
  header.dimensions = static_cast<std::uint32_t>(checkpoint.finest.dimensions);
  header.cells = checkpoint.finest.cells;
  header.levels = checkpoint.levels;
  header.level = checkpoint.level;
  header.sections = checkpoint.sections;
  header.steps = checkpoint.steps;
  header.time = checkpoint.time;
  const std::uint64_t sum = checksum(header, checkpoint.field);
  const auto bytes = [](const auto& value) { return reinterpret_cast<const char*>(&value); };
  errno = 0;
  {
    std::ofstream file(newName(path), std::ios::binary | std::ios::trunc);
    file.write(bytes(header), sizeof(header));
    file.write(reinterpret_cast<const char*>(checkpoint.field.data()),
               static_cast<std::streamsize>(checkpoint.field.size() * sizeof(float)));
    file.write(bytes(sum), sizeof(sum));
    file.close();
    if (!file) failToWrite(path, errno);
  }
  if (std::rename(newName(path).c_str(), path.c_str()) != 0) failToWrite(path, errno);
}

std::optional<Checkpoint> loadCheckpoint(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, std::string("cannot read: ") + std::strerror(errno));

  const auto intoBytes = [](auto& value) { return reinterpret_cast<char*>(&value); };
  Header header;
  file.read(intoBytes(header), sizeof(header));
  if (static_cast<std::size_t>(file.gcount()) < sizeof(header.magic) || header.magic != kMagic)
    fail(path, "is no checkpoint of heat");
  if (!file) fail(path, "is damaged: it ends too early");
  if (header.version != kVersion)
    fail(path, "is of version " + std::to_string(header.version) + ", this program reads " + std::to_string(kVersion));
  if (!isPossible(header)) fail(path, "is damaged: no simulation has such sizes");

  Checkpoint checkpoint;
  checkpoint.finest = {static_cast<int>(header.dimensions), header.cells};
  checkpoint.levels = header.levels;
  checkpoint.level = header.level;
  checkpoint.sections = header.sections;
  checkpoint.steps = header.steps;
  checkpoint.time = header.time;
  const Grid grid = levelGrid(checkpoint.finest, header.levels, header.level);
  // Before memory is asked for.
  const double expectedBytes =
      sizeof(header) + sizeof(std::uint64_t) + sizeof(float) * static_cast<double>(grid.size());
  if (static_cast<double>(std::filesystem::file_size(path, error)) != expectedBytes)
    fail(path, "is damaged: it is not as long as it should be");
  checkpoint.field.resize(grid.size());
  file.read(reinterpret_cast<char*>(checkpoint.field.data()),
            static_cast<std::streamsize>(checkpoint.field.size() * sizeof(float)));
  std::uint64_t sum = 0;
  file.read(intoBytes(sum), sizeof(sum));
  if (!file || sum != checksum(header, checkpoint.field)) fail(path, "is damaged: its checksum is wrong");
  return checkpoint;
}

void requireCheckpointWritable(const std::string& path) {
  errno = 0;
  const std::ofstream file(newName(path), std::ios::app);
  if (!file) failToWrite(path, errno);
  std::error_code ignored;
  std::filesystem::remove(newName(path), ignored);
}

}  // namespace hone::apps::heat
