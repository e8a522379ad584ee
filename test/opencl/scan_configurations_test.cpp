// scan.cl in configurations drawn from its wide space, each on lengths around its tile and its chunks, inclusive,
// exclusive and in place, against sums of the host.
#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "buffers.h"
#include "device.h"
#include "exact_check.h"
#include "format.h"
#include "hone/error.h"
#include "opencl/program_configurations.h"
#include "random_data.h"
#include "scan/scan.h"
#include "section.h"

namespace hone::apps::scan {
namespace {

ConfigurationSettings settings;  // set by main()

constexpr std::size_t kLongest = 70'001;  // tiles have 32 to 16384 elements

/// One configuration's program, on one device.
struct Bench {
  Bench(const OpenedDevice& device, opencl::Runtime& runtime, Options options)
      : on(device),
        program(runtime, kernelSource(), "scan", std::move(options)),
        space(program, runtime.facts(), whyNoLookBack(on.device, runtime.facts()), true),
        scan(on, kLongest) {}

  void run(const cl::Buffer& in, const cl::Buffer& out, std::size_t n, Kind kind) {
    program.startMeasurement({{"n", n}});
    const Launched sums = scan.enqueue(program, space.configuration(program), in, out, n, kind);
    program.stopMeasurement(sums.elapsed());
    sums.wait();
  }

  void expectSums(std::size_t n, Kind kind) {
    SCOPED_TRACE(std::to_string(n) + (kind == Kind::inclusive ? " inclusive" : " exclusive"));
    const std::vector<std::uint32_t> numbers = randomIntegers(n, 1ull << 32, 1);
    const cl::Buffer in = upload(on, numbers), out = makeOutput(on, n);
    ExactCheck check(on, out, {"out", referenceSums(numbers, kind)});
    check.clear();
    run(in, out, n, kind);
    check.verify(1);
  }

  void expectSumsInPlace(std::size_t n) {
    SCOPED_TRACE(std::to_string(n) + " in place");
    const std::vector<std::uint32_t> numbers = randomIntegers(n, 1ull << 32, 2);
    const cl::Buffer both = makeOutput(on, n);
    ExactCheck check(on, both, {"both", referenceSums(numbers, Kind::exclusive)});
    check.clear();
    on.queue.enqueueWriteBuffer(both, CL_TRUE, 0, 4 * n, numbers.data());
    run(both, both, n, Kind::exclusive);
    check.verify(1);
  }

  const OpenedDevice& on;
  opencl::TunedProgram program;
  Space space;
  Scan scan;
};

void expectEveryConfigurationIsRight(std::int64_t lookBack) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench declared(on, runtime, {});
  declared.program.restrictTo("LOOK_BACK", {lookBack});
  for (const NamedConfiguration& configuration : drawConfigurations(declared.program, settings)) {
    SCOPED_TRACE(configurationText(configuration));
    try {
      Bench bench(on, runtime, pinned(configuration));
      bench.expectSums(1, Kind::inclusive);
      EXPECT_EQ(bench.program.report({{"n", 1}}).best, configuration);  // this one runs
      for (const std::size_t n : {std::size_t{31}, std::size_t{4093}, std::size_t{16384}, kLongest}) {
        if (n > settings.longest) continue;
        bench.expectSums(n, Kind::inclusive);
        bench.expectSums(n, Kind::exclusive);
      }
      bench.expectSumsInPlace(4093);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(Scan, EveryReduceThenScanIsRight) { expectEveryConfigurationIsRight(0); }
TEST(Scan, EveryLookBackIsRight) { expectEveryConfigurationIsRight(1); }

TEST(Scan, NothingIsScannedAndMoreThanTheCapacityIsRefused) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench bench(on, runtime, {});
  const cl::Buffer buffer = makeOutput(on, 1);
  ExactCheck check(on, buffer, {"buffer", {}});
  check.clear();
  bench.run(buffer, buffer, 0, Kind::inclusive);
  check.verify(1);
  EXPECT_THROW(bench.run(buffer, buffer, kLongest + 1, Kind::inclusive), UsageError);
}

TEST(Section, IsEnqueuedAnewWhereItCannotBe) {
  const OpenedDevice on = openDevice(settings.device);
  opencl::Runtime runtime(on.context, on.device);
  Bench bench(on, runtime, {});
  const std::vector<std::uint32_t> numbers{3, 4, 5};
  const cl::Buffer in = upload(on, numbers), out = makeOutput(on, 3);
  ExactCheck check(on, out, {"out", {3, 7, 12}});
  check.clear();
  int enqueued = 0;
  const auto failing = [&](int times) {
    return [&, times] {
      if (++enqueued <= times) throw cl::Error(CL_OUT_OF_RESOURCES, "clEnqueueNDRangeKernel");
      return bench.scan.enqueue(bench.program, bench.space.configuration(bench.program), in, out, 3, Kind::inclusive);
    };
  };
  measured(bench.program, {{"n", 3}}, failing(2)).wait();
  EXPECT_EQ(enqueued, 3);
  check.verify(1);
  enqueued = 0;
  EXPECT_THROW(measured(bench.program, {{"n", 3}}, failing(1000)), cl::Error);
  EXPECT_EQ(enqueued, kTries);
}

}  // namespace
}  // namespace hone::apps::scan

int main(int argc, char** argv) { return hone::apps::runConfigurationTests(argc, argv, hone::apps::scan::settings); }
