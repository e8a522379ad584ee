// The search space of the merge sort: what can be chosen of merge_sort.cl, where the meaning of each parameter stands.
#pragma once

#include <cstdint>

#include "hone/opencl.hpp"
#include "section_space.h"

namespace hone::apps::merge_sort {

/// What merge_sort.cl is compiled for and launched with; as it stands, the program's default.
struct Configuration {
  std::int64_t sortBlock = 256, splitBlock = 256, mergeBlock = 256;
  std::int64_t sortItems = 8, mergeItems = 8;
  std::int64_t padding = 1;

  std::int64_t tile() const { return sortBlock * sortItems; }
  std::int64_t chunk() const { return mergeBlock * mergeItems; }
};

class Space : public SectionSpace<Configuration> {
 public:
  /// Declares the three block sizes, and where `isWide` the items and the padding; constraints, macros, the work-groups
  /// and their local memory. Where the device allows less than the default's, its blocks are as large as it allows.
  Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, bool hasValues, bool isWide);
};

}  // namespace hone::apps::merge_sort
