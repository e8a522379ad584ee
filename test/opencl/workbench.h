// What a test of a TunedKernel stands on: a device whose candidates the test prepares itself, step by step, so that the
// same launches lead to the same trials.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <mutex>
#include <string>
#include <vector>

#include "support/opencl_device.h"

namespace hone::test {

struct Workbench {
  explicit Workbench(opencl::Work work = opencl::Work::bySteps)
      : device(poclDevices()[0]),
        context(makeContext({device})),
        queue(makeQueue(context.get(), device)),
        runtime(context.get(), device, work) {}

  /// Random search without a budget: it tries every configuration of a small space, and soon. Diagnostics go to
  /// messages().
  Options options() {
    Options options;
    options.strategy = "random";
    options.slowdownBudget = std::numeric_limits<double>::infinity();
    options.diagnostics = [this](const Diagnostic& diagnostic) {
      const std::lock_guard<std::mutex> lock(messagesMutex);
      received.push_back(diagnostic.message);
    };
    return options;
  }

  std::vector<std::string> messages() {
    const std::lock_guard<std::mutex> lock(messagesMutex);
    return received;
  }

  std::vector<int> ints(const OwnedMemory& buffer, std::size_t count) { return read<int>(queue.get(), buffer, count); }

  std::mutex messagesMutex;
  std::vector<std::string> received;
  const cl_device_id device;
  const OwnedContext context;
  const OwnedQueue queue;
  opencl::Runtime runtime;
};

/// Launches, waits and steps until the problem has settled and its final is over: from then on, the best
/// configuration runs. `launch` returns the launch's event; what it throws or expects is its own affair.
template <class Launch>
testing::AssertionResult settles(Workbench& bench, opencl::TunedKernel& kernel,
                                 std::initializer_list<opencl::Size> problem, const Launch& launch) {
  constexpr int kEnough =
      20000;  // the largest space of these tests needs 200, and as many more as a busy machine disturbs
  for (int i = 0; i < kEnough; ++i) {
    const opencl::Event done = launch();
    done.wait();
    if (testing::Test::HasFatalFailure()) return testing::AssertionFailure() << "in launch " << i;
    bench.runtime.step();
    if (kernel.report(problem).isDecided) return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "still " << toString(kernel.report(problem).phase) << " after " << kEnough
                                     << " launches";
}

inline std::vector<int> ascending(std::size_t count) {
  std::vector<int> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<int>(i);
  return values;
}

}  // namespace hone::test
