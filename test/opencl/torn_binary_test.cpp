// PoCL's binaries are packed from its cache, where another process may just be replacing a file.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "opencl/job_builder.h"
#include "opencl/variant.h"
#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

namespace fs = std::filesystem;
using hone::detail::ArgumentShape;
using hone::detail::CompileJob;
using hone::detail::CompileResult;
using hone::detail::WarmUp;

/// Removes what PoCL's cache holds of the programs with this kernel; returns the number of files.
int removeBitcode(const std::string& kernelName) {
  int removed = 0;
  for (const auto& entry : fs::recursive_directory_iterator(std::getenv("POCL_CACHE_DIR"))) {
    if (entry.path().filename() != "program.bc") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bitcode{std::istreambuf_iterator<char>(file), {}};
    if (bitcode.find(kernelName) != std::string::npos) removed += fs::remove(entry.path()) ? 1 : 0;
  }
  return removed;
}

TEST(TornBinary, IsMadeAgain) {
  const test::Workbench bench;
  CompileJob job;
  // A name that no earlier run has used, so that one file has it.
  job.kernel = "torn" + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
  job.source = "kernel void " + job.kernel + "() {}";
  job.warmUp = WarmUp{};
  job.warmUp->dimensions = 1;
  job.warmUp->global = {1, 1, 1};
  int removed = 0;
  const CompileResult result =
      detail::buildJob(bench.context.get(), bench.device, 1024, job, [&] { removed = removeBitcode(job.kernel); });
  EXPECT_EQ(removed, 1);
  ASSERT_FALSE(result.binary.empty()) << result.log;
  // Loading a torn one would end this process.
  const auto program = detail::buildFromBinary(bench.context.get(), bench.device, result.binary, job.options);
  EXPECT_TRUE(detail::makeKernel(program.get(), job.kernel).get());
}

}  // namespace
}  // namespace hone::opencl
