#include "gemm/application.h"

#include <algorithm>
#include <chrono>
#include <optional>

#ifdef HONE_HAS_OPENBLAS
#include <cblas.h>
#endif

#include "buffers.h"
#include "gemm_source.h"
#include "launch_check.h"
#include "parallel.h"
#include "random_data.h"
#include "summary.h"

namespace hone::apps::gemm {

namespace {

const Program kProgram{"gemm",
                       "tunes a matrix product, C = A * B with A of M x K and B of K x N floats",
                       {"M", "N", "K"},
                       {1024, 1024, 1024}};

// --- the tuned kernel -----------------------------------------------------------------------------------------------

// The space of CLTune's GEMM: 241,600 configurations on a device that allows work-groups of 1024.
void declare(opencl::TunedKernel& kernel) {
  const auto [M, N, K] = kernel.problem("M", "N", "K");
  const auto MWG = kernel.addParameter("MWG", {16, 32, 64, 128}, 64);
  const auto NWG = kernel.addParameter("NWG", {16, 32, 64, 128}, 64);
  const auto KWG = kernel.addParameter("KWG", {16, 32}, 32);
  const auto MDIMC = kernel.addParameter("MDIMC", {8, 16, 32}, 8);
  const auto NDIMC = kernel.addParameter("NDIMC", {8, 16, 32}, 8);
  const auto MDIMA = kernel.addParameter("MDIMA", {8, 16, 32}, 8);
  const auto NDIMB = kernel.addParameter("NDIMB", {8, 16, 32}, 8);
  const auto KWI = kernel.addParameter("KWI", {2, 8}, 2);
  const auto VWM = kernel.addParameter("VWM", {1, 2, 4, 8}, 1);
  const auto VWN = kernel.addParameter("VWN", {1, 2, 4, 8}, 1);
  kernel.addParameter("STRM", booleans(), 0);
  kernel.addParameter("STRN", booleans(), 0);
  const auto SA = kernel.addParameter("SA", booleans(), 0);
  const auto SB = kernel.addParameter("SB", booleans(), 0);

  kernel.require(KWG % KWI == 0);
  kernel.require(MWG % (MDIMC * VWM) == 0);
  kernel.require(NWG % (NDIMC * VWN) == 0);
  kernel.require(MWG % (MDIMA * VWM) == 0);
  kernel.require(NWG % (NDIMB * VWN) == 0);
  kernel.require(KWG % ((MDIMC * NDIMC) / MDIMA) == 0);
  kernel.require(KWG % ((MDIMC * NDIMC) / NDIMB) == 0);
  kernel.localMemory(4 * KWG * (SA * MWG + SB * NWG));

  kernel.define("EDGE", M % MWG != 0 || N % NWG != 0 || K % KWG != 0);
  kernel.global(ceilDiv(M, MWG) * MDIMC, ceilDiv(N, NWG) * NDIMC).local(MDIMC, NDIMC);
}

// --- the matrices ---------------------------------------------------------------------------------------------------

struct Shape {
  std::size_t m, n, k;
  double flop() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
};

struct Inputs {
  std::vector<float> a;  // k rows of m
  std::vector<float> b;  // k rows of n
};

void requireMemory(const cl::Device& device, const Shape& shape, bool isChecked) {
  const auto bytes = [](std::size_t rows, std::size_t columns) {
    return 4.0 * static_cast<double>(rows) * static_cast<double>(columns);
  };
  const double a = bytes(shape.k, shape.m), b = bytes(shape.k, shape.n), c = bytes(shape.n, shape.m) + 4.0 * kGuard;
  apps::requireMemory(device, {a, b, c}, a + b + (isChecked ? 2 * c : 0));
}

// --- what the results are compared with -----------------------------------------------------------------------------

// Columns of C, 256 rows at a time so that the part of A stays in the cache, summed in double.
void multiplyColumns(const Shape& shape, const Inputs& inputs, std::size_t first, std::size_t last, float* c) {
  constexpr std::size_t kRows = 256;
  double sums[kRows];
  for (std::size_t i0 = 0; i0 < shape.m; i0 += kRows) {
    const std::size_t rows = std::min(kRows, shape.m - i0);
    for (std::size_t j = first; j < last; ++j) {
      std::fill_n(sums, rows, 0.0);
      for (std::size_t p = 0; p < shape.k; ++p) {
        const float* column = &inputs.a[p * shape.m + i0];
        const double factor = inputs.b[p * shape.n + j];
        for (std::size_t i = 0; i < rows; ++i) sums[i] += factor * column[i];
      }
      for (std::size_t i = 0; i < rows; ++i) c[j * shape.m + i0 + i] = static_cast<float>(sums[i]);
    }
  }
}

std::vector<float> referenceProduct(const Shape& shape, const Inputs& inputs) {
  std::vector<float> c(shape.m * shape.n);
  inParallel(shape.n,
             [&](std::size_t first, std::size_t last) { multiplyColumns(shape, inputs, first, last, c.data()); });
  return c;
}

#ifdef HONE_HAS_OPENBLAS

void multiplyWithOpenblas(const Shape& shape, const Inputs& inputs, float* c) {
  const auto m = static_cast<blasint>(shape.m), n = static_cast<blasint>(shape.n), k = static_cast<blasint>(shape.k);
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0f, inputs.a.data(), m, inputs.b.data(), n, 0.0f, c,
              m);
}

// The median of at least 5 runs, of more as long as they take less than 2 s in total. Empty where 5 would take longer.
std::optional<double> openblasGflops(const Shape& shape, const Inputs& inputs) {
  constexpr double kSeconds = 2;
  constexpr std::size_t kRuns = 5, kMaximumRuns = 101;
  std::vector<float> c(shape.m * shape.n);
  const auto timed = [&] {
    const auto start = std::chrono::steady_clock::now();
    multiplyWithOpenblas(shape, inputs, c.data());
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

std::optional<double> openblasGflops(const Shape&, const Inputs&) { return std::nullopt; }

#endif

// --- the program ----------------------------------------------------------------------------------------------------

class Product final : public Workload {
 public:
  Product(const Setup& setup, const Shape& shape)
      : on_(setup.on),
        runtime_(setup.runtime),
        shape_(shape),
        inputs_{randomFloats(shape.k * shape.m, 1), randomFloats(shape.k * shape.n, 2)},
        a_(upload(on_, inputs_.a)),
        b_(upload(on_, inputs_.b)),
        c_(makeOutput(on_, shape.m * shape.n)) {
    if (setup.options.isChecked) {
      check_.emplace(
          on_, c_,
          ExpectedOutput{"c", referenceProduct(shape, inputs_), toleranceOfSums(shape.k), {"row", "column"}, shape.m});
    }
  }

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto kernel = std::make_shared<opencl::TunedKernel>(runtime_, kGemmSource, "gemm", options);
    declare(*kernel);
    restrictCandidates(restrictions, *kernel);
    kernel->build();

    const auto m = static_cast<cl_int>(shape_.m), n = static_cast<cl_int>(shape_.n), k = static_cast<cl_int>(shape_.k);
    TunedWork work;
    work.problem = {m, n, k};
    work.launch = [this, kernel, m, n, k]() -> cl::Event {
      return (*kernel)(on_.queue, {m, n, k}, m, n, k, a_, b_, c_);
    };
    work.report = [kernel, m, n, k] { return kernel->report({m, n, k}); };
    work.settle = settling(kernel, runtime_);
    if (check_) {
      work.prepare = [this] { check_->clear(); };
      work.check = [this](std::uint64_t launch) { check_->verify(launch); };
    }
    work.complete = [this](Summary& summary) {
      summary.flopPerLaunch = shape_.flop();
      summary.openblasGflops = openblasGflops(shape_, inputs_);
    };
    return {work};
  }

 private:
  const OpenedDevice& on_;
  opencl::Runtime& runtime_;
  Shape shape_;
  Inputs inputs_;
  cl::Buffer a_, b_, c_;
  std::optional<LaunchCheck> check_;
};

std::unique_ptr<Workload> open(const Setup& setup) {
  const std::vector<std::int64_t>& sizes = setup.options.problem;
  const Shape shape{static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]),
                    static_cast<std::size_t>(sizes[2])};
  requireMemory(setup.on.device, shape, setup.options.isChecked);
  return std::make_unique<Product>(setup, shape);
}

}  // namespace

Application application() { return {kProgram, open}; }

}  // namespace hone::apps::gemm
