#include "gemm/application.h"

#include <optional>
#include <string>

#include "buffers.h"
#include "errors.h"
#include "gemm/host_product.h"
#include "gemm_source.h"
#include "launch_check.h"
#include "summary.h"

namespace hone::apps::gemm {

namespace {

const Program kProgram{.name = "gemm",
                       .summary = "tunes a matrix product, C = A * B with A of M x K and B of K x N numbers",
                       .problemNames = {"M", "N", "K"},
                       .defaultProblem = {1024, 1024, 1024},
                       .ownOptions = {{"precision", "fp32|fp64", "of the numbers (default: fp32)", {"fp32", "fp64"}}},
                       .takesProblemList = true,
                       .isOneSizeEnough = true};

// --- the tuned kernel -----------------------------------------------------------------------------------------------

// The space of CLTune's GEMM: 241,600 configurations of floats on a device that allows work-groups of 1024.
void declare(opencl::TunedKernel& kernel, std::size_t elementBytes) {
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
  kernel.localMemory(elementBytes * KWG * (SA * MWG + SB * NWG));

  kernel.define("EDGE", M % MWG != 0 || N % NWG != 0 || K % KWG != 0);
  kernel.global(ceilDiv(M, MWG) * MDIMC, ceilDiv(N, NWG) * NDIMC).local(MDIMC, NDIMC);
}

// --- the program ----------------------------------------------------------------------------------------------------

/// Number is float or double.
template <class Number>
class Products final : public Workload {
 public:
  Products(const Setup& setup, const std::vector<Shape>& shapes) : on_(setup.on), runtime_(setup.runtime) {
    for (const Shape& shape : shapes) products_.push_back(std::make_unique<Product>(setup, shape));
  }

  std::vector<TunedWork> tune(const hone::Options& options, const std::vector<Restriction>& restrictions) override {
    const auto kernel = std::make_shared<opencl::TunedKernel>(runtime_, kGemmSource, "gemm", options);
    declare(*kernel, sizeof(Number));
    if (sizeof(Number) == sizeof(double)) kernel->buildOptions("-DPRECISION=64");
    restrictCandidates(restrictions, *kernel);
    kernel->build();
    std::vector<TunedWork> works;
    for (const std::unique_ptr<Product>& product : products_) works.push_back(workOf(*product, kernel));
    return works;
  }

 private:
  struct Product {
    Product(const Setup& setup, const Shape& itsShape)
        : shape(itsShape),
          matrices(makeMatrices<Number>(shape)),
          a(upload(setup.on, matrices.a)),
          b(upload(setup.on, matrices.b)),
          c(makeOutput(setup.on, shape.m * shape.n, sizeof(Number))) {
      if (!setup.options.isChecked) return;
      constexpr auto toleranceOf = sizeof(Number) == sizeof(double) ? toleranceOfDoubleSums : toleranceOfSums;
      check.emplace(setup.on, c,
                    ExpectedNumbers<Number>{
                        "c", referenceProduct(shape, matrices), toleranceOf(shape.k), {"row", "column"}, shape.m});
    }

    Shape shape;
    Matrices<Number> matrices;
    cl::Buffer a, b, c;
    std::optional<LaunchCheckOf<Number>> check;
  };

  TunedWork workOf(Product& product, const std::shared_ptr<opencl::TunedKernel>& kernel) const {
    const auto m = static_cast<cl_int>(product.shape.m), n = static_cast<cl_int>(product.shape.n),
               k = static_cast<cl_int>(product.shape.k);
    TunedWork work;
    work.problem = {m, n, k};
    work.launch = [this, &product, kernel, m, n, k]() -> cl::Event {
      return (*kernel)(on_.queue, {m, n, k}, m, n, k, product.a, product.b, product.c);
    };
    work.report = [kernel, m, n, k] { return kernel->report({m, n, k}); };
    work.settle = settling(kernel, runtime_);
    if (product.check) {
      work.prepare = [&product] { product.check->clear(); };
      work.check = [&product](std::uint64_t launch) { product.check->verify(launch); };
    }
    work.complete = [&product](Summary& summary) {
      constexpr int kBits = 8 * sizeof(Number);
      summary.flopPerLaunch = product.shape.flop();
      summary.openblasGflops = openblasGflops(product.shape, product.matrices);
      summary.own.push_back({"precision", "fp" + std::to_string(kBits), kBits});
    };
    return work;
  }

  const OpenedDevice& on_;
  opencl::Runtime& runtime_;
  std::vector<std::unique_ptr<Product>> products_;  // they stay where they are
};

void requireMemory(const cl::Device& device, const std::vector<Shape>& shapes, std::size_t elementBytes,
                   bool isChecked) {
  const auto bytes = [&](std::size_t rows, std::size_t columns) {
    return static_cast<double>(elementBytes) * static_cast<double>(rows) * static_cast<double>(columns);
  };
  std::vector<double> buffers;
  double hostBytes = 0;
  for (const Shape& shape : shapes) {
    const double a = bytes(shape.k, shape.m), b = bytes(shape.k, shape.n),
                 c = bytes(shape.n, shape.m) + bytes(kGuard, 1);
    buffers.insert(buffers.end(), {a, b, c});
    hostBytes += a + b + (isChecked ? 2 * c : 0);
  }
  apps::requireMemory(device, buffers, hostBytes);
}

std::unique_ptr<Workload> open(const Setup& setup) {
  std::vector<Shape> shapes;
  for (const std::vector<std::int64_t>& sizes : setup.options.allProblems())
    shapes.push_back(
        {static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]), static_cast<std::size_t>(sizes[2])});
  const bool isDouble = setup.options.value("precision", "fp32") == "fp64";
  if (isDouble && !setup.runtime.facts().hasFp64)
    throw InputError("--precision 'fp64': the device '" + setup.on.name + "' has no double precision");
  requireMemory(setup.on.device, shapes, isDouble ? sizeof(double) : sizeof(float), setup.options.isChecked);
  if (isDouble) return std::make_unique<Products<double>>(setup, shapes);
  return std::make_unique<Products<float>>(setup, shapes);
}

}  // namespace

Application application() { return {kProgram, open}; }

}  // namespace hone::apps::gemm
