// The pins of one tuner, checked against what it declares.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hone/pin.h"
#include "space/declaration_data.h"

namespace hone::detail {

/// Thread safety: externally synchronised.
class Pins {
 public:
  Pins() = default;
  /// Leaves out those of other tuners. Throws UsageError if a pin names a parameter or a value that does not exist, or
  /// violates a constraint that reads no problem size.
  Pins(const std::vector<Pin>& pins, const DeclarationData& declarations);

  /// The last that is for this problem, or null: in a log, it is what the search came to. Throws UsageError if any pin
  /// names a problem size that does not exist.
  const std::vector<std::int64_t>* find(const std::int64_t* problem, const DeclarationData& declarations) const;

  /// The last one for all problems, or null.
  const std::vector<std::int64_t>* forAll() const;
  /// Forgets those for all problems.
  void dropForAll();

 private:
  struct Entry {
    std::vector<std::pair<std::string, std::int64_t>> problem;
    std::vector<std::int64_t> configuration;
  };
  static bool isForAll(const Entry& entry) { return entry.problem.empty(); }

  std::vector<Entry> entries_;
};

}  // namespace hone::detail
