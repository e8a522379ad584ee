// PoCL compiles a kernel's work-group function when it is launched first. Candidates are warmed up, so that this
// happens off the launch path.

#include <gtest/gtest.h>

#include <string>

#include "opencl/compiled_functions.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::compiledFunctions;
using test::Workbench;

class WarmUp : public testing::TestWithParam<int> {};

TEST_P(WarmUp, LeavesNothingToCompileToTheLaunches) {
  Workbench bench;
  const std::string name = test::newKernelName();
  const std::string source = "kernel void " + name + "(global int* out) { out[get_global_id(0)] = X; }";
  const int items = GetParam();
  TunedKernel kernel(bench.runtime, source, name, bench.options());
  kernel.addParameter("X", {1, 2}, 1);
  kernel.global(items).local(8);
  const auto out = test::makeBytes(bench.context.get(), sizeof(int) * static_cast<std::size_t>(items));
  kernel(bench.queue.get(), {}, out.get()).wait();  // the default compiles here, as it would without tuning
  EXPECT_GE(compiledFunctions(name), 1u);
  ASSERT_TRUE(test::settles(bench, kernel, {}, [&] {
    const std::size_t before = compiledFunctions(name);
    Event done = kernel(bench.queue.get(), {}, out.get());
    done.wait();
    EXPECT_EQ(compiledFunctions(name), before);
    return done;
  }));
  EXPECT_EQ(kernel.report({}).trials, 1u);
}

// From 65536 work-items on, PoCL 3.1 compiles another function than for smaller grids.
INSTANTIATE_TEST_SUITE_P(SmallAndLargeGrids, WarmUp, testing::Values(65528, 65536));

}  // namespace
}  // namespace hone::opencl
