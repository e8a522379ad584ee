#include "output_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace hone::apps {

namespace {

template <class Number>
Comparison compareAny(std::span<const Number> actual, std::span<const Number> reference, Tolerance tolerance) {
  Comparison result;
  double worstFactor = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double expected = reference[i];
    const double allowed = tolerance.relative * std::max(std::abs(expected), tolerance.magnitude);
    const double difference = std::abs(actual[i] - expected);
    if (difference <= allowed) continue;
    if (std::isnan(actual[i]) && std::isnan(reference[i])) continue;
    ++result.wrong;
    const double factor = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference / allowed;
    if (result.wrong == 1 || factor > worstFactor) {
      worstFactor = factor;
      result.worst = i;
      result.allowed = allowed;
    }
  }
  return result;
}

template <class Number>
std::string describeAny(const Comparison& comparison, const std::string& output, std::span<const Number> actual,
                        std::span<const Number> reference) {
  std::ostringstream text;
  text.precision(std::numeric_limits<Number>::max_digits10);  // enough to tell any two numbers apart
  text << comparison.wrong << " of " << reference.size() << " elements are wrong; the worst is " << output << '['
       << comparison.worst << "]: " << actual[comparison.worst] << " instead of " << reference[comparison.worst]
       << ", which may differ by " << std::defaultfloat;
  text.precision(3);
  text << comparison.allowed;
  return text.str();
}

}  // namespace

Tolerance toleranceOfSums(std::size_t terms) {
  const double root = std::sqrt(static_cast<double>(terms));
  return {1e-6 * root, root / 3};
}

Tolerance toleranceOfDoubleSums(std::size_t terms) {
  const Tolerance ofFloats = toleranceOfSums(terms);
  return {ofFloats.relative * 0x1p-29, ofFloats.magnitude};
}

Comparison compare(std::span<const float> actual, std::span<const float> reference, Tolerance tolerance) {
  return compareAny(actual, reference, tolerance);
}

Comparison compare(std::span<const double> actual, std::span<const double> reference, Tolerance tolerance) {
  return compareAny(actual, reference, tolerance);
}

std::string describe(const Comparison& comparison, const std::string& output, std::span<const float> actual,
                     std::span<const float> reference) {
  return describeAny(comparison, output, actual, reference);
}

std::string describe(const Comparison& comparison, const std::string& output, std::span<const double> actual,
                     std::span<const double> reference) {
  return describeAny(comparison, output, actual, reference);
}

}  // namespace hone::apps
