// The search space of marching cubes: what can be chosen of marching_cubes.cl and of the scan between its kernels.
#pragma once

#include <cstdint>
#include <string>

#include "hone/opencl.hpp"
#include "scan/space.h"
#include "section_space.h"

namespace hone::apps::marching_cubes {

/// What the program is compiled for and launched with; as it stands, the program's default.
struct Configuration {
  std::int64_t block = 160;
  std::int64_t cells = 1;
  std::int64_t scanBlock = 160, scanItems = 4, lookBack = 0;

  scan::Configuration ofScan() const;
};

class Space : public SectionSpace<Configuration> {
 public:
  /// Declares BLOCK, for all kernels; where `isWide` for all but the scan's, and CELLS, SUM_BLOCK, SUM_ITEMS and
  /// LOOK_BACK; constraints, macros, work-groups and their local memory. Where the device allows less than 160, the
  /// default is the largest block that it allows.
  Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, const std::string& whyNoLookBack, bool isWide);
};

}  // namespace hone::apps::marching_cubes
