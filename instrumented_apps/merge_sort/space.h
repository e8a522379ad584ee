// The search space of the merge sort: what can be chosen of merge_sort.cl, where the meaning of each parameter stands.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hone/opencl.hpp"

namespace hone::apps::merge_sort {

/// What merge_sort.cl is compiled for and launched with; as it stands, the program's default.
struct Configuration {
  std::int64_t sortBlock = 256, splitBlock = 256, mergeBlock = 256;
  std::int64_t sortItems = 8, mergeItems = 8;
  std::int64_t padding = 1;

  std::int64_t tile() const { return sortBlock * sortItems; }
  std::int64_t chunk() const { return mergeBlock * mergeItems; }
};

/// Handles of the parameters.
class Space {
 public:
  /// Declares the three block sizes, and where `isWide` the items and the padding; constraints, macros, the work-groups
  /// and their local memory. Where the device allows less than the default's, its blocks are as large as it allows.
  Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, bool hasValues, bool isWide);

  /// What the open measurement runs.
  Configuration configuration(const opencl::TunedProgram& program) const;

 private:
  Configuration fixed_;  // the values of what is no parameter
  std::vector<std::pair<Parameter, std::int64_t Configuration::*>> parameters_;
};

}  // namespace hone::apps::merge_sort
