// A settled launch allocates nothing on the heap: no more than setting the arguments and enqueueing by hand.

#include <gtest/gtest.h>

#include <thread>

#include "hone/opencl_c.h"
#include "opencl/variant.h"
#include "opencl/workbench.h"
#include "support/allocation_counter.h"

namespace hone::opencl {
namespace {

using test::allocations;
using test::Workbench;

constexpr const char* kAdd = R"(
  kernel void addToAnArrayOfNumbers(global int* out, int value, local int* unused) { out[get_global_id(0)] = X * 0 + value; })";

template <class Action>
std::size_t allocationsOf(int times, const Action& action) {
  action();  // what the driver allocates once is not a launch's
  const std::size_t before = allocations();
  for (int i = 0; i < times; ++i) action();
  return allocations() - before;
}

TEST(LaunchAllocations, TheCountIsOfThisThread) {
  const auto allocateOnce = [] {
    int* volatile kept = new int;  // volatile: compilers may leave out what nobody looks at
    delete kept;
  };
  EXPECT_EQ(allocationsOf(3, allocateOnce), 3u);
  EXPECT_EQ(allocationsOf(3, [&] { std::thread(allocateOnce).join(); }), 3u);  // the thread object's own
}

TEST(LaunchAllocations, NoneOnTopOfTheEnqueue) {
  Workbench bench;
  constexpr int kLaunches = 1000;
  TunedKernel add(bench.runtime, kAdd, "addToAnArrayOfNumbers", bench.options());
  auto [N] = add.problem("N");
  auto X = add.addParameter("X", {1, 2}, 1);
  add.global(ceilDiv(N, 4) * 4).local(4);
  const auto out = test::makeBytes(bench.context.get(), 64);
  ASSERT_TRUE(
      test::settles(bench, add, {16}, [&] { return add(bench.queue.get(), {16}, out.get(), 1, localBytes(4 * X)); }));

  const detail::OwnedProgram program = detail::buildFromSource(bench.context.get(), bench.device, kAdd, "-D X=1");
  const detail::OwnedKernel plain = detail::makeKernel(program.get(), "addToAnArrayOfNumbers");
  const std::size_t byHand = allocationsOf(kLaunches, [&] {
    const cl_mem memory = out.get();
    const int value = 1;
    const std::size_t global = 16;
    const std::size_t local = 4;
    cl_event event = nullptr;
    clSetKernelArg(plain.get(), 0, sizeof(memory), &memory);
    clSetKernelArg(plain.get(), 1, sizeof(value), &value);
    clSetKernelArg(plain.get(), 2, 4, nullptr);
    clEnqueueNDRangeKernel(bench.queue.get(), plain.get(), 1, nullptr, &global, &local, 0, nullptr, &event);
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
  });
  const Expression bytes = 4 * X;  // built once, as a program that cares would
  const LocalBytes tile = localBytes(bytes);
  const std::size_t tuned = allocationsOf(kLaunches, [&] { add(bench.queue.get(), {16}, out.get(), 1, tile).wait(); });
  EXPECT_EQ(tuned, byHand);
  EXPECT_EQ(add.report({16}).phase, Phase::settled);
}

TEST(LaunchAllocations, NoneInAMeasurementOfASettledProgram) {
  Workbench bench;
  TunedProgram program(bench.runtime, kAdd, "a section whose name is not short", bench.options());
  const Parameter X = program.addParameter("X", {1, 2}, 1);
  const auto measureBoth = [&] {
    program.startMeasurement({{"items", 16}});
    const bool isThere = program.kernel("addToAnArrayOfNumbers")() && program[X] > 0;
    program.stopMeasurement(1.0);
    ProgramTicket ticket = program.measure({{"items", 16}});
    if (isThere && ticket.kernel("addToAnArrayOfNumbers")()) ticket.stop(1.0);
  };
  for (int i = 0; i < 100; ++i) {
    measureBoth();
    bench.runtime.step();
  }
  ASSERT_EQ(program.report({{"items", 16}}).phase, Phase::settled);
  EXPECT_EQ(allocationsOf(1000, measureBoth), 0u);
}

TEST(LaunchAllocations, NoneInTheThreeCallsFromC) {
  static const char* const names[] = {"a problem size whose name is not short"};
  static const std::int64_t values[] = {1, 2}, sizes[] = {16};
  int x = 0;
  hone_options* options = nullptr;
  hone_tuner* tuner = nullptr;
  ASSERT_EQ(hone_options_create(&options), HONE_OK);
  ASSERT_EQ(hone_options_set_thread(options, 0), HONE_OK);
  ASSERT_EQ(hone_options_set_budget(options, std::numeric_limits<double>::infinity()), HONE_OK);
  ASSERT_EQ(hone_tuner_create("code", options, &tuner), HONE_OK);
  hone_options_destroy(options);
  ASSERT_EQ(hone_tuner_bind_int(tuner, "x", values, 2, 1, &x, nullptr), HONE_OK);
  const auto measure = [&] {
    return hone_tuner_start(tuner, names, sizes, 1) == HONE_OK && hone_tuner_stop_cost(tuner, 1.0 + x) == HONE_OK;
  };
  hone_report report = {};
  for (int i = 0; i < 1000 && !report.is_decided; ++i) {
    ASSERT_TRUE(measure()) << hone_last_error();
    ASSERT_EQ(hone_tuner_step(tuner, nullptr), HONE_OK);
    ASSERT_EQ(hone_tuner_report(tuner, names, sizes, 1, &report, nullptr, 0), HONE_OK);
  }
  ASSERT_TRUE(report.is_decided);
  bool isRight = true;
  EXPECT_EQ(allocationsOf(1000, [&] { isRight = isRight && measure(); }), 0u);
  EXPECT_TRUE(isRight);
  hone_tuner_destroy(tuner);
}

}  // namespace
}  // namespace hone::opencl
