// One build for one variant, however many problems want it.

#include <gtest/gtest.h>

#include "opencl/program_counter.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::Workbench;

TEST(SharedBuild, ProblemsThatWantTheSameVariantShareItsBuild) {
  Workbench bench;
  TunedKernel kernel(bench.runtime, "kernel void k(global int* out) { out[get_global_id(0)] = X; }", "k",
                     bench.options());
  const auto [n] = kernel.problem("n");
  kernel.addParameter("X", {1, 2}, 1);  // one candidate, in each problem
  kernel.global(n).local(4);
  const auto out = test::makeBytes(bench.context.get(), 64 * sizeof(int));
  kernel.build();
  const int before = test::programsCreated();
  for (int i = 0; i < 20; ++i) {  // both are exploring before anything is proposed
    for (int size : {16, 32, 64}) kernel(bench.queue.get(), {size}, out.get()).wait();
  }
  while (bench.runtime.step()) {
  }
  EXPECT_EQ(test::programsCreated() - before, 1);
  const auto areDecided = [&] {
    return kernel.report({16}).isDecided && kernel.report({32}).isDecided && kernel.report({64}).isDecided;
  };
  for (int i = 0; i < 20000 && !areDecided(); ++i) {
    for (int size : {16, 32, 64}) kernel(bench.queue.get(), {size}, out.get()).wait();
    bench.runtime.step();
  }
  for (int size : {16, 32, 64}) EXPECT_EQ(kernel.report({size}).trials, 1u) << size;
  EXPECT_EQ(test::programsCreated() - before, 1);
}

}  // namespace
}  // namespace hone::opencl
