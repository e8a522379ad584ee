// What of a configuration its cost may depend on, as whole numbers: the coordinates of the model behind `auto`.
//
// Always: the position of each parameter's value in its range. A kernel's cost also hangs on what its author made of
// the parameters, which the search cannot see. Three kinds of that are common to tuning parameters:
// - products and ratios of two parameters: work-group sizes, tiles, work a work-item;
// - how often two divides a value or a product: whole warps, aligned rows, no remainder.
// They are offered to the model as further coordinates (model_fit.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hone/search_space.h"
#include "search/kernel.h"

namespace hone::detail {

struct Feature {
  enum class Kind {
    position,       // of a's value in its range
    twos,           // how often two divides a's value
    product,        // log(a * b)
    ratio,          // log(a / b)
    twosOfProduct,  // how often two divides a * b
  };
  Kind kind = Kind::position;
  std::size_t a = 0;  // parameters, by their place in the declarations
  std::size_t b = 0;

  bool operator==(const Feature& other) const { return kind == other.kind && a == other.a && b == other.b; }
};

/// The features of a space's configurations. Thread safety: immutable.
class Features {
 public:
  explicit Features(const SearchSpace& space);

  /// Positions, and twos where they do not only grow or fall with the position.
  const std::vector<Feature>& always() const { return always_; }
  /// Of pairs of parameters that have three values or more, all of them positive.
  const std::vector<Feature>& ofPairs() const { return ofPairs_; }

  /// Coordinates are 0 to count - 1.
  std::int32_t count(const Feature& feature) const;
  std::int32_t coordinate(const Feature& feature, const Point& point) const;
  Coordinates coordinates(const std::vector<Feature>& features, const Point& point) const;

 private:
  struct Parameter {
    std::size_t count = 0;
    std::vector<double> logs;  // base 2; empty where it is part of no pair
    double leastLog = 0;
    double mostLog = 0;
    std::vector<std::int32_t> twos;  // less the fewest of the range
    std::int32_t mostTwos = 0;
    bool areTwosMonotone = true;
  };

  std::vector<Parameter> parameters_;
  std::vector<Feature> always_;
  std::vector<Feature> ofPairs_;
};

}  // namespace hone::detail
