// The search space of the simulation: what can be chosen of heat.cl, where the meaning of each parameter stands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hone/opencl.hpp"
#include "section_space.h"

namespace hone::apps::heat {

/// The steps that are measured together: each FUSE divides them, so that each measurement is of the same work.
inline constexpr std::int64_t kSectionSteps = 12;

/// What heat.cl is compiled for and launched with; as it stands, the program's default.
struct Configuration {
  std::int64_t blockX = 16, blockY = 16, blockZ = 1;
  std::int64_t tileX = 16, tileY = 16, tileZ = 1;
  std::int64_t local = 0;
  std::int64_t fuse = 1;
};

/// What follows from a configuration, in each dimension.
struct LaunchSizes {
  std::array<std::size_t, 3> local;   // work-items of a work-group
  std::array<std::size_t, 3> inside;  // cells that it advances
};
LaunchSizes launchSizes(const Configuration& configuration, int dimensions);

class Space : public SectionSpace<Configuration> {
 public:
  /// Declares all parameters, in two dimensions without BLOCK_Z and TILE_Z; constraints, macros, work-groups and their
  /// local memory. No macro and no constraint reads the grid's size, so that what is compiled serves all sizes.
  Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, int dimensions);
};

}  // namespace hone::apps::heat
