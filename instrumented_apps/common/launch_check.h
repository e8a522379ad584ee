// --check: the output of every launch against a reference, so that no candidate's result goes unseen.
//
//   LaunchCheck check(on, buffer, {"c", reference, tolerance, {"row", "column"}, rows});
//   check.clear();                     // before each launch
//   check.verify(launch);              // after it: throws CheckFailure
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device.h"
#include "output_check.h"

namespace hone::apps {

/// What an output must be.
struct ExpectedOutput {
  std::string name;
  std::vector<float> numbers;
  Tolerance tolerance;
  std::array<std::string, 2> axes;  // the output has two dimensions; the first one's elements are neighbours in memory
  std::size_t length;               // elements along the first
};

/// Thread safety: externally synchronised.
class LaunchCheck {
 public:
  /// `buffer` comes from makeOutput(on, expected.numbers.size()).
  LaunchCheck(const OpenedDevice& on, const cl::Buffer& buffer, ExpectedOutput expected);

  /// Fills the output with NaN, so that an element which is not written is found.
  void clear() const;

  /// Waits for the launches before it. Throws CheckFailure, with `launch`, if an element is wrong or if anything behind
  /// the output's end was written since clear().
  void verify(std::uint64_t launch);

 private:
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  ExpectedOutput expected_;
  std::vector<float> actual_;
};

}  // namespace hone::apps
