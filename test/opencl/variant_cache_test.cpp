#include "opencl/variant_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "opencl/workbench.h"

namespace hone::opencl::detail {
namespace {

using test::Workbench;

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
  VariantCache cache(2);
  const auto variant = programs.makeVariant();
  cache.insert("a", variant);
  EXPECT_EQ(cache.find("a"), variant);
  EXPECT_EQ(cache.find("b"), nullptr);
  EXPECT_EQ(cache.find(""), nullptr);
}

TEST(VariantCache, KeepsTheFirstOfTwoForTheSameOptions) {
  Programs programs;
  VariantCache cache(2);
  const auto first = programs.makeVariant();
  cache.insert("a", first);
  cache.insert("a", programs.makeVariant());
  EXPECT_EQ(cache.find("a"), first);
}

TEST(VariantCache, LetsGoOfTheLeastRecentlyAskedFor) {
  Programs programs;
  VariantCache cache(3);
  for (const char* name : {"a", "b", "c"}) cache.insert(name, programs.makeVariant());
  cache.find("a");
  cache.insert("d", programs.makeVariant());  // b was asked for least recently
  EXPECT_EQ(held(cache, {"a", "b", "c", "d"}), "acd");
  cache.insert("e", programs.makeVariant());  // the question above was in the order a, c, d
  EXPECT_EQ(held(cache, {"a", "c", "d", "e"}), "cde");
}

TEST(VariantCache, HeldVariantsSurviveAndCount) {
  Programs programs;
  VariantCache cache(2);
  const auto a = programs.makeVariant();
  auto b = programs.makeVariant();
  cache.insert("a", a);
  cache.insert("b", b);
  cache.insert("c", programs.makeVariant());  // the only one that nobody holds
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "ab");
  b.reset();
  const auto c = programs.makeVariant();
  cache.insert("c", c);
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "ac");
  EXPECT_EQ(cache.find("a"), a);
}

TEST(VariantCache, ReturnsToItsBoundOnceVariantsAreGivenUp) {
  Programs programs;
  VariantCache cache(1);
  std::vector<std::shared_ptr<Variant>> inUse;
  for (const char* name : {"a", "b", "c"}) {
    inUse.push_back(programs.makeVariant());
    cache.insert(name, inUse.back());
  }
  EXPECT_EQ(held(cache, {"a", "b", "c"}), "abc");
  inUse.clear();
  cache.insert("d", programs.makeVariant());
  EXPECT_EQ(held(cache, {"a", "b", "c", "d"}), "d");
}

TEST(VariantCache, ReleasesThePrograms) {
  Programs programs;
  const cl_uint before = references(programs.program);
  {
    VariantCache cache(2);
    cache.insert("a", programs.makeVariant());
    const cl_uint ofOne = references(programs.program) - before;
    EXPECT_GE(ofOne, 1u);
    for (int i = 0; i < 10; ++i) {
      cache.insert(std::to_string(i), programs.makeVariant());
      EXPECT_EQ(references(programs.program), before + 2 * ofOne);
    }
  }
  EXPECT_EQ(references(programs.program), before);
}

TEST(VariantCache, ProgramOfALeaseOutlivesTheCache) {
  Programs programs;
  const cl_uint before = references(programs.program);
  auto cache = std::make_unique<VariantCache>(1);
  auto variant = programs.makeVariant();
  cache->insert("a", variant);
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
