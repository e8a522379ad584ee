#include "opencl/variant_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "opencl/workbench.h"

namespace hone::opencl::detail {
namespace {

using test::Workbench;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// Variants of one compiled program, which counts its holders: the driver's count falls as variants are destroyed.
struct Programs {
  Programs() : program(buildFromSource(bench.context.get(), bench.device, "kernel void nothing() {}", "")) {}

  std::shared_ptr<Variant> makeVariant() {
    clRetainProgram(program.get());
    return std::make_shared<Variant>(OwnedProgram(program.get()), bench.device, "nothing");
  }

  Workbench bench;
  OwnedProgram program;
};

cl_uint references(const OwnedProgram& program) {
  cl_uint count = 0;
  EXPECT_EQ(clGetProgramInfo(program.get(), CL_PROGRAM_REFERENCE_COUNT, sizeof(count), &count, nullptr), CL_SUCCESS);
  return count;
}

std::string held(VariantCache& cache, const std::vector<std::string>& names) {
  std::string found;
  for (const std::string& name : names) found += cache.find(name) ? name : "";
  return found;
}

TEST(VariantCache, FindsWhatWasInserted) {
  Programs programs;
  VariantCache cache({2, kNoLimit});
  const auto variant = programs.makeVariant();
  cache.insert("a", variant, 0);
  EXPECT_EQ(cache.find("a"), variant);
  EXPECT_EQ(cache.find("b"), nullptr);
  EXPECT_EQ(cache.find(""), nullptr);
}

TEST(VariantCache, KeepsTheFirstOfTwoForTheSameOptions) {
  Programs programs;
  VariantCache cache({2, kNoLimit});
  const auto first = programs.makeVariant();
  cache.insert("a", first, 0);
  cache.insert("a", programs.makeVariant(), 0);
  EXPECT_EQ(cache.find("a"), first);
}

TEST(VariantCache, LetsGoOfTheLeastRecentlyAskedFor) {
  Programs programs;
  VariantCache cache({3, kNoLimit});
  for (const char* name : {"a", "b", "c"}) cache.insert(name, programs.makeVariant(), 0);
  cache.find("a");
  cache.insert("d", programs.makeVariant(), 0);  // b was asked for least recently
  EXPECT_EQ(held(cache, {"a", "b", "c", "d"}), "acd");
  cache.insert("e", programs.makeVariant(), 0);  // the question above was in the order a, c, d
  EXPECT_EQ(held(cache, {"a", "c", "d", "e"}), "cde");
}

TEST(VariantCache, HeldVariantsSurviveAndCount) {
  Programs programs;
  VariantCache cache({2, kNoLimit});
  const auto a = programs.makeVariant();
  auto b = programs.makeVariant();
  cache.insert("a", a, 0);
  cache.insert("b", b, 0);
  cache.insert("c", programs.makeVariant(), 0);  // the only one that nobody holds
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "ab");
  b.reset();
  const auto c = programs.makeVariant();
  cache.insert("c", c, 0);
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "ac");
  EXPECT_EQ(cache.find("a"), a);
}

TEST(VariantCache, ReturnsToItsBoundOnceVariantsAreGivenUp) {
  Programs programs;
  VariantCache cache({1, kNoLimit});
  std::vector<std::shared_ptr<Variant>> inUse;
  for (const char* name : {"a", "b", "c"}) {
    inUse.push_back(programs.makeVariant());
    cache.insert(name, inUse.back(), 0);
  }
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "abc");
  inUse.clear();
  cache.insert("d", programs.makeVariant(), 0);
  EXPECT_EQ(held(cache, {"a", "b", "c", "d"}), "d");
}

TEST(VariantCache, LetsGoOfAsManyAsTheirBytesDemand) {
  Programs programs;
  VariantCache cache({10, 100});
  for (const char* name : {"a", "b", "c"}) cache.insert(name, programs.makeVariant(), 30);
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "abc");
  cache.insert("d", programs.makeVariant(), 41);  // 131 bytes: without a 101, without b 71
  EXPECT_EQ(held(cache, {"a", "b", "c", "d"}), "cd");
  cache.insert("e", programs.makeVariant(), 29);
  EXPECT_EQ(held(cache, {"c", "d", "e"}), "cde");  // 100
}

TEST(VariantCache, DoesNotKeepWhatIsLargerThanItsBound) {
  Programs programs;
  VariantCache cache({10, 100});
  cache.insert("a", programs.makeVariant(), 100);
  cache.insert("b", programs.makeVariant(), 101);
  EXPECT_EQ(held(cache, {"a", "b"}), "");
}

TEST(VariantCache, PinnedVariantsStay) {
  Programs programs;
  VariantCache cache({1, kNoLimit});
  cache.pin("a");
  EXPECT_EQ(cache.find("a"), nullptr);
  cache.insert("a", programs.makeVariant(), 0);
  cache.insert("b", programs.makeVariant(), 0);
  cache.insert("c", programs.makeVariant(), 0);
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "a");
}

TEST(VariantCache, EightThreadsBuildOnce) {
  Programs programs;
  VariantCache cache({4, kNoLimit});
  std::atomic<int> builds{0};
  std::vector<std::shared_ptr<Variant>> got(8);
  std::vector<std::thread> threads;
  for (auto& variant : got) {
    threads.emplace_back([&] {
      variant = cache.findOrBuild("a", [&] {
        ++builds;
        std::this_thread::yield();
        return programs.makeVariant();
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(builds, 1);
  for (const auto& variant : got) EXPECT_EQ(variant, got[0]);
}

TEST(VariantCache, BuildsOfOtherOptionsAreNotWaitedFor) {
  Programs programs;
  VariantCache cache({4, kNoLimit});
  cache.findOrBuild("a", [&] {
    cache.findOrBuild("b", [&] { return programs.makeVariant(); });  // would wait for ever
    return programs.makeVariant();
  });
  EXPECT_EQ(held(cache, {"a", "b"}), "ab");
}

TEST(VariantCache, AfterAFailedBuildTheNextOneTries) {
  Programs programs;
  VariantCache cache({4, kNoLimit});
  const auto fail = []() -> std::shared_ptr<Variant> { throw std::runtime_error("no"); };
  EXPECT_THROW(cache.findOrBuild("a", fail), std::runtime_error);
  EXPECT_THROW(cache.findOrBuild("a", fail), std::runtime_error);
  EXPECT_NE(cache.findOrBuild("a", [&] { return programs.makeVariant(); }), nullptr);
}

TEST(VariantCache, ReleasesThePrograms) {
  Programs programs;
  const cl_uint before = references(programs.program);
  {
    VariantCache cache({2, kNoLimit});
    cache.insert("a", programs.makeVariant(), 0);
    const cl_uint ofOne = references(programs.program) - before;
    EXPECT_GE(ofOne, 1u);
    for (int i = 0; i < 10; ++i) {
      cache.insert(std::to_string(i), programs.makeVariant(), 0);
      EXPECT_EQ(references(programs.program), before + 2 * ofOne);
    }
  }
  EXPECT_EQ(references(programs.program), before);
}

TEST(VariantCache, ProgramOfALeaseOutlivesTheCache) {
  Programs programs;
  const cl_uint before = references(programs.program);
  auto cache = std::make_unique<VariantCache>(VariantCache::Bounds{1, kNoLimit});
  auto variant = programs.makeVariant();
  cache->insert("a", variant, 0);
  {
    const Variant::Lease first(*variant);
    const Variant::Lease second(*variant);  // the pool had one
    EXPECT_NE(first.kernel(), second.kernel());
    cache.reset();
    EXPECT_GT(references(programs.program), before);
  }
  variant.reset();
  EXPECT_EQ(references(programs.program), before);
}

TEST(Variant, GivesAKernelBackToTheNextLease) {
  Programs programs;
  const auto variant = programs.makeVariant();
  cl_kernel first = nullptr;
  {
    const Variant::Lease lease(*variant);
    first = lease.kernel();
  }
  const Variant::Lease lease(*variant);
  EXPECT_EQ(lease.kernel(), first);
}

TEST(Variant, CanBeMadeFromABinary) {
  Programs programs;
  std::size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(programs.program.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr),
            CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* bytes = binary.data();
  ASSERT_EQ(clGetProgramInfo(programs.program.get(), CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr), CL_SUCCESS);
  Variant(buildFromBinary(programs.bench.context.get(), programs.bench.device, binary, ""), programs.bench.device,
          "nothing");
  binary.assign(binary.size(), 0);  // PoCL 3.1 aborts on a binary that is its own, but cut short
  EXPECT_THROW(buildFromBinary(programs.bench.context.get(), programs.bench.device, binary, ""), Error);
}

}  // namespace
}  // namespace hone::opencl::detail
