#include "papers/device_tables.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "launched.h"
#include "papers_source.h"
#include "search_quality/scores.h"

namespace hone::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kEmptyLaunches = 20;
constexpr std::size_t kRuns = 15;            // of a ceiling's kernel
constexpr std::size_t kWorkGroup = 256;      // likewise
constexpr std::size_t kItemsPerUnit = 2048;  // enough work-items for a compute unit of a GPU to be full

double milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

double deviation(const std::vector<double>& samples) {
  const double middle = mean(samples);
  double squares = 0;
  for (const double sample : samples) squares += (sample - middle) * (sample - middle);
  return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

cl::Program buildKernels(const apps::OpenedDevice& on, int vector, int chains) {
  const cl::Program program(on.context, std::string(apps::kPapersSource));
  program.build(on.device, ("-D VECTOR=" + std::to_string(vector) + " -D CHAINS=" + std::to_string(chains)).c_str());
  return program;
}

cl::Event launch(const apps::OpenedDevice& on, const cl::Kernel& kernel, std::size_t items, std::size_t workGroup) {
  cl::Event done;
  on.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(items), cl::NDRange(workGroup), nullptr, &done);
  return done;
}

double medianMs(const std::function<cl::Event()>& launchOne) {
  launchOne().wait();  // where kernels are compiled at their first launch, that is over then
  std::vector<double> samples;
  for (std::size_t i = 0; i < kRuns; ++i) {
    const apps::Launched launched = launchOne();
    launched.wait();
    if (const auto ms = launched.deviceMs()) samples.push_back(*ms);
  }
  return quantile(std::move(samples), 0.5);
}

EmptyLaunches measureEmpty(const apps::OpenedDevice& on, const cl::Kernel& kernel, std::size_t workGroup) {
  constexpr std::size_t kItems = std::size_t{1} << 20;
  std::vector<double> host, events;
  launch(on, kernel, kItems, workGroup).wait();
  for (std::size_t i = 0; i < kEmptyLaunches; ++i) {
    const Clock::time_point before = Clock::now();
    const apps::Launched launched = launch(on, kernel, kItems, workGroup);
    on.queue.finish();
    host.push_back(milliseconds(before, Clock::now()));
    events.push_back(launched.deviceMs().value_or(0));
  }
  return {workGroup, quantile(host, 0.5), deviation(host), quantile(events, 0.5)};
}

double measureCopy(const apps::OpenedDevice& on, std::size_t bytes) {
  const std::size_t items = bytes / 16 / kWorkGroup * kWorkGroup;
  const cl::Buffer in(on.context, CL_MEM_READ_WRITE, items * 16), out(on.context, CL_MEM_READ_WRITE, items * 16);
  on.queue.enqueueFillBuffer(in, 1.0f, 0, items * 16);
  cl::Kernel copy(buildKernels(on, 1, 1), "copy");
  copy.setArg(0, in), copy.setArg(1, out);
  const double ms = medianMs([&] { return launch(on, copy, items, kWorkGroup); });
  return 2.0 * 16.0 * static_cast<double>(items) / ms / 1e6;
}

double measureMultiplyAdd(const apps::OpenedDevice& on, int vector, int chains) {
  const std::size_t items = on.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() * kItemsPerUnit;
  const cl::Buffer out(on.context, CL_MEM_READ_WRITE, items * sizeof(float));
  cl::Kernel kernel(buildKernels(on, vector, chains), "multiplyAdd");
  kernel.setArg(0, out), kernel.setArg(1, 0.999f), kernel.setArg(2, 0.001f);
  const auto msOf = [&](cl_int rounds) {
    kernel.setArg(3, rounds);
    return medianMs([&] { return launch(on, kernel, items, kWorkGroup); });
  };
  // As many rounds as take some milliseconds.
  cl_int rounds = 256;
  while (rounds < (1 << 20) && msOf(rounds) < 4) rounds *= 2;
  const double operations = 2.0 * vector * chains * static_cast<double>(rounds) * static_cast<double>(items);
  return operations / msOf(rounds) / 1e6;
}

}  // namespace

std::vector<EmptyLaunches> measureEmptyLaunches(const apps::OpenedDevice& on) {
  const cl::Kernel kernel(buildKernels(on, 1, 1), "empty");
  std::vector<EmptyLaunches> all;
  for (const std::size_t workGroup : {128, 256, 512, 1024}) {
    if (workGroup <= on.device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>())
      all.push_back(measureEmpty(on, kernel, workGroup));
  }
  return all;
}

Ceilings measureCeilings(const apps::OpenedDevice& on, std::size_t bytes) {
  Ceilings ceilings{measureCopy(on, bytes), 0};
  for (const int vector : {1, 4, 16}) {
    for (const int chains : {4, 8}) ceilings.gflops = std::max(ceilings.gflops, measureMultiplyAdd(on, vector, chains));
  }
  return ceilings;
}

}  // namespace hone::bench
