// What does a settled launch cost over the plain one (P7), and what while exploring, or with tuning off? The three
// calls alone, those of a TunedProgram, and a TunedKernel beside the same argument setting and enqueue done by hand,
// both with an event; on a queue with profiling, and on one without, where a sampled launch takes a way round.
//
//   launch_overhead [--quick] [--json FILE] [--device N]     N counts the devices of all platforms
//
// *_extra_ns is the median launch call minus the one by hand on the same queue, settled_allocations what a settled one
// allocates on top of it. exploring_* are launches that are all sampled, with no candidate ready and nobody compiling:
// the library's own work. What a way round costs the device shows in *_finish_us: a launch and clFinish.

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

/// A queue, and kernels that are launched on it alone: times that come from two queues may differ, and then they would
/// be measured more often.
struct OnQueue {
  cl_command_queue queue = nullptr;
  std::unique_ptr<hone::opencl::TunedKernel> settled;
  std::unique_ptr<hone::opencl::TunedKernel> exploring;  // for ever
};

/// A device with a plain kernel, and tuned ones of the same code.
struct Bench {
  explicit Bench(cl_device_id chosen) : device(chosen) {
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    profiling.queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    check(code, "clCreateCommandQueueWithProperties");
    unprofiled.queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
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
    idleRuntime = std::make_unique<hone::opencl::Runtime>(context, device, hone::opencl::Work::bySteps);
    for (OnQueue* on : {&profiling, &unprofiled}) {
      on->settled = makeKernel(*runtime, options);
      for (int i = 0; i < 100'000 && (i == 0 || !on->settled->report({n_}).isDecided); ++i)
        launch(*on->settled, on->queue).wait();
      for (int i = 0; i < 100; ++i) launch(*on->settled, on->queue).wait();
      on->exploring = makeKernel(*idleRuntime, {});
      for (int i = 0; i < 100; ++i) launch(*on->exploring, on->queue).wait();
    }

    program = std::make_unique<hone::opencl::TunedProgram>(*runtime, kSource, "touch", options);
    program->addParameter("WG", {32, 64}, 64);
    for (int i = 0; i < 100; ++i) measureProgram();

    options.mode = hone::Mode::off;
    off = makeKernel(*runtime, options);
    launch(*off, profiling.queue).wait();
  }

  std::unique_ptr<hone::opencl::TunedKernel> makeKernel(hone::opencl::Runtime& on, const hone::Options& options) {
    auto kernel = std::make_unique<hone::opencl::TunedKernel>(on, kSource, "touch", options);
    const auto [n] = kernel->problem("n");
    const hone::Parameter wg = kernel->addParameter("WG", {32, 64}, 64);
    kernel->global(hone::ceilDiv(n, wg) * wg).local(wg);
    kernel->build();
    return kernel;
  }

  hone::opencl::Event launch(hone::opencl::TunedKernel& kernel, cl_command_queue queue) {
    return kernel(queue, {n_}, buffer, 1.0f, n_);
  }

  void measureProgram() {
    program->startMeasurement({{"n", n_}});
    benchmark::DoNotOptimize(program->kernel("touch"));
    program->stopMeasurement();
  }

  cl_event launchByHand(cl_command_queue queue) {
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
  std::unique_ptr<hone::opencl::Runtime> runtime;
  std::unique_ptr<hone::opencl::Runtime> idleRuntime;  // nobody does its steps
  OnQueue profiling, unprofiled;
  cl_mem buffer = nullptr;
  cl_kernel plain = nullptr;
  std::unique_ptr<hone::opencl::TunedKernel> off;  // with tuning off
  std::unique_ptr<hone::opencl::TunedProgram> program;
};

/// Times batches of launches without the wait that follows each.
template <class Launch>
void timeLaunches(benchmark::State& state, cl_command_queue queue, const Launch& launch) {
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
    clFinish(queue);
  }
  state.counters["allocations"] = static_cast<double>(allocated) / static_cast<double>(launches);
}

template <class Launch>
void timeFinishes(benchmark::State& state, cl_command_queue queue, const Launch& launch) {
  for (auto _ : state) {
    launch();
    clFinish(queue);
  }
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

void registerAll(Bench& bench) {
  benchmark::RegisterBenchmark("threeCalls", threeCalls, hone::Mode::tune);
  benchmark::RegisterBenchmark("threeCallsOff", threeCalls, hone::Mode::off);
  benchmark::RegisterBenchmark("ticket", ticket);
  for (const OnQueue* on : {&bench.profiling, &bench.unprofiled}) {
    const auto add = [&](const std::string& what, const auto& launch) {
      const std::string suffix = on == &bench.profiling ? "" : "Unprofiled";
      benchmark::RegisterBenchmark((what + suffix).c_str(), [=](benchmark::State& state) {
        timeLaunches(state, on->queue, launch);
      })->UseManualTime();
      benchmark::RegisterBenchmark((what + "Finish" + suffix).c_str(), [=](benchmark::State& state) {
        timeFinishes(state, on->queue, launch);
      })->UseRealTime();
    };
    add("byHand", [&bench, on] { clReleaseEvent(bench.launchByHand(on->queue)); });
    add("settled", [&bench, on] { bench.launch(*on->settled, on->queue); });
    add("exploring", [&bench, on] { bench.launch(*on->exploring, on->queue); });
  }
  benchmark::RegisterBenchmark("off", [&bench](benchmark::State& state) {
    timeLaunches(state, bench.profiling.queue, [&] { bench.launch(*bench.off, bench.profiling.queue); });
  })->UseManualTime();
  benchmark::RegisterBenchmark("program", [&](benchmark::State& state) {
    for (auto _ : state) bench.measureProgram();
  });
}

hone::bench::Metrics toMetrics(const hone::bench::Medians& medians) {
  const auto of = [&](const std::string& what) {
    const auto found = medians.find(what);
    return found == medians.end() ? 0 : found->second;  // left out by a filter
  };
  const auto extra = [&](const std::string& what, const std::string& queue) {
    return (of(what + queue) - of("byHand" + queue)) / kBatch;
  };
  return hone::bench::Metrics{{"three_calls_settled_ns", of("threeCalls")},
                              {"three_calls_off_ns", of("threeCallsOff")},
                              {"ticket_settled_ns", of("ticket")},
                              {"program_settled_ns", of("program")},
                              {"by_hand_ns", of("byHand") / kBatch},
                              {"settled_extra_ns", extra("settled", "")},
                              {"exploring_extra_ns", extra("exploring", "")},
                              {"off_extra_ns", extra("off", "")},
                              {"settled_allocations", of("settled/allocations") - of("byHand/allocations")},
                              {"by_hand_finish_us", of("byHandFinish") / 1e3},
                              {"exploring_finish_us", of("exploringFinish") / 1e3},
                              {"unprofiled_by_hand_ns", of("byHandUnprofiled") / kBatch},
                              {"unprofiled_settled_extra_ns", extra("settled", "Unprofiled")},
                              {"unprofiled_exploring_extra_ns", extra("exploring", "Unprofiled")},
                              {"unprofiled_by_hand_finish_us", of("byHandFinishUnprofiled") / 1e3},
                              {"unprofiled_settled_finish_us", of("settledFinishUnprofiled") / 1e3},
                              {"unprofiled_exploring_finish_us", of("exploringFinishUnprofiled") / 1e3}};
}

}  // namespace

int main(int argc, char** argv) {
  const hone::bench::BenchProgram program{"launch_overhead",
                                          "times what the library adds to launches",
                                          {{"device", "counts the devices of all platforms (default: 0)"}},
                                          hone::apps::CommandLine::Unknown::kept};
  return hone::bench::runBench(program, argc, argv, [](const hone::bench::BenchOptions& options) {
    Bench bench(pickDevice(options.line.has("device") ? options.line.whole("device", 0) : 0));
    std::string name(256, '\0');
    clGetDeviceInfo(bench.device, CL_DEVICE_NAME, name.size(), name.data(), nullptr);
    std::cout << "device: " << name.c_str() << "\n";
    registerAll(bench);
    const hone::bench::Metrics metrics = toMetrics(hone::bench::runBenchmarks(options));
    hone::bench::printMetrics(metrics);
    return metrics;
  });
}
