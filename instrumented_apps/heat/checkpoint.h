// A simulation in a file, to go on from. The file holds a version, what simulation it is of, how far that has come, all
// temperatures, and a checksum over all of it.
//
//   if (auto checkpoint = loadCheckpoint(path)) ...
//   saveCheckpoint(path, checkpoint);
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heat/field.h"
#include "heat/grid.h"

namespace hone::apps::heat {

struct Checkpoint {
  Grid finest;                 // with `levels` what simulation it is of
  std::uint32_t levels = 1;    // grids from coarse to fine
  std::uint32_t level = 0;     // where it has come to, from 0
  std::uint64_t sections = 0;  // on this level
  std::uint64_t steps = 0;     // in all
  double time = 0;             // simulated, in all
  Field field;                 // of this level's grid
};

/// As many levels as a simulation can have.
inline constexpr std::uint32_t kMaximumLevels = 16;

/// Publishes by rename: whoever reads the file sees the old one or the new one, also where this process dies meanwhile.
/// Throws InputError, naming the file, if it cannot be written.
void saveCheckpoint(const std::string& path, const Checkpoint& checkpoint);

/// Empty where there is no such file. Throws InputError, naming the file, if it cannot be read, is no checkpoint, is
/// one of another version, or is damaged.
std::optional<Checkpoint> loadCheckpoint(const std::string& path);

/// Throws InputError where saveCheckpoint() would, as far as that is known before.
void requireCheckpointWritable(const std::string& path);

}  // namespace hone::apps::heat
