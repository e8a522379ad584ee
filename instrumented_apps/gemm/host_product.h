// The matrices of the product, and what the host makes of them: the reference of --check, and OpenBLAS's speed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace hone::apps::gemm {

struct Shape {
  std::size_t m, n, k;
  double flop() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

/// Number is float or double, here and below.
template <class Number>
struct Matrices {
  std::vector<Number> a;  // k rows of m
  std::vector<Number> b;  // k rows of n
};

/// The same numbers on every machine, uniform in [-1, 1).
template <class Number>
Matrices<Number> makeMatrices(const Shape& shape);

/// n rows of m: by a plain loop that sums in double or, where these are doubles, in long double.
template <class Number>
std::vector<Number> referenceProduct(const Shape& shape, const Matrices<Number>& matrices);

/// The median of at least 5 runs on the host, of more as long as they take less than 2 s in total. Empty where 5 would
/// take longer, and where the program was built without OpenBLAS.
template <class Number>
std::optional<double> openblasGflops(const Shape& shape, const Matrices<Number>& matrices);

}  // namespace hone::apps::gemm
