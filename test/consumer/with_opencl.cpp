// A program that embeds hone::opencl: a tuned kernel whose results are checked at every launch, and event times for the
// three calls.

#include <cstdio>
#include <cstdlib>
#include <hone/opencl.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr const char* kSource = R"(
  kernel void scale(global float* data, float factor, int n) {
    for (int i = get_global_id(0) * PER_ITEM; i < min(n, (int)(get_global_id(0) + 1) * PER_ITEM); ++i)
      data[i] *= factor;
  })";
constexpr int kCount = 1000;

/// A strategy of the program's own, which the library calls.
class InOrder final : public hone::Strategy {
 public:
  hone::Proposal propose(const hone::SearchSpace& space, const hone::Evidence& evidence, std::size_t atMost) override {
    hone::Proposal proposal;
    for (hone::Rank rank = 0; rank < space.size() && proposal.candidates.size() < atMost; ++rank)
      if (!evidence.find(rank)) proposal.candidates.push_back(rank);
    proposal.isConverged = proposal.candidates.empty();
    return proposal;
  }
};

void require(bool condition, const char* what) {
  if (condition) return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}

cl::Device cpu() {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    if (platform.getInfo<CL_PLATFORM_NAME>() == "Portable Computing Language")
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    if (!devices.empty()) return devices[0];
  }
  require(false, "there is a device");
  return {};
}

}  // namespace

int main() {
  const cl::Device device = cpu();
  const cl::Context context(device);
  const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);
  std::vector<float> data(kCount, 1.0f);
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, kCount * sizeof(float));

  hone::opencl::Runtime runtime(context, device, hone::opencl::Work::bySteps);
  hone::Options options;
  options.makeStrategy = [](std::uint64_t) { return std::make_unique<InOrder>(); };
  options.slowdownBudget = std::numeric_limits<double>::infinity();  // so that no trial waits for income
  hone::opencl::TunedKernel scale(runtime, kSource, "scale", options);
  const auto [n] = scale.problem("N");
  const hone::Parameter perItem = scale.addParameter("PER_ITEM", {1, 2, 4}, 1);
  scale.global(hone::ceilDiv(hone::ceilDiv(n, perItem), 8) * 8).local(8);
  for (int i = 0; i < 1'000'000; ++i) {  // candidates are ready when they are compiled, which launches do not wait for
    queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, kCount * sizeof(float), std::vector<float>(kCount, 1.0f).data());
    cl::Event done = scale(queue, {kCount}, buffer, 3.0f, kCount);
    done.wait();
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, kCount * sizeof(float), data.data());
    require(data == std::vector<float>(kCount, 3.0f), "each launch scales all elements");
    runtime.step();
    if (scale.report({kCount}).isDecided) break;
  }
  const hone::Report report = scale.report({kCount});
  std::printf("hone %s: %s, %zu trials\n", HONE_VERSION, hone::toString(report.phase), report.trials);
  require(report.phase == hone::Phase::settled && report.trials == 2 && report.failed == 0,
          "both candidates are tried");

  hone::Options own;
  own.hasOwnThread = false;
  hone::Tuner tuner("copy", own);
  tuner.addParameter("x", {1, 2}, 1);
  const cl::Buffer copy(context, CL_MEM_READ_WRITE, kCount * sizeof(float));
  for (int i = 0; i < 10; ++i) {
    cl::Event done;
    tuner.startMeasurement();
    queue.enqueueCopyBuffer(buffer, copy, 0, 0, kCount * sizeof(float), nullptr, &done);
    tuner.stopMeasurement(hone::opencl::elapsed(done));
    done.wait();
  }
  require(tuner.report().defaultCost.value_or(0) > 0, "the three calls read event times");

  bool isCaught = false;
  hone::opencl::TunedKernel broken(runtime, "#error no\n", "none");
  broken.addParameter("X", {1, 2}, 1);
  broken.global(1);
  try {
    broken.build();
  } catch (const hone::opencl::Error& error) {
    isCaught = error.code() != CL_SUCCESS;
  }
  require(isCaught, "the library's exceptions are caught as what they are");
  return 0;
}
