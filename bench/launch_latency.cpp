// What does tuning do to launches that an application waits for (P1)? A matrix product is launched again and again,
// with a clFinish each: without Hone, and while candidates are compiled for it.
//
//   launch_latency [--quick] [--json FILE] [--device D] [--size N] [--seconds S]
//
// Every launch does the same work: candidates differ from the default in a number that the product does not read, so
// they are compiled like any others, and all that a launch takes longer is what tuning costs it. Compilers' caches are
// no help, since no number comes twice. Nothing is saved by tuning either, and no budget holds it back: one candidate
// follows the other for as long as the clock runs. The ways take turns, so that a disturbed machine meets all of them.
//
// For each way: *_p50_us, *_p99_us, *_p999_us and *_worst_us of launch and clFinish, *_call_worst_us of the launch call
// alone, *_throughput_vs_raw, and *_builds, the candidates that were compiled and judged meanwhile. The numbers of
// candidates also in *_builds_per_s. builds and builds_per_s are those of the workers, whose first start is within the
// time.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench_options.h"
#include "device.h"
#include "gemm_source.h"
#include "hone/opencl.hpp"

namespace hone::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::duration;

double microseconds(Clock::duration time) { return duration<double, std::micro>(time).count(); }

// ---- the product

/// gemm's default configuration; with sizes that its tiles divide, nothing is guarded.
constexpr const char* kConfiguration =
    "-D MWG=64 -D NWG=64 -D KWG=32 -D MDIMC=8 -D NDIMC=8 -D MDIMA=8 -D NDIMB=8 -D KWI=2 -D VWM=1 -D VWN=1 -D STRM=0 "
    "-D STRN=0 -D SA=0 -D SB=0 -D EDGE=0";
constexpr std::size_t kTile = 64, kThreads = 8;
constexpr std::size_t kSizeStep = 64;  // that all tiles divide

/// What differs between candidates: it makes each a program of its own, down to the machine code, and the product does
/// not see it.
const std::string& source() {
  static const std::string text =
      std::string(apps::kGemmSource) +
      "\nkernel void variant(global int* numbers) { numbers[get_global_id(0)] = VARIANT; }\n";
  return text;
}

/// N x N matrices on a device; what they hold does not matter.
struct Product {
  Product(const apps::OpenedDevice& opened, std::size_t size)
      : on(opened),
        n(static_cast<cl_int>(size)),
        a(on.context, CL_MEM_READ_WRITE, bytes()),
        b(on.context, CL_MEM_READ_WRITE, bytes()),
        c(on.context, CL_MEM_READ_WRITE, bytes()) {
    for (const cl::Buffer& matrix : {a, b, c}) on.queue.enqueueFillBuffer(matrix, 0.5f, 0, bytes());
    on.queue.finish();
  }

  std::size_t bytes() const { return sizeof(float) * static_cast<std::size_t>(n) * static_cast<std::size_t>(n); }

  const apps::OpenedDevice& on;
  cl_int n;
  cl::Buffer a, b, c;
};

// ---- the ways

/// One way to launch the product, and what is going on beside the launches as long as it lives.
class Way {
 public:
  virtual ~Way() = default;
  virtual void launch() = 0;
  /// Candidates compiled and judged so far.
  virtual std::size_t builds() const { return 0; }
};

class Raw final : public Way {
 public:
  explicit Raw(const Product& product) : product_(product), program_(product.on.context, source()) {
    program_.build(product.on.device, (std::string(kConfiguration) + " -D VARIANT=0").c_str());
    kernel_ = cl::Kernel(program_, "gemm");
  }

  void launch() override {
    const auto n = static_cast<std::size_t>(product_.n);
    cl_uint index = 0;
    for (int i = 0; i < 3; ++i) kernel_.setArg(index++, product_.n);
    for (const cl::Buffer* matrix : {&product_.a, &product_.b, &product_.c}) kernel_.setArg(index++, *matrix);
    cl::Event done;
    product_.on.queue.enqueueNDRangeKernel(kernel_, cl::NullRange,
                                           cl::NDRange(n / kTile * kThreads, n / kTile * kThreads),
                                           cl::NDRange(kThreads, kThreads), nullptr, &done);
  }

 private:
  const Product& product_;
  cl::Program program_;
  cl::Kernel kernel_;
};

/// Draws by chance and never ends.
class Endless final : public Strategy {
 public:
  explicit Endless(std::uint64_t seed) : random_(makeStrategy("random", seed)) {}
  Proposal propose(const SearchSpace& space, const Evidence& evidence, std::size_t atMost) override {
    return random_->propose(space, evidence, atMost);
  }
  std::size_t patience() const override { return std::numeric_limits<std::size_t>::max(); }

 private:
  const std::unique_ptr<Strategy> random_;
};

class Tuned final : public Way {
 public:
  Tuned(const Product& product, const opencl::RuntimeOptions& compiling)
      : product_(product),
        runtime_(product.on.context, product.on.device, compiling),
        kernel_(runtime_, source(), "gemm", options()) {
    // So many that none comes twice in a run, and beginning where no earlier run was.
    constexpr std::int64_t kVariants = 100'000;
    const std::int64_t first = Clock::now().time_since_epoch() / std::chrono::milliseconds(1);
    const auto [N] = kernel_.problem("N");
    kernel_.addParameter("VARIANT", range(first, first + kVariants), first);
    kernel_.buildOptions(kConfiguration);
    kernel_.global(N / kTile * kThreads, N / kTile * kThreads).local(kThreads, kThreads);
    kernel_.build();
  }

  void launch() override {
    const cl_int n = product_.n;
    kernel_(product_.on.queue, {n}, n, n, n, product_.a, product_.b, product_.c);
  }
  std::size_t builds() const override { return kernel_.report({product_.n}).trials; }

 private:
  static Options options() {
    Options options;
    options.makeStrategy = [](std::uint64_t seed) { return std::make_unique<Endless>(seed); };
    options.slowdownBudget = std::numeric_limits<double>::infinity();
    options.diagnostics = [](const Diagnostic& d) { std::fprintf(stderr, "%s\n", d.message.c_str()); };
    return options;
  }

  const Product& product_;
  opencl::Runtime runtime_;
  opencl::TunedKernel kernel_;
};

// ---- measuring

struct Times {
  std::vector<double> us;  // launch and clFinish
  double worstCallUs = 0;
  double seconds = 0;
  std::size_t builds = 0;

  double launchesPerSecond() const { return static_cast<double>(us.size()) / seconds; }
  /// The smallest time that at least this part of the launches does not exceed.
  double quantile(double part) {
    std::sort(us.begin(), us.end());
    const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(us.size())));
    return us[std::clamp<std::size_t>(rank, 1, us.size()) - 1];
  }
};

void measure(Way& way, const cl::CommandQueue& queue, double seconds, Times& times) {
  constexpr int kFirst = 5;  // they carry one-time costs
  for (int i = 0; i < kFirst; ++i) {
    way.launch();
    queue.finish();
  }
  const std::size_t buildsBefore = way.builds();
  const Clock::time_point start = Clock::now();
  Clock::time_point end = start;
  while (duration<double>(end - start).count() < seconds) {
    const Clock::time_point before = end;
    way.launch();
    const Clock::time_point called = Clock::now();
    queue.finish();
    end = Clock::now();
    times.us.push_back(microseconds(end - before));
    times.worstCallUs = std::max(times.worstCallUs, microseconds(called - before));
  }
  times.seconds += duration<double>(end - start).count();
  times.builds += way.builds() - buildsBefore;
}

/// 1024, or so much less that a run has some thousand launches: 99.9 % is a question to as many.
std::size_t defaultSize(const apps::OpenedDevice& on) {
  constexpr double kMostMs = 20;
  for (std::size_t size = 1024; size > 128; size /= 2) {
    const Product product(on, size);
    Raw raw(product);
    Times times;
    measure(raw, on.queue, 0.2, times);
    if (times.quantile(0.5) <= 1000 * kMostMs) return size;
    std::printf("at %zu a launch takes %.1f ms, which is too long here\n", size, times.quantile(0.5) / 1000);
  }
  return 128;
}

std::size_t sizeOf(const apps::CommandLine& line, const apps::OpenedDevice& on) {
  if (!line.has("size")) return defaultSize(on);
  const std::size_t size = line.whole("size", kSizeStep);
  if (size % kSizeStep != 0) line.fail("size", "expected a multiple of " + std::to_string(kSizeStep));
  return size;
}

struct NamedWay {
  std::string name;
  std::function<std::unique_ptr<Way>(const Product&)> make;
};

std::vector<NamedWay> ways() {
  opencl::RuntimeOptions inThread, inWorkers;
  inThread.workers = 0;
  return {{"raw", [](const Product& product) { return std::make_unique<Raw>(product); }},
          {"threads", [=](const Product& product) { return std::make_unique<Tuned>(product, inThread); }},
          {"workers", [=](const Product& product) { return std::make_unique<Tuned>(product, inWorkers); }}};
}

Metrics run(const BenchOptions& options) {
  const apps::OpenedDevice on = apps::openDevice(options.line.has("device") ? options.line.text("device") : "");
  const Product product(on, sizeOf(options.line, on));
  const int rounds = options.isQuick ? 1 : 3;
  const double seconds = options.line.has("seconds") ? options.line.positive("seconds") : options.isQuick ? 3 : 20;
  std::printf("%s, %s: gemm %d, %d rounds of %g s a way\n", on.name.c_str(), on.driver.c_str(), product.n, rounds,
              seconds);

  std::vector<Times> times(ways().size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < times.size(); ++i) measure(*ways()[i].make(product), on.queue, seconds, times[i]);
  }

  Metrics metrics;
  std::printf("%-10s %9s %9s %9s %9s %11s %9s %8s %8s %9s\n", "", "p50", "p99", "p99.9", "worst", "worst call",
              "launches", "vs raw", "builds", "a second");
  for (std::size_t i = 0; i < times.size(); ++i) {
    Times& of = times[i];
    const std::string name = ways()[i].name;
    const double vsRaw = of.launchesPerSecond() / times[0].launchesPerSecond();
    const double buildsPerSecond = static_cast<double>(of.builds) / of.seconds;
    metrics[name + "_p50_us"] = of.quantile(0.5);
    metrics[name + "_p99_us"] = of.quantile(0.99);
    metrics[name + "_p999_us"] = of.quantile(0.999);
    metrics[name + "_worst_us"] = of.quantile(1);
    metrics[name + "_call_worst_us"] = of.worstCallUs;
    metrics[name + "_launches_per_s"] = of.launchesPerSecond();
    if (i > 0) {
      metrics[name + "_throughput_vs_raw"] = vsRaw;
      metrics[name + "_builds"] = static_cast<double>(of.builds);
      metrics[name + "_builds_per_s"] = buildsPerSecond;
    }
    std::printf("%-10s %9.1f %9.1f %9.1f %9.1f %11.1f %9.1f %8.3f %8zu %9.2f\n", name.c_str(), of.quantile(0.5),
                of.quantile(0.99), of.quantile(0.999), of.quantile(1), of.worstCallUs, of.launchesPerSecond(), vsRaw,
                of.builds, buildsPerSecond);
  }
  metrics["builds"] = metrics.at("workers_builds");
  metrics["builds_per_s"] = metrics.at("workers_builds_per_s");
  return metrics;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  const hone::bench::BenchProgram program{
      "launch_latency",
      "what tuning does to launches that an application waits for",
      {{"device", "index or part of the name or of the platform's (default: the first GPU, else the first)"},
       {"size", "of the matrices; a multiple of 64 (default: 1024, or less where a launch would take too long)"},
       {"seconds", "of each way in each of three rounds (default: 20; with --quick 3, in one round)"}}};
  return hone::bench::runBench(program, argc, argv, hone::bench::run);
}
