// What a virtual device is told by a test: how long launches take on it. Models are in device models' own files; the
// driver only asks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace hone::test {

/// A launch of a kernel as a model sees it.
struct VirtualLaunch {
  std::string kernel;
  /// The integer macros of the program's build options: the configuration, and whatever else was defined.
  std::map<std::string, std::int64_t> macros;
  unsigned dimensions = 1;
  std::array<std::size_t, 3> global{1, 1, 1};
  std::array<std::size_t, 3> local{1, 1, 1};
  /// Integer scalar arguments by position; an argument of another kind, or not 4 or 8 bytes, is left out.
  std::map<unsigned, std::int64_t> scalars;
  std::uint64_t number = 0;       // of the device's launches, from 0
  std::uint64_t numberInProgram = 0;  // of this kernel in this program, from 0
  std::int64_t startNs = 0;       // virtual time at which the device begins
};

/// How long launches take. Asked once a launch, when the device begins it, in the order in which launches begin.
/// A model may keep state and draw from an engine of its own: the same calls give the same answers.
class LaunchModel {
 public:
  virtual ~LaunchModel() = default;
  /// In ns of virtual time when nothing else runs on the device; above 0.
  virtual double durationNs(const VirtualLaunch& launch) = 0;
};

}  // namespace hone::test
