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
template <class Number>
struct ExpectedNumbers {
  std::string name;
  std::vector<Number> numbers;
  Tolerance tolerance;
  std::array<std::string, 2> axes;  // the output has two dimensions; the first one's elements are neighbours in memory
  std::size_t length;               // elements along the first
};

using ExpectedOutput = ExpectedNumbers<float>;

/// Of floats or doubles. Thread safety: externally synchronised.
template <class Number>
class LaunchCheckOf {
 public:
  /// `buffer` comes from makeOutput(on, expected.numbers.size(), sizeof(Number)).
  LaunchCheckOf(const OpenedDevice& on, const cl::Buffer& buffer, ExpectedNumbers<Number> expected);

  /// Fills the output with NaN, so that an element which is not written is found.
  void clear() const;

  /// Waits for the launches before it. Throws CheckFailure, with `launch`, if an element is wrong or if anything behind
  /// the output's end was written since clear().
  void verify(std::uint64_t launch);

 private:
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  ExpectedNumbers<Number> expected_;
  std::vector<Number> actual_;
};

using LaunchCheck = LaunchCheckOf<float>;

}  // namespace hone::apps
