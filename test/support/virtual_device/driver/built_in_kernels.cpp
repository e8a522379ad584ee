#include "support/virtual_device/driver/built_in_kernels.h"

#include <algorithm>

namespace hone::test::driver {

namespace {

/// instrumented_apps/gemm: c[j*m + i] is the sum over p of a[p*m + i] * b[p*n + j].
void gemm(const KernelCall& call) {
  const auto m = static_cast<std::size_t>(call.scalar<std::int32_t>(0));
  const auto n = static_cast<std::size_t>(call.scalar<std::int32_t>(1));
  const auto k = static_cast<std::size_t>(call.scalar<std::int32_t>(2));
  const auto a = call.buffer<const float>(3);
  const auto b = call.buffer<const float>(4);
  const auto c = call.buffer<float>(5);
  for (std::size_t j = 0; j < n; ++j) {
    float* column = &c[j * m];
    std::fill_n(column, m, 0.0f);
    for (std::size_t p = 0; p < k; ++p) {
      const float factor = b[p * n + j];
      for (std::size_t i = 0; i < m; ++i) column[i] += a[p * m + i] * factor;
    }
  }
}

}  // namespace

std::map<std::string, KernelBody> builtInKernels() { return {{"gemm", gemm}}; }

}  // namespace hone::test::driver
