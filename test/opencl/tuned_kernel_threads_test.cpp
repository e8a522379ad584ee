// Launches from several threads, and kernels that end while their candidates are prepared.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "opencl/program_counter.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::ascending;
using test::Workbench;

constexpr int kItems = 300;

constexpr const char* kAdd = R"(
  kernel void add(global const int* in, global int* out, int value) {
    const int first = get_global_id(0) * PER_ITEM;
    for (int i = first; i < first + PER_ITEM && i < 300; ++i) out[i] = in[i] + value;
  })";

struct AddKernel {
  explicit AddKernel(Workbench& bench)
      : in(test::makeBuffer(bench.context.get(), ascending(kItems))),
        out(test::makeBuffer(bench.context.get(), std::vector<int>(kItems))) {
    kernel = std::make_unique<TunedKernel>(bench.runtime, kAdd, "add", bench.options());
    auto WG = kernel->addParameter("WG", {4, 8}, 8);
    auto PER_ITEM = kernel->addParameter("PER_ITEM", {1, 3, 7}, 1);
    kernel->global(ceilDiv(kItems, WG * PER_ITEM) * WG).local(WG);
  }
  std::unique_ptr<TunedKernel> kernel;
  test::OwnedMemory in;
  test::OwnedMemory out;
};

TEST(TunedKernelThreads, LaunchesOfTwoThreadsAreRight) {
  Workbench bench(Work::byThread);
  AddKernel add(bench);
  std::atomic<std::uint64_t> launches{0};
  std::atomic<int> wrong{0};
  const auto work = [&](int thread) {
    const auto queue = test::makeQueue(bench.context.get(), bench.device);
    const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(kItems));
    for (int i = 0; i < 3000; ++i) {
      const int value = 1000 * i + thread;
      (*add.kernel)(queue.get(), {}, add.in.get(), out.get(), value).wait();
      ++launches;
      const std::vector<int> results = test::read<int>(queue.get(), out, kItems);
      for (int k = 0; k < kItems; ++k) wrong += results[static_cast<std::size_t>(k)] == k + value ? 0 : 1;
      if (add.kernel->report({}).phase == Phase::settled) break;
    }
  };
  std::thread one(work, 1);
  std::thread two(work, 2);
  one.join();
  two.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(add.kernel->report({}).launches, launches);
  EXPECT_EQ(add.kernel->report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

TEST(TunedKernelThreads, FirstLaunchesOfTwoThreadsBuildOnce) {
  Workbench bench;
  AddKernel add(bench);
  const auto work = [&] {
    const auto queue = test::makeQueue(bench.context.get(), bench.device);
    const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(kItems));
    (*add.kernel)(queue.get(), {}, add.in.get(), out.get(), 1).wait();
    EXPECT_EQ(test::read<int>(queue.get(), out, kItems)[299], 300);
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  EXPECT_EQ(add.kernel->report({}).launches, 2u);
}

/// Launches until candidates are being prepared, with the last launches not waited for.
void launchUntilExploring(Workbench& bench, AddKernel& add) {
  const auto launch = [&] { return (*add.kernel)(bench.queue.get(), {}, add.in.get(), add.out.get(), 1); };
  launch().wait();
  // Six, or more where a launch had no usable time.
  for (int i = 0; i < 1000 && add.kernel->report({}).phase == Phase::warmingUp; ++i) launch().wait();
  EXPECT_NE(add.kernel->report({}).phase, Phase::warmingUp);
  for (int i = 0; i < 3; ++i) launch();
}

TEST(TunedKernelThreads, KernelMayEndWhileCandidatesAreCompiled) {
  Workbench bench(Work::byThread);
  for (int i = 0; i < 4; ++i) {
    AddKernel add(bench);
    AddKernel other(bench);
    launchUntilExploring(bench, add);
    launchUntilExploring(bench, other);
  }
  AddKernel last(bench);  // the runtime works on
  launchUntilExploring(bench, last);
}

TEST(TunedKernelThreads, RuntimeMayEndWhileCandidatesAreCompiled) {
  for (int i = 0; i < 3; ++i) {
    Workbench bench(Work::byThread);
    AddKernel add(bench);
    launchUntilExploring(bench, add);
  }
}

TEST(TunedKernelThreads, IdleRuntimeCompilesNothing) {
  Workbench bench(Work::byThread);
  AddKernel add(bench);
  launchUntilExploring(bench, add);
  add.kernel->settle();
  bench.runtime.waitUntilIdle();
  const int before = test::programsCreated();
  for (int i = 0; i < 50; ++i) (*add.kernel)(bench.queue.get(), {}, add.in.get(), add.out.get(), 1).wait();
  EXPECT_EQ(test::programsCreated(), before);
}

TEST(TunedKernelThreads, PendingEventsOutliveTheKernel) {
  Workbench bench;
  cl_int code = CL_SUCCESS;
  const Event gate(clCreateUserEvent(bench.context.get(), &code));
  Event done;
  test::OwnedMemory out;
  {
    AddKernel add(bench);
    for (int i = 0; i < 5; ++i)
      done = (*add.kernel)(Launch{bench.queue.get(), std::vector{gate}}, {}, add.in.get(), add.out.get(), i);
    out = std::move(add.out);
  }
  clSetUserEventStatus(gate(), CL_COMPLETE);
  done.wait();
  EXPECT_EQ(bench.ints(out, kItems)[10], 10 + 4);
}

TEST(TunedKernelThreads, TunerMayEndWithEventsPending) {
  Workbench bench;
  cl_int code = CL_SUCCESS;
  const Event gate(clCreateUserEvent(bench.context.get(), &code));
  const cl_event waitFor = gate();
  cl_event marker = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(bench.queue.get(), 1, &waitFor, &marker), CL_SUCCESS);
  Event pending(marker);
  {
    Tuner tuner("section");
    int x = 0;
    tuner.addParameter(&x, {1, 2, 3}, 1, "x");
    for (int i = 0; i < 5; ++i) {
      tuner.startMeasurement();
      tuner.stopMeasurement(elapsed(pending));
    }
  }
  clSetUserEventStatus(gate(), CL_COMPLETE);
  pending.wait();
}

}  // namespace
}  // namespace hone::opencl
