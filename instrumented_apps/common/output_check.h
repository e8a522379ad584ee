// --check: an output against its reference, element by element.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hone::apps {

/// How far an element may be off: relative * max(|reference|, magnitude). The magnitude is that of typical elements, so
/// that sums which happen to cancel out are not held to a precision that they cannot have.
struct Tolerance {
  double relative;
  double magnitude;
};

/// For sums of `terms` products of numbers that are uniform in [-1, 1): they are typically sqrt(terms) / 3 in size and,
/// whatever the order of summation in single precision, off by about 1.4e-8 * terms (a random walk of the roundings of
/// their partial sums). Allowed is 1e-6 * sqrt(terms) times the larger of the sum and its typical size: 3.3e-7 * terms,
/// 24 times that. One missing product changes a sum by 0.25 on average.
Tolerance toleranceOfSums(std::size_t terms);
/// The same in double precision, whose roundings are 2^29 times smaller.
Tolerance toleranceOfDoubleSums(std::size_t terms);

struct Comparison {
  std::size_t wrong = 0;  // elements beyond the tolerance; NaN always is, unless the reference is NaN too
  std::size_t worst = 0;  // where wrong > 0: the element that exceeds its tolerance by the largest factor
  double allowed = 0;     // the difference that the worst element may have
};

/// Both have one element for each other. Cost: one pass.
Comparison compare(std::span<const float> actual, std::span<const float> reference, Tolerance tolerance);
Comparison compare(std::span<const double> actual, std::span<const double> reference, Tolerance tolerance);

/// "3 of 100 elements are wrong; the worst is c[17]: 1.5 instead of 1.25, which may differ by 1e-06".
/// REQUIRES: comparison.wrong > 0
std::string describe(const Comparison& comparison, const std::string& output, std::span<const float> actual,
                     std::span<const float> reference);
std::string describe(const Comparison& comparison, const std::string& output, std::span<const double> actual,
                     std::span<const double> reference);

}  // namespace hone::apps
