#include "gemm/host_product.h"

#include <algorithm>
#include <chrono>
#include <type_traits>

#ifdef HONE_HAS_OPENBLAS
#include <cblas.h>
#endif

#include "parallel.h"
#include "random_data.h"

namespace hone::apps::gemm {

namespace {

// Columns of C, 256 rows at a time so that the part of A stays in the cache.
template <class Number>
void multiplyColumns(const Shape& shape, const Matrices<Number>& matrices, std::size_t first, std::size_t last,
                     Number* c) {
  using Sum = std::conditional_t<std::is_same_v<Number, float>, double, long double>;
  constexpr std::size_t kRows = 256;
  Sum sums[kRows];
  for (std::size_t i0 = 0; i0 < shape.m; i0 += kRows) {
    const std::size_t rows = std::min(kRows, shape.m - i0);
    for (std::size_t j = first; j < last; ++j) {
      std::fill_n(sums, rows, Sum{0});
      for (std::size_t p = 0; p < shape.k; ++p) {
        const Number* column = &matrices.a[p * shape.m + i0];
        const Sum factor = matrices.b[p * shape.n + j];
        for (std::size_t i = 0; i < rows; ++i) sums[i] += factor * column[i];
      }
      for (std::size_t i = 0; i < rows; ++i) c[j * shape.m + i0 + i] = static_cast<Number>(sums[i]);
    }
  }
}

#ifdef HONE_HAS_OPENBLAS

template <class Number>
void multiplyWithOpenblas(const Shape& shape, const Matrices<Number>& matrices, Number* c) {
  const auto m = static_cast<blasint>(shape.m), n = static_cast<blasint>(shape.n), k = static_cast<blasint>(shape.k);
  const Number *a = matrices.a.data(), *b = matrices.b.data();
  if constexpr (std::is_same_v<Number, float>) {
    cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0f, a, m, b, n, 0.0f, c, m);
  } else {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0, a, m, b, n, 0.0, c, m);
  }
}

#endif

}  // namespace

template <class Number>
Matrices<Number> makeMatrices(const Shape& shape) {
  if constexpr (std::is_same_v<Number, float>) {
    return {randomFloats(shape.k * shape.m, 1), randomFloats(shape.k * shape.n, 2)};
  } else {
    return {randomDoubles(shape.k * shape.m, 1), randomDoubles(shape.k * shape.n, 2)};
  }
}

template <class Number>
std::vector<Number> referenceProduct(const Shape& shape, const Matrices<Number>& matrices) {
  std::vector<Number> c(shape.m * shape.n);
  inParallel(shape.n,
             [&](std::size_t first, std::size_t last) { multiplyColumns(shape, matrices, first, last, c.data()); });
  return c;
}

#ifdef HONE_HAS_OPENBLAS

template <class Number>
std::optional<double> openblasGflops(const Shape& shape, const Matrices<Number>& matrices) {
  constexpr double kSeconds = 2;
  constexpr std::size_t kRuns = 5, kMaximumRuns = 101;
  std::vector<Number> c(shape.m * shape.n);
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    multiplyWithOpenblas(shape, matrices, c.data());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  timed();  // wakes its threads and touches the pages of c
  if (timed() * kRuns > kSeconds) return std::nullopt;
  std::vector<double> seconds;
  double sum = 0;
  while (seconds.size() < kRuns || (sum < kSeconds && seconds.size() < kMaximumRuns))
    sum += seconds.emplace_back(timed());
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return shape.flop() / *middle / 1e9;
}

#else

template <class Number>
std::optional<double> openblasGflops(const Shape&, const Matrices<Number>&) {
  return std::nullopt;
}

#endif

template Matrices<float> makeMatrices(const Shape&);
template Matrices<double> makeMatrices(const Shape&);
template std::vector<float> referenceProduct(const Shape&, const Matrices<float>&);
template std::vector<double> referenceProduct(const Shape&, const Matrices<double>&);
template std::optional<double> openblasGflops(const Shape&, const Matrices<float>&);
template std::optional<double> openblasGflops(const Shape&, const Matrices<double>&);

}  // namespace hone::apps::gemm
