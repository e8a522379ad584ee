// The values that each parameter has left, before any two parameters are combined.
#pragma once

#include <cstdint>
#include <vector>

#include "space/bounds.h"
#include "space/conjunct.h"
#include "space/declaration_data.h"

namespace hone::detail {

class KeptValues {
 public:
  /// All.
  explicit KeptValues(const DeclarationData& declarations);
  /// These, by their positions in the parameter's range, ascending: a list a parameter.
  KeptValues(const DeclarationData& declarations, std::vector<std::vector<std::uint32_t>> positions);

  /// Drops values with which some condition cannot hold: by evaluating it where it reads one parameter, else by its
  /// bounds over what the others have left, until nothing changes. Takes out the conjuncts that then need no further
  /// look. `problem` may be null if no conjunct reads it. Returns false if some parameter has no value left, or a
  /// condition that reads no parameter does not hold.
  bool shrink(std::vector<Conjunct>& conjuncts, const std::int64_t* problem);

  const std::vector<std::uint32_t>& positions(std::size_t parameter) const { return positions_[parameter]; }
  std::size_t count(std::size_t parameter) const { return positions_[parameter].size(); }
  std::int64_t value(std::size_t parameter, std::size_t place) const {
    return declarations_.parameters[parameter].values[positions_[parameter][place]];
  }
  /// Of each parameter's values that are left. REQUIRES: shrink() has not returned false
  const std::vector<Bounds>& bounds() const { return bounds_; }

 private:
  template <class IsExcluded>
  bool drop(std::size_t parameter, const IsExcluded& isExcluded);
  void findBounds(std::size_t parameter);

  const DeclarationData& declarations_;
  std::vector<std::vector<std::uint32_t>> positions_;
  std::vector<Bounds> bounds_;
};

}  // namespace hone::detail
