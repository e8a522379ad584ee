// --check where results are exact: the integers of every launch against a reference.
//
//   ExactCheck check(on, buffer, {"out", reference});
//   check.clear();          // before each launch
//   check.verify(launch);   // after it: throws CheckFailure
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device.h"

namespace hone::apps {

struct ExpectedIntegers {
  std::string name;
  std::vector<std::uint32_t> numbers;
};

/// Thread safety: externally synchronised.
class ExactCheck {
 public:
  /// `buffer` comes from makeOutput(on, expected.numbers.size()).
  ExactCheck(const OpenedDevice& on, const cl::Buffer& buffer, ExpectedIntegers expected);

  /// Fills the output, so that an element which is not written is found.
  void clear() const;

  /// Waits for the launches before it. Throws CheckFailure, with `launch`, if an element is wrong or if anything behind
  /// the output's end was written since clear().
  void verify(std::uint64_t launch);

 private:
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  ExpectedIntegers expected_;
  std::vector<std::uint32_t> actual_;
};

}  // namespace hone::apps
