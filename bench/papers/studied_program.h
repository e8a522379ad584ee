// The programs that the tables are about, and how much of each a device has to go through.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "workload.h"

namespace hone::bench {

/// What a problem and a space are chosen for: a GPU sweeps up to 5000 configurations, a CPU up to 150.
enum class Scale {
  quick,  // minutes on two cores
  cpu,
  gpu
};

struct StudiedProgram {
  std::string name;  // as metrics call it
  apps::Application application;
  std::vector<std::int64_t> problem;
  std::vector<apps::Restriction> restrictions;  // of candidates; the default is among what is left
  bool isSwept = true;                          // false: the space is too large
  std::map<std::string, std::string> own = {};  // options of the program alone, with their values

  /// The same on another problem.
  StudiedProgram on(std::vector<std::int64_t> other) const {
    StudiedProgram program = *this;
    program.problem = std::move(other);
    return program;
  }
};

/// All of them, in the order of the table.
std::vector<StudiedProgram> studiedPrograms(Scale scale);

}  // namespace hone::bench
