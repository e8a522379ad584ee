// merge_sort.cl in configurations drawn from its wide space, each on lengths around its tiles and chunks, keys alone
// and with values, against the standard library's stable sort.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "buffers.h"
#include "device.h"
#include "exact_check.h"
#include "format.h"
#include "hone/error.h"
#include "merge_sort/merge_sort.h"
#include "opencl/program_configurations.h"

namespace hone::apps::merge_sort {
namespace {

ConfigurationSettings settings;  // set by main()

constexpr std::size_t kLongest = 40'009;  // a prime; tiles and chunks have 32 to 16384 elements

/// One configuration's program, on one device.
struct Bench {
  Bench(const OpenedDevice& device, opencl::Runtime& runtime, bool withValues, Options options)
      : on(device),
        hasValues(withValues),
        program(runtime, kernelSource(), "merge_sort", std::move(options)),
        space(program, runtime.facts(), hasValues, true),
        sort(on, kLongest, hasValues) {}

  void run(const Elements& in, const Elements& out, std::size_t n) {
    program.startMeasurement({{"n", n}});
    const Launched sorted = sort.enqueue(program, space.configuration(program), in, out, n);
    program.stopMeasurement(sorted.elapsed());
    sorted.wait();
  }

  void expectSorted(const std::vector<std::uint32_t>& keys) {
    SCOPED_TRACE(std::to_string(keys.size()) + (hasValues ? " keys with values" : " keys"));
    const std::size_t n = keys.size();
    Elements in{upload(on, keys), {}}, out{makeOutput(on, n), {}};
    const std::vector<std::uint32_t> order = stableOrder(keys);
    std::vector<std::uint32_t> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    std::vector<ExactCheck> checks{{on, out.keys, {"keys", sorted}}};
    if (hasValues) {
      in.values = upload(on, positions(n));
      out.values = makeOutput(on, n);
      checks.push_back({on, out.values, {"values", order}});
    }
    for (const ExactCheck& check : checks) check.clear();
    run(in, out, n);
    for (ExactCheck& check : checks) check.verify(1);
  }

  const OpenedDevice& on;
  const bool hasValues;
  opencl::TunedProgram program;
  Space space;
  MergeSort sort;
};

void expectEveryConfigurationIsRight(bool hasValues) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench declared(on, runtime, hasValues, {});
  for (const NamedConfiguration& configuration : drawConfigurations(declared.program, settings)) {
    SCOPED_TRACE(configurationText(configuration));
    try {
      Bench bench(on, runtime, hasValues, pinned(configuration));
      bench.expectSorted({7});
      EXPECT_EQ(bench.program.report({{"n", 1}}).best, configuration);   // this one runs
      bench.expectSorted(std::vector<std::uint32_t>(1000, 0xffffffff));  // as what lies behind the end of a tile
      for (const std::size_t n :
           {std::size_t{33}, std::size_t{4096}, std::size_t{4097}, std::size_t{20'000}, kLongest}) {
        if (n <= settings.longest) bench.expectSorted(randomKeys(n, static_cast<std::uint32_t>(n)));
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(MergeSort, EveryConfigurationSortsKeys) { expectEveryConfigurationIsRight(false); }
TEST(MergeSort, EveryConfigurationSortsKeysWithValues) { expectEveryConfigurationIsRight(true); }

TEST(MergeSort, NothingIsSortedAndMoreThanTheCapacityIsRefused) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench bench(on, runtime, false, {});
  const Elements in{makeOutput(on, 1), {}}, out{makeOutput(on, 1), {}};
  ExactCheck check(on, out.keys, {"keys", {}});
  check.clear();
  bench.run(in, out, 0);
  check.verify(1);
  EXPECT_THROW(bench.run(in, out, kLongest + 1), UsageError);
}

}  // namespace
}  // namespace hone::apps::merge_sort

int main(int argc, char** argv) {
  return hone::apps::runConfigurationTests(argc, argv, hone::apps::merge_sort::settings);
}
