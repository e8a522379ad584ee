// What passes through the three calls: problem sizes in, times out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "hone/api.h"
#include "hone/integer.h"

namespace hone {

/// One problem size, by name: {"width", width}.
struct NamedSize {
  template <class T, IfInteger<T> = 0>
  NamedSize(std::string_view sizeName, T size) : name(sizeName), value(toInt64(size)) {}

  std::string_view name;
  std::int64_t value;
};

/// What a launch works on: `{{"width", width}, {"height", height}}`. Refers to the list it was made from.
class ProblemSizes {
 public:
  ProblemSizes() = default;
  ProblemSizes(std::initializer_list<NamedSize> sizes) : count_(sizes.size()) { first_ = sizes.begin(); }
  ProblemSizes(const std::vector<NamedSize>& sizes) : first_(sizes.data()), count_(sizes.size()) {}

  const NamedSize* begin() const { return first_; }
  const NamedSize* end() const { return first_ + count_; }
  std::size_t size() const { return count_; }

 private:
  const NamedSize* first_ = nullptr;
  std::size_t count_ = 0;
};

/// What polling for a time finds.
struct TimeReading {
  enum class State {
    pending,  // the work is not complete
    known,
    broken,  // complete, but the timestamps are zero, reversed or missing
    failed   // the work ended with an error
  };
  State state = State::pending;
  double ns = 0;                 // where known
  const char* reason = nullptr;  // where broken or failed: static text
};

/// Reads the times of events that this part of the library knows nothing about; hone::opencl implements it.
/// Thread safety: internally synchronised.
class HONE_API EventTimes {
 public:
  virtual ~EventTimes() = default;
  /// Throws UsageError where no time can lie between the two events (a null event, different devices).
  virtual void check(void* first, void* last) const = 0;
  virtual void retain(void* event) const = 0;
  virtual void release(void* event) const = 0;
  /// From the start of `first` to the end of `last`. Never waits.
  virtual TimeReading read(void* first, void* last) const = 0;
};

/// The time between two events, to be read when they have completed. hone::opencl::elapsed makes it. Refers to the
/// events, which have to live until it is handed over.
struct Elapsed {
  const EventTimes* times;
  void* first;
  void* last;
};

}  // namespace hone
