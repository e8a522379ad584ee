// What does a settled launch cost over the plain one (P7), and what with tuning off? The three calls alone, those of a
// TunedProgram, and a TunedKernel beside the same argument setting and enqueue done by hand, both with an event.
//
//   launch_overhead [--quick] [--json FILE] [--device N]     N counts the devices of all platforms

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "hone/opencl.h"
#include "metrics.h"
#include "support/allocation_counter.h"

namespace {

constexpr int kBatch =
    64;  // launches between two waits: long enough to hide the clock, short enough not to fill queues

void check(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  std::cerr << call << " failed: " << code << "\n";
  std::exit(2);
}

cl_device_id pickDevice(std::size_t wanted) {
  cl_uint platformCount = 0;
  clGetPlatformIDs(0, nullptr, &platformCount);
  std::vector<cl_platform_id> platforms(platformCount);
  clGetPlatformIDs(platformCount, platforms.data(), nullptr);
  std::vector<cl_device_id> all;
  for (cl_platform_id platform : platforms) {
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> devices(count);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr);
    all.insert(all.end(), devices.begin(), devices.end());
  }
  if (wanted >= all.size()) {
    std::cerr << "there is no OpenCL device " << wanted << "\n";
    std::exit(2);
  }
  return all[wanted];
}

constexpr const char* kSource = R"(
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void touch(__global float* data, float value, int n) {
  if (get_global_id(0) == 0 && n < 0) data[0] = value;
})";

/// A device with a plain kernel and a settled TunedKernel of the same code.
struct Bench {
  explicit Bench(cl_device_id chosen) : device(chosen) {
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    check(code, "clCreateCommandQueueWithProperties");
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &code);
    check(code, "clCreateBuffer");
    const cl_program byHand = clCreateProgramWithSource(context, 1, const_cast<const char**>(&source), nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(byHand, 1, &device, "-D WG=64", nullptr, nullptr), "clBuildProgram");
    plain = clCreateKernel(byHand, "touch", &code);
    check(code, "clCreateKernel");

    hone::Options options;
    options.maxTrials = 0;  // what is asked here is the cost of a settled launch
    runtime = std::make_unique<hone::opencl::Runtime>(context, device);
    tuned = makeKernel(options);
    for (int i = 0; i < 100'000 && (i == 0 || tuned->report({n_}).phase != hone::Phase::settled); ++i) {
      launch(*tuned).wait();
    }
    for (int i = 0; i < 100; ++i) launch(*tuned).wait();

    program = std::make_unique<hone::opencl::TunedProgram>(*runtime, kSource, "touch", options);
    program->addParameter("WG", {32, 64}, 64);
    for (int i = 0; i < 100; ++i) measureProgram();

    options.mode = hone::Mode::off;
    off = makeKernel(options);
    launch(*off).wait();
  }

  std::unique_ptr<hone::opencl::TunedKernel> makeKernel(const hone::Options& options) {
    auto kernel = std::make_unique<hone::opencl::TunedKernel>(*runtime, kSource, "touch", options);
    const auto [n] = kernel->problem("n");
    const hone::Parameter wg = kernel->addParameter("WG", {32, 64}, 64);
    kernel->global(hone::ceilDiv(n, wg) * wg).local(wg);
    kernel->build();
    return kernel;
  }

  hone::opencl::Event launch(hone::opencl::TunedKernel& kernel) { return kernel(queue, {n_}, buffer, 1.0f, n_); }

  void measureProgram() {
    program->startMeasurement({{"n", n_}});
    benchmark::DoNotOptimize(program->kernel("touch"));
    program->stopMeasurement();
  }

  cl_event launchByHand() {
    const float value = 1.0f;
    const std::size_t global = 64;
    const std::size_t local = 64;
    cl_event event = nullptr;
    clSetKernelArg(plain, 0, sizeof(buffer), &buffer);
    clSetKernelArg(plain, 1, sizeof(value), &value);
    clSetKernelArg(plain, 2, sizeof(n_), &n_);
    check(clEnqueueNDRangeKernel(queue, plain, 1, nullptr, &global, &local, 0, nullptr, &event),
          "clEnqueueNDRangeKernel");
    return event;
  }

  const char* source = kSource;
  int n_ = 64;
  cl_device_id device;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  cl_kernel plain = nullptr;
  std::unique_ptr<hone::opencl::Runtime> runtime;
  std::unique_ptr<hone::opencl::TunedKernel> tuned;  // settled
  std::unique_ptr<hone::opencl::TunedKernel> off;    // with tuning off
  std::unique_ptr<hone::opencl::TunedProgram> program;
};

/// Times batches of launches without the wait that follows each.
template <class Launch>
void timeLaunches(benchmark::State& state, Bench& bench, const Launch& launch) {
  std::size_t allocated = 0;
  std::size_t launches = 0;
  for (auto _ : state) {
    const std::size_t before = hone::test::allocations();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kBatch; ++i) launch();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    allocated += hone::test::allocations() - before;
    launches += kBatch;
    state.SetIterationTime(elapsed.count());
    clFinish(bench.queue);
  }
  state.counters["allocations"] = static_cast<double>(allocated) / static_cast<double>(launches);
}

void settle(hone::Tuner& tuner) {
  for (int i = 0; i < 100; ++i) {
    tuner.startMeasurement({{"n", 1}});
    tuner.stopMeasurement();
    tuner.step();
  }
}

hone::Options settledOptions() {
  hone::Options options;
  options.maxTrials = 0;
  options.hasOwnThread = false;
  return options;
}

void threeCalls(benchmark::State& state, hone::Mode mode) {
  hone::Options options = settledOptions();
  options.mode = mode;
  hone::Tuner tuner("bench", options);
  int block = 64;
  int unroll = 1;
  tuner.addParameter(&block, hone::powersOfTwo(16, 1024), 64, "block");
  tuner.addParameter(&unroll, {1, 2, 4, 8}, 1, "unroll");
  settle(tuner);
  for (auto _ : state) {
    tuner.startMeasurement({{"n", 1}});
    benchmark::DoNotOptimize(block);
    tuner.stopMeasurement();
  }
}

void ticket(benchmark::State& state) {
  hone::Tuner tuner("bench", settledOptions());
  const hone::Parameter block = tuner.addParameter("block", hone::powersOfTwo(16, 1024), 64);
  settle(tuner);
  for (auto _ : state) {
    hone::Ticket open = tuner.measure({{"n", 1}});
    benchmark::DoNotOptimize(open[block]);
    open.stop();
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t deviceIndex = 0;
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    if (std::string(argv[i]) == "--device" && i + 1 < argc) {
      deviceIndex = std::strtoul(argv[++i], nullptr, 10);
    } else {
      arguments.push_back(argv[i]);
    }
  }
  Bench bench(pickDevice(deviceIndex));
  std::string name(256, '\0');
  clGetDeviceInfo(bench.device, CL_DEVICE_NAME, name.size(), name.data(), nullptr);
  std::cout << "device: " << name.c_str() << "\n";

  benchmark::RegisterBenchmark("threeCalls", threeCalls, hone::Mode::tune);
  benchmark::RegisterBenchmark("threeCallsOff", threeCalls, hone::Mode::off);
  benchmark::RegisterBenchmark("ticket", ticket);
  benchmark::RegisterBenchmark("byHand", [&](benchmark::State& state) {
    timeLaunches(state, bench, [&] { clReleaseEvent(bench.launchByHand()); });
  })->UseManualTime();
  benchmark::RegisterBenchmark("tuned", [&](benchmark::State& state) {
    timeLaunches(state, bench, [&] { const hone::opencl::Event event = bench.launch(*bench.tuned); });
  })->UseManualTime();
  benchmark::RegisterBenchmark("off", [&](benchmark::State& state) {
    timeLaunches(state, bench, [&] { const hone::opencl::Event event = bench.launch(*bench.off); });
  })->UseManualTime();
  benchmark::RegisterBenchmark("program", [&](benchmark::State& state) {
    for (auto _ : state) bench.measureProgram();
  });

  return hone::bench::runBenchmarks(static_cast<int>(arguments.size()), arguments.data(), [](const auto& medians) {
    return hone::bench::Metrics{
        {"three_calls_settled_ns", medians.at("threeCalls")},
        {"three_calls_off_ns", medians.at("threeCallsOff")},
        {"ticket_settled_ns", medians.at("ticket")},
        {"program_settled_ns", medians.at("program")},
        {"launch_by_hand_ns", medians.at("byHand") / kBatch},
        {"launch_tuned_ns", medians.at("tuned") / kBatch},
        {"launch_tuned_minus_by_hand_ns", (medians.at("tuned") - medians.at("byHand")) / kBatch},
        {"launch_off_minus_by_hand_ns", (medians.at("off") - medians.at("byHand")) / kBatch},
        {"launch_tuned_vs_by_hand", medians.at("tuned") / medians.at("byHand")},
        {"launch_tuned_extra_allocations", medians.at("tuned/allocations") - medians.at("byHand/allocations")}};
  });
}
