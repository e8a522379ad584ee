// C = A * B in single precision, again and again, while Hone looks for the fastest variant of gemm.cl.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#ifdef HONE_HAS_OPENBLAS
#include <cblas.h>
#endif

#include "buffers.h"
#include "console.h"
#include "device.h"
#include "gemm_source.h"
#include "json_file.h"
#include "launch_check.h"
#include "measuring_loop.h"
#include "options.h"
#include "parallel.h"
#include "random_data.h"
#include "run_program.h"
#include "summary.h"

namespace hone::apps {
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

void run(const std::vector<std::string>& arguments) {
  RunOptions options = parseOptions(kProgram, arguments);
  if (answers(kProgram, options, std::cout)) return;
  if (!options.jsonFile.empty()) requireWritable(options.jsonFile);
  const OpenedDevice on = openDevice(options.device);
  const Shape shape{static_cast<std::size_t>(options.problem[0]), static_cast<std::size_t>(options.problem[1]),
                    static_cast<std::size_t>(options.problem[2])};
  requireMemory(on.device, shape, options.isChecked);

  Console console = Console::ofProcess();
  options.tuning.diagnostics = [&](const Diagnostic& d) { console.note(d.source + ": " + oneLine(d.message)); };
  opencl::Runtime runtime(on.context, on.device);
  opencl::TunedKernel kernel(runtime, kGemmSource, "gemm", options.tuning);
  declare(kernel);
  restrictCandidates(options.restrictions, kernel);
  kernel.build();

  const Inputs inputs{randomFloats(shape.k * shape.m, 1), randomFloats(shape.k * shape.n, 2)};
  const cl::Buffer a = upload(on, inputs.a), b = upload(on, inputs.b);
  const cl::Buffer c = makeOutput(on, shape.m * shape.n);
  const auto m = static_cast<cl_int>(shape.m), n = static_cast<cl_int>(shape.n), k = static_cast<cl_int>(shape.k);

  TunedWork work;
  work.launch = [&]() -> cl::Event { return kernel(on.queue, {m, n, k}, m, n, k, a, b, c); };
  work.report = [&] { return kernel.report({m, n, k}); };
  work.settle = [&] {
    kernel.settle();
    runtime.waitUntilIdle();
  };
  std::optional<LaunchCheck> check;
  if (options.isChecked) {
    check.emplace(
        on, c,
        ExpectedOutput{"c", referenceProduct(shape, inputs), toleranceOfSums(shape.k), {"row", "column"}, shape.m});
    work.prepare = [&] { check->clear(); };
    work.check = [&](std::uint64_t launch) { check->verify(launch); };
  }
  const RunFigures figures = runLaunches(work, {options.launches, options.seconds, options.endsSettled}, console);

  Summary summary = summarise(kProgram, options, on, figures);
  summary.flopPerLaunch = shape.flop();
  summary.openblasGflops = openblasGflops(shape, inputs);
  publish(summary, options, std::cout);
}

}  // namespace
}  // namespace hone::apps

int main(int argc, char** argv) {
  return hone::apps::runProgram("gemm", std::cerr, [&] { hone::apps::run({argv + 1, argv + argc}); });
}
