#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "opencl/workbench.h"

namespace hone::opencl {
namespace {

using test::ascending;
using test::settles;
using test::Workbench;

/// A kernel with a parameter X of 1 and 2 that the source may ignore: each launch's arguments must arrive in the
/// default, in the candidate's warm-up and in the candidate.
struct TwoVariants {
  TwoVariants(Workbench& bench, const char* source, const char* name)
      : kernel(bench.runtime, source, name, bench.options()), X(kernel.addParameter("X", {1, 2}, 1)) {
    kernel.global(4).local(4);
  }
  TunedKernel kernel;
  Parameter X;
};

void expectNoFailure(Workbench& bench, TunedKernel& kernel) {
  EXPECT_EQ(kernel.report({}).trials, 1u);
  EXPECT_EQ(kernel.report({}).failed, 0u);
  EXPECT_TRUE(bench.messages().empty()) << bench.messages()[0];
}

struct Pair {
  cl_int number;
  cl_float factor;
};

TEST(KernelArguments, ScalarsOfAllWidthsVectorsAndStructs) {
  Workbench bench;
  constexpr const char* source = R"(
    typedef struct { int number; float factor; } Pair;
    kernel void scalars(global double* out, char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul,
                        float f, double d, float4 v, Pair p) {
      if (get_global_id(0) != 0) return;
      out[0] = c; out[1] = uc; out[2] = s; out[3] = us; out[4] = i; out[5] = ui; out[6] = l; out[7] = ul;
      out[8] = f; out[9] = d; out[10] = v.x; out[11] = v.w; out[12] = p.number * p.factor;
    })";
  TwoVariants run(bench, source, "scalars");
  const cl_float4 v{{0.25f, 1, 2, 0.75f}};
  const std::vector<double> expected{-1, 255, -300, 65535, -70000, 4e9, -5e12, 1e15, 0.5, 0.125, 0.25, 0.75, 7.5};
  const auto out = test::makeBuffer(bench.context.get(), std::vector<double>(expected.size()));
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] {
    test::write(bench.queue.get(), out, std::vector<double>(expected.size()));
    Event done = run.kernel(bench.queue.get(), {}, out.get(), cl_char{-1}, cl_uchar{255}, cl_short{-300},
                            cl_ushort{65535}, -70000, 4000000000u, cl_long{-5000000000000}, cl_ulong{1000000000000000},
                            0.5f, 0.125, v, Pair{3, 2.5f});
    EXPECT_EQ(test::read<double>(bench.queue.get(), out, expected.size()), expected);
    return done;
  }));
  expectNoFailure(bench, run.kernel);
}

TEST(KernelArguments, LocalMemoryOfAsManyBytesAsTheConfigurationNeeds) {
  Workbench bench;
  // Reverses each tile; the tile is as large as the work-group.
  constexpr const char* source = R"(
    kernel void reverse(global const int* in, global int* out, local int* tile, int n) {
      const int l = get_local_id(0), g = get_global_id(0);
      tile[l] = in[g];
      barrier(CLK_LOCAL_MEM_FENCE);
      out[g] = tile[WG - 1 - l] + WG;
    })";
  constexpr int n = 64;
  TunedKernel reverse(bench.runtime, source, "reverse", bench.options());
  auto WG = reverse.addParameter("WG", {4, 32}, 4);
  reverse.global(n).local(WG).localMemory(4 * WG);
  const auto in = test::makeBuffer(bench.context.get(), ascending(n));
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(n));
  ASSERT_TRUE(settles(bench, reverse, {}, [&] {
    Event done = reverse(bench.queue.get(), {}, in.get(), out.get(), localBytes(4 * WG), n);
    const std::vector<int> results = bench.ints(out, n);
    EXPECT_TRUE((results[0] == 3 + 4 && results[63] == 60 + 4) || (results[0] == 31 + 32 && results[63] == 32 + 32))
        << results[0] << " " << results[63];
    return done;
  }));
  expectNoFailure(bench, reverse);
}

TEST(KernelArguments, LocalMemoryMustBelongToTheKernel) {
  Workbench bench;
  TwoVariants run(bench, "kernel void nothing(local int* tile) {}", "nothing");
  TwoVariants other(bench, "kernel void nothing(local int* tile) {}", "nothing");
  EXPECT_THROW(run.kernel(bench.queue.get(), {}, localBytes(other.X)), UsageError);
  EXPECT_THROW(run.kernel(bench.queue.get(), {}, localBytes(4 / (run.X - 1))), UsageError);
  EXPECT_THROW(run.kernel(bench.queue.get(), {}, localBytes(run.X - 1)), Error);  // 0 bytes are no argument
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] { return run.kernel(bench.queue.get(), {}, localBytes(4 * run.X)); }));
  expectNoFailure(bench, run.kernel);
}

TEST(KernelArguments, SubBuffersAndABufferThatIsNotThere) {
  Workbench bench;
  constexpr const char* source = R"(
    kernel void copy(global const int* in, global int* out, global int* extra) {
      const int i = get_global_id(0);
      out[i] = in[i];
      if (extra) extra[i] = 1;
    })";
  TwoVariants run(bench, source, "copy");
  constexpr std::size_t origin = 1024;  // bytes; beyond any device's alignment
  const auto in = test::makeBuffer(bench.context.get(), ascending(1024));
  const auto out = test::makeBuffer(bench.context.get(), std::vector<int>(1024));
  const cl_buffer_region region{origin, 4 * sizeof(int)};
  cl_int code = CL_SUCCESS;
  const test::OwnedMemory inPart(
      clCreateSubBuffer(in.get(), CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  const test::OwnedMemory outPart(
      clCreateSubBuffer(out.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] {
    test::write(bench.queue.get(), out, std::vector<int>(1024, -1));
    Event done = run.kernel(bench.queue.get(), {}, inPart.get(), outPart.get(), nullptr);
    const std::vector<int> results = bench.ints(out, 1024);
    EXPECT_EQ(results[255], -1);
    EXPECT_EQ(results[256], 256);
    EXPECT_EQ(results[259], 259);
    EXPECT_EQ(results[260], -1);
    return done;
  }));
  expectNoFailure(bench, run.kernel);
}

/// 4 x 2 texels of 4 floats, numbered.
test::OwnedMemory makeImage(cl_context context) {
  const cl_image_format format{CL_RGBA, CL_FLOAT};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = 4;
  description.image_height = 2;
  std::vector<float> texels(4 * 2 * 4);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
  cl_int code = CL_SUCCESS;
  test::OwnedMemory image(
      clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, texels.data(), &code));
  EXPECT_EQ(code, CL_SUCCESS);
  return image;
}

TEST(KernelArguments, Images) {
  Workbench bench;
  constexpr const char* source = R"(
    kernel void look(read_only image2d_t image, global float* out) {
      const int i = get_global_id(0);
      out[i] = read_imagef(image, (int2)(i, 1)).x;
    })";
  TwoVariants run(bench, source, "look");
  const auto image = makeImage(bench.context.get());
  const auto out = test::makeBuffer(bench.context.get(), std::vector<float>(4));
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] {
    test::write(bench.queue.get(), out, std::vector<float>(4));
    Event done = run.kernel(bench.queue.get(), {}, image.get(), out.get());
    EXPECT_EQ(test::read<float>(bench.queue.get(), out, 4), (std::vector<float>{16, 20, 24, 28}));
    return done;
  }));
  expectNoFailure(bench, run.kernel);
}

TEST(KernelArguments, Samplers) {
  Workbench bench;
  constexpr const char* source = R"(
    kernel void look(read_only image2d_t image, sampler_t sampler, global float* out) {
      const int i = get_global_id(0);
      out[i] = read_imagef(image, sampler, (int2)(i + 2, 1)).x;
    })";
  TwoVariants run(bench, source, "look");
  const auto image = makeImage(bench.context.get());
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                              CL_FALSE,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              CL_ADDRESS_CLAMP_TO_EDGE,
                                              CL_SAMPLER_FILTER_MODE,
                                              CL_FILTER_NEAREST,
                                              0};
  cl_int code = CL_SUCCESS;
  const cl_sampler sampler = clCreateSamplerWithProperties(bench.context.get(), properties, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  const auto out = test::makeBuffer(bench.context.get(), std::vector<float>(4));
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] {
    test::write(bench.queue.get(), out, std::vector<float>(4));
    Event done = run.kernel(bench.queue.get(), {}, image.get(), sampler, out.get());
    EXPECT_EQ(test::read<float>(bench.queue.get(), out, 4), (std::vector<float>{24, 28, 28, 28}));
    return done;
  }));
  expectNoFailure(bench, run.kernel);
  clReleaseSampler(sampler);
}

TEST(KernelArguments, MayChangeFromLaunchToLaunch) {
  Workbench bench;
  constexpr const char* source = "kernel void fill(global int* out, int value) { out[get_global_id(0)] = value; }";
  TwoVariants run(bench, source, "fill");
  std::vector<test::OwnedMemory> buffers;
  for (std::size_t size : {4, 8, 400}) buffers.push_back(test::makeBuffer(bench.context.get(), std::vector<int>(size)));
  std::size_t i = 0;
  ASSERT_TRUE(settles(bench, run.kernel, {}, [&] {
    const test::OwnedMemory& out = buffers[++i % buffers.size()];
    const int value = static_cast<int>(i);
    Event done = run.kernel(bench.queue.get(), {}, out.get(), value);
    EXPECT_EQ(bench.ints(out, 4), std::vector<int>(4, value));
    return done;
  }));
  expectNoFailure(bench, run.kernel);
}

}  // namespace
}  // namespace hone::opencl
