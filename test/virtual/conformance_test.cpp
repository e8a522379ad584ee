// The virtual device against PoCL: the same small programs give the same results, the same event states and the same
// errors on both. What stands here as expected is what both must give.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#include "support/opencl_device.h"
#include "support/virtual_device/expect_clean.h"
#include "support/virtual_device/models/composed_model.h"

namespace hone::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* kSource = R"(
  #ifndef STEP
  #define STEP 1
  #endif
  kernel void scale(global const int* in, global int* out, int factor) {
    const size_t i = get_global_id(0);
    out[i] = factor * in[i] + STEP;
  }
  kernel __attribute__((reqd_work_group_size(4, 2, 1))) void positions(global int* out) {
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = (int)(100 * get_global_id(1) + get_global_id(0));
  }
  kernel void sums(global const int* in, global int* out, local int* group, long start) {
    const size_t i = get_local_id(0);
    group[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i != 0) return;
    int sum = (int)start;
    for (size_t k = 0; k < get_local_size(0); ++k) sum += group[k];
    out[get_group_id(0)] = sum;
  })";

void scale(const KernelCall& call) {
  const auto in = call.buffer<const int>(0);
  const auto out = call.buffer<int>(1);
  const auto found = call.macros().find("STEP");
  const int step = found == call.macros().end() ? 1 : static_cast<int>(found->second);
  for (std::size_t i = call.offset(0); i < call.offset(0) + call.global(0); ++i)
    out[i] = call.scalar<int>(2) * in[i] + step;
}

void positions(const KernelCall& call) {
  const auto out = call.buffer<int>(0);
  for (std::size_t y = 0; y < call.global(1); ++y) {
    for (std::size_t x = 0; x < call.global(0); ++x) out[y * call.global(0) + x] = static_cast<int>(100 * y + x);
  }
}

void sums(const KernelCall& call) {
  const auto in = call.buffer<const int>(0);
  const auto out = call.buffer<int>(1);
  EXPECT_EQ(call.localBytes(2), call.local(0) * sizeof(int));
  for (std::size_t group = 0; group < call.global(0) / call.local(0); ++group) {
    const auto first = in.begin() + static_cast<std::ptrdiff_t>(group * call.local(0));
    out[group] = std::accumulate(first, first + static_cast<std::ptrdiff_t>(call.local(0)),
                                 static_cast<int>(call.scalar<std::int64_t>(3)));
  }
}

struct OnPocl {
  cl_device_id device = poclDevices()[0];
  static void forgive() {}
};

struct OnVirtual {
  OnVirtual() : virtualDevice(lasting(50us)), clean(virtualDevice) {
    virtualDevice.kernel("scale", scale);
    virtualDevice.kernel("positions", positions);
    virtualDevice.kernel("sums", sums);
    device = virtualDevice.id();
  }
  /// The misuse so far was meant.
  void forgive() { virtualDevice.takeViolations(); }

  VirtualDevice virtualDevice;
  ExpectsClean clean;
  cl_device_id device;
};

using opencl::detail::OwnedKernel;
using opencl::detail::OwnedProgram;
struct ReleasesEvent {
  void operator()(cl_event event) const { clReleaseEvent(event); }
};
using OwnedEvent = std::unique_ptr<_cl_event, ReleasesEvent>;

template <class Platform>
class Conformance : public testing::Test {
 protected:
  Conformance()
      : context(makeContext({on.device})),
        queue(makeQueue(context.get(), on.device)),
        program(makeProgram(kSource, "-cl-kernel-arg-info")) {}

  OwnedProgram makeProgram(const char* source, const char* options) {
    cl_int code = CL_SUCCESS;
    OwnedProgram made(clCreateProgramWithSource(context.get(), 1, &source, nullptr, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(clBuildProgram(made.get(), 1, &on.device, options, nullptr, nullptr), CL_SUCCESS);
    return made;
  }
  OwnedKernel makeKernel(const char* name) {
    cl_int code = CL_SUCCESS;
    OwnedKernel kernel(clCreateKernel(program.get(), name, &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return kernel;
  }
  OwnedMemory ints(std::vector<int> values) { return makeBuffer(context.get(), values); }
  std::vector<int> readInts(const OwnedMemory& buffer, std::size_t count) {
    return read<int>(queue.get(), buffer, count);
  }
  static void set(const OwnedKernel& kernel, cl_uint index, const OwnedMemory& buffer) {
    const cl_mem handle = buffer.get();
    EXPECT_EQ(clSetKernelArg(kernel.get(), index, sizeof(handle), &handle), CL_SUCCESS);
  }
  static void set(const OwnedKernel& kernel, cl_uint index, int value) {
    EXPECT_EQ(clSetKernelArg(kernel.get(), index, sizeof(value), &value), CL_SUCCESS);
  }
  OwnedKernel makeScale(const OwnedMemory& in, const OwnedMemory& out, int factor) {
    OwnedKernel kernel = makeKernel("scale");
    set(kernel, 0, in);
    set(kernel, 1, out);
    set(kernel, 2, factor);
    return kernel;
  }
  static OwnedEvent launch(const OwnedQueue& to, const OwnedKernel& kernel, std::size_t items,
                           const std::vector<cl_event>& waitFor = {}) {
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(to.get(), kernel.get(), 1, nullptr, &items, nullptr,
                                     static_cast<cl_uint>(waitFor.size()), waitFor.empty() ? nullptr : waitFor.data(),
                                     &event),
              CL_SUCCESS);
    return OwnedEvent(event);
  }
  OwnedEvent makeUserEvent() {
    cl_int code = CL_SUCCESS;
    OwnedEvent event(clCreateUserEvent(context.get(), &code));
    EXPECT_EQ(code, CL_SUCCESS);
    return event;
  }
  static cl_int statusOf(const OwnedEvent& event) {
    cl_int status = 99;
    EXPECT_EQ(clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
              CL_SUCCESS);
    return status;
  }

  Platform on;
  OwnedContext context;
  OwnedQueue queue;
  OwnedProgram program;
  OwnedMemory one{ints({1})};
};

using Platforms = testing::Types<OnPocl, OnVirtual>;
struct PlatformNames {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, OnPocl> ? "Pocl" : "Virtual";
  }
};
TYPED_TEST_SUITE(Conformance, Platforms, PlatformNames);

// ---- results

TYPED_TEST(Conformance, KernelsGiveResults) {
  const auto in = this->ints({1, 2, 3, 4, 5, 6, 7, 8});
  const auto out = this->ints(std::vector<int>(8));
  const auto kernel = this->makeScale(in, out, 10);
  this->launch(this->queue, kernel, 8);
  EXPECT_EQ(this->readInts(out, 8), (std::vector<int>{11, 21, 31, 41, 51, 61, 71, 81}));
  this->set(kernel, 2, -1);
  const std::size_t offset = 2, items = 4;
  EXPECT_EQ(clEnqueueNDRangeKernel(this->queue.get(), kernel.get(), 1, &offset, &items, &items, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(this->readInts(out, 8), (std::vector<int>{11, 21, -2, -3, -4, -5, 71, 81}));
}

TYPED_TEST(Conformance, KernelsOfTwoDimensionsAndWithLocalMemoryGiveResults) {
  const auto out = this->ints(std::vector<int>(32));
  const auto positionsKernel = this->makeKernel("positions");
  this->set(positionsKernel, 0, out);
  const std::size_t global[] = {8, 4}, local[] = {4, 2};
  EXPECT_EQ(
      clEnqueueNDRangeKernel(this->queue.get(), positionsKernel.get(), 2, nullptr, global, local, 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(this->readInts(out, 32)[3 * 8 + 5], 305);

  const auto sumsKernel = this->makeKernel("sums");
  const auto in = this->ints({1, 2, 3, 4, 5, 6, 7, 8});
  const cl_long start = 100;
  this->set(sumsKernel, 0, in);
  this->set(sumsKernel, 1, out);
  EXPECT_EQ(clSetKernelArg(sumsKernel.get(), 2, 4 * sizeof(int), nullptr), CL_SUCCESS);
  EXPECT_EQ(clSetKernelArg(sumsKernel.get(), 3, sizeof(start), &start), CL_SUCCESS);
  const std::size_t items = 8, group = 4;
  EXPECT_EQ(
      clEnqueueNDRangeKernel(this->queue.get(), sumsKernel.get(), 1, nullptr, &items, &group, 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(this->readInts(out, 2), (std::vector<int>{110, 126}));
}

TYPED_TEST(Conformance, MacrosReachTheKernelAlsoThroughABinary) {
  const auto fromSource = this->makeProgram(kSource, "-D STEP=7");
  std::size_t size = 0;
  ASSERT_EQ(clGetProgramInfo(fromSource.get(), CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr), CL_SUCCESS);
  std::vector<unsigned char> binary(size);
  unsigned char* bytes = binary.data();
  ASSERT_EQ(clGetProgramInfo(fromSource.get(), CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr), CL_SUCCESS);
  const unsigned char* input = binary.data();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  this->program.reset(
      clCreateProgramWithBinary(this->context.get(), 1, &this->on.device, &size, &input, &status, &code));
  ASSERT_EQ(status, CL_SUCCESS);
  ASSERT_EQ(code, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(this->program.get(), 1, &this->on.device, "", nullptr, nullptr), CL_SUCCESS);
  const auto out = this->ints({0});
  this->launch(this->queue, this->makeScale(this->one, out, 2), 1);
  EXPECT_EQ(this->readInts(out, 1)[0], 9);
}

TYPED_TEST(Conformance, TransfersMoveBytes) {
  const auto from = this->ints({1, 2, 3, 4, 5, 6, 7, 8});
  const auto two = this->ints(std::vector<int>(8));
  cl_command_queue to = this->queue.get();
  const int pattern[] = {7, 9};
  EXPECT_EQ(clEnqueueFillBuffer(to, two.get(), pattern, 8, 8, 16, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clEnqueueCopyBuffer(to, from.get(), two.get(), 4, 24, 8, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(this->readInts(two, 8), (std::vector<int>{0, 0, 7, 9, 7, 9, 2, 3}));

  cl_int code = CL_SUCCESS;
  auto* mapped = static_cast<int*>(
      clEnqueueMapBuffer(to, two.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 8, 8, 0, nullptr, nullptr, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  EXPECT_EQ(mapped[1], 9);
  mapped[0] = -5;
  EXPECT_EQ(clEnqueueUnmapMemObject(to, two.get(), mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(this->readInts(two, 3), (std::vector<int>{0, 0, -5}));

  const auto large = makeBytes(this->context.get(), 1024);
  const cl_buffer_region region{512, 8};
  const OwnedMemory part(
      clCreateSubBuffer(large.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  write(to, part, std::vector<int>{11, 12});
  int seen[2] = {};
  EXPECT_EQ(clEnqueueReadBuffer(to, large.get(), CL_TRUE, 512, 8, seen, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(seen[1], 12);
}

// ---- events

struct States {
  std::mutex mutex;
  std::vector<cl_int> seen;
  static void CL_CALLBACK add(cl_event, cl_int status, void* data) {
    auto& states = *static_cast<States*>(data);
    const std::lock_guard<std::mutex> lock(states.mutex);
    states.seen.push_back(status);
  }
};

TYPED_TEST(Conformance, AnEventGoesThroughItsStatesInOrder) {
  const auto out = this->ints({0});
  const auto kernel = this->makeScale(this->one, out, 1);
  const auto gate = this->makeUserEvent();
  EXPECT_EQ(this->statusOf(gate), CL_SUBMITTED);
  const auto event = this->launch(this->queue, kernel, 1, {gate.get()});
  EXPECT_EQ(this->statusOf(event), CL_QUEUED);
  States states;
  for (const cl_int state : {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED})
    EXPECT_EQ(clSetEventCallback(event.get(), state, States::add, &states), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, std::array{event.get()}.data()), CL_SUCCESS);
  EXPECT_EQ(clFinish(this->queue.get()), CL_SUCCESS);
  EXPECT_EQ(this->statusOf(event), CL_COMPLETE);
  const std::lock_guard<std::mutex> lock(states.mutex);
  EXPECT_EQ(states.seen, (std::vector<cl_int>{CL_SUBMITTED, CL_RUNNING, CL_COMPLETE}));
}

TYPED_TEST(Conformance, ProfilingTimesAreInOrder) {
  const auto out = this->ints({0});
  const auto kernel = this->makeScale(this->one, out, 1);
  const auto first = this->launch(this->queue, kernel, 1), second = this->launch(this->queue, kernel, 1);
  EXPECT_EQ(clFinish(this->queue.get()), CL_SUCCESS);
  std::vector<cl_ulong> times;
  for (const auto& event : {first.get(), second.get()}) {
    for (const cl_profiling_info what : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                         CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END}) {
      cl_ulong time = 0;
      EXPECT_EQ(clGetEventProfilingInfo(event, what, sizeof(time), &time, nullptr), CL_SUCCESS);
      times.push_back(time);
    }
  }
  EXPECT_TRUE(std::is_sorted(times.begin(), times.begin() + 4));
  EXPECT_TRUE(std::is_sorted(times.begin() + 4, times.end()));
  EXPECT_GE(times[6], times[3]) << "the second one began before the first had ended";
  EXPECT_GT(times[3], times[2]);
}

TYPED_TEST(Conformance, AnOutOfOrderQueueFollowsWaitListsAndBarriers) {
  const auto unordered = makeQueue(this->context.get(), this->on.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto a = this->ints({1}), b = this->ints({0}), c = this->ints({0});
  const auto first = this->makeScale(a, b, 10), second = this->makeScale(b, c, 10);
  const auto gate = this->makeUserEvent();
  const auto firstDone = this->launch(unordered, first, 1, {gate.get()});
  cl_event barrier = nullptr;
  EXPECT_EQ(clEnqueueBarrierWithWaitList(unordered.get(), 0, nullptr, &barrier), CL_SUCCESS);
  const OwnedEvent barrierDone(barrier);
  const auto secondDone = this->launch(unordered, second, 1);
  EXPECT_GT(this->statusOf(secondDone), CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(unordered.get()), CL_SUCCESS);
  EXPECT_EQ(this->statusOf(barrierDone), CL_COMPLETE);
  EXPECT_EQ(this->readInts(c, 1)[0], 111);
}

TYPED_TEST(Conformance, AMarkerWaitsForWhatIsBeforeIt) {
  const auto out = this->ints({0});
  const auto kernel = this->makeScale(this->one, out, 1);
  const auto gate = this->makeUserEvent();
  const auto done = this->launch(this->queue, kernel, 1, {gate.get()});
  cl_event handle = nullptr;
  EXPECT_EQ(clEnqueueMarkerWithWaitList(this->queue.get(), 0, nullptr, &handle), CL_SUCCESS);
  const OwnedEvent marker(handle);
  EXPECT_GT(this->statusOf(marker), CL_COMPLETE);
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clWaitForEvents(1, &handle), CL_SUCCESS);
  EXPECT_EQ(this->statusOf(done), CL_COMPLETE);
}

TYPED_TEST(Conformance, AFailedEventFailsWhatWaitsForIt) {
  const auto unordered = makeQueue(this->context.get(), this->on.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const auto out = this->ints({0});
  const auto kernel = this->makeScale(this->one, out, 1);
  const auto gate = this->makeUserEvent();
  const auto event = this->launch(unordered, kernel, 1, {gate.get()});
  EXPECT_EQ(clSetUserEventStatus(gate.get(), -1), CL_SUCCESS);
  cl_event handle = event.get();
  EXPECT_EQ(clWaitForEvents(1, &handle), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  EXPECT_LT(this->statusOf(event), 0);  // which error, each driver decides
  EXPECT_EQ(this->readInts(out, 1)[0], 0);
}

// ---- what is told

template <class T, class Query, class Handle>
T told(Query query, Handle handle, cl_uint what) {
  T value{};
  EXPECT_EQ(query(handle, what, sizeof(value), &value, nullptr), CL_SUCCESS);
  return value;
}

TYPED_TEST(Conformance, ObjectsTellWhatTheyAre) {
  const auto memory = this->ints({1, 2});
  EXPECT_EQ(told<std::size_t>(clGetMemObjectInfo, memory.get(), CL_MEM_SIZE), 8u);
  EXPECT_EQ(told<cl_uint>(clGetMemObjectInfo, memory.get(), CL_MEM_TYPE), cl_uint{CL_MEM_OBJECT_BUFFER});
  EXPECT_EQ(told<cl_context>(clGetMemObjectInfo, memory.get(), CL_MEM_CONTEXT), this->context.get());
  EXPECT_EQ(told<cl_device_id>(clGetCommandQueueInfo, this->queue.get(), CL_QUEUE_DEVICE), this->on.device);
  EXPECT_EQ(told<cl_device_id>(clGetContextInfo, this->context.get(), CL_CONTEXT_DEVICES), this->on.device);
  EXPECT_EQ(told<std::size_t>(clGetProgramInfo, this->program.get(), CL_PROGRAM_NUM_KERNELS), 3u);
  EXPECT_EQ(clRetainProgram(this->program.get()), CL_SUCCESS);
  EXPECT_EQ(told<cl_uint>(clGetProgramInfo, this->program.get(), CL_PROGRAM_REFERENCE_COUNT), 2u);
  EXPECT_EQ(clReleaseProgram(this->program.get()), CL_SUCCESS);

  const auto kernel = this->makeKernel("positions");
  std::array<std::size_t, 3> required{};
  EXPECT_EQ(clGetKernelWorkGroupInfo(kernel.get(), this->on.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(required),
                                     &required, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(required, (std::array<std::size_t, 3>{4, 2, 1}));
  EXPECT_EQ(told<cl_uint>(clGetKernelInfo, kernel.get(), CL_KERNEL_NUM_ARGS), 1u);
}

TYPED_TEST(Conformance, KernelsTellTheirArguments) {
  const auto kernel = this->makeKernel("sums");
  const auto space = [&](cl_uint index) {
    cl_kernel_arg_address_qualifier qualifier = 0;
    EXPECT_EQ(clGetKernelArgInfo(kernel.get(), index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(qualifier), &qualifier,
                                 nullptr),
              CL_SUCCESS);
    return qualifier;
  };
  EXPECT_EQ(space(1), cl_uint{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  EXPECT_EQ(space(2), cl_uint{CL_KERNEL_ARG_ADDRESS_LOCAL});
  EXPECT_EQ(space(3), cl_uint{CL_KERNEL_ARG_ADDRESS_PRIVATE});
  char text[64] = {};
  EXPECT_EQ(clGetKernelArgInfo(kernel.get(), 3, CL_KERNEL_ARG_NAME, sizeof(text), text, nullptr), CL_SUCCESS);
  EXPECT_STREQ(text, "start");
  EXPECT_EQ(clGetKernelArgInfo(kernel.get(), 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text, nullptr), CL_SUCCESS);
  EXPECT_STREQ(text, "int*");
}

// ---- misuse

TYPED_TEST(Conformance, MisuseGivesTheSameErrors) {
  cl_command_queue to = this->queue.get();
  const auto buffer = this->ints(std::vector<int>(8));
  const auto kernel = this->makeKernel("scale");
  std::array<std::size_t, 3> sizes{8, 8, 8}, three{3, 3, 3}, zero{};
  const auto enqueue = [&](cl_kernel which, cl_uint dimensions, const std::size_t* global, const std::size_t* local) {
    return clEnqueueNDRangeKernel(to, which, dimensions, nullptr, global, local, 0, nullptr, nullptr);
  };
  EXPECT_EQ(enqueue(kernel.get(), 1, sizes.data(), nullptr), CL_INVALID_KERNEL_ARGS);
  const cl_long wide = 1;
  EXPECT_EQ(clSetKernelArg(kernel.get(), 2, sizeof(wide), &wide), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArg(kernel.get(), 3, 4, &wide), CL_INVALID_ARG_INDEX);
  EXPECT_EQ(clSetKernelArg(kernel.get(), 2, 4, nullptr), CL_INVALID_ARG_VALUE);
  this->set(kernel, 0, buffer);
  this->set(kernel, 1, buffer);
  this->set(kernel, 2, 1);
  EXPECT_EQ(enqueue(kernel.get(), 4, sizes.data(), nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(enqueue(kernel.get(), 1, sizes.data(), three.data()), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(enqueue(kernel.get(), 1, zero.data(), nullptr), CL_SUCCESS);  // a launch of nothing
  EXPECT_EQ(clFinish(to), CL_SUCCESS);  // PoCL 3.1 aborts in a process that ends while it compiles for one
  const auto positionsKernel = this->makeKernel("positions");
  this->set(positionsKernel, 0, buffer);
  EXPECT_EQ(enqueue(positionsKernel.get(), 2, sizes.data(), sizes.data()), CL_INVALID_WORK_GROUP_SIZE);

  int seen[8] = {};
  cl_event nothing = nullptr;
  EXPECT_EQ(clEnqueueReadBuffer(to, buffer.get(), CL_TRUE, 16, 32, seen, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(to, buffer.get(), CL_TRUE, 0, 32, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueReadBuffer(to, nullptr, CL_TRUE, 0, 32, seen, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clEnqueueReadBuffer(to, buffer.get(), CL_TRUE, 0, 32, seen, 1, nullptr, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueReadBuffer(to, buffer.get(), CL_TRUE, 0, 32, seen, 0, &nothing, nullptr),
            CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(clEnqueueFillBuffer(to, buffer.get(), seen, 3, 0, 24, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clEnqueueCopyBuffer(to, buffer.get(), buffer.get(), 0, 4, 16, 0, nullptr, nullptr), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(clWaitForEvents(0, nullptr), CL_INVALID_VALUE);
  this->on.forgive();

  cl_int code = CL_SUCCESS;
  EXPECT_EQ(clCreateBuffer(this->context.get(), CL_MEM_READ_WRITE, 0, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(clCreateBuffer(this->context.get(), CL_MEM_COPY_HOST_PTR, 4, nullptr, &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_HOST_PTR);
  EXPECT_EQ(clCreateKernel(this->program.get(), "scales", &code), nullptr);
  EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
}

TYPED_TEST(Conformance, ProfilingNeedsAProfilingQueueAndAnEnd) {
  const auto plain = makeQueue(this->context.get(), this->on.device, 0);
  const auto out = this->ints({0});
  const auto kernel = this->makeScale(this->one, out, 1);
  const auto unprofiled = this->launch(plain, kernel, 1);
  EXPECT_EQ(clFinish(plain.get()), CL_SUCCESS);
  cl_ulong time = 0;
  const auto query = [&](const OwnedEvent& event) {
    return clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START, sizeof(time), &time, nullptr);
  };
  EXPECT_EQ(query(unprofiled), CL_PROFILING_INFO_NOT_AVAILABLE);
  const auto gate = this->makeUserEvent();
  EXPECT_EQ(query(gate), CL_PROFILING_INFO_NOT_AVAILABLE);
  const auto waiting = this->launch(this->queue, kernel, 1, {gate.get()});
  EXPECT_EQ(query(waiting), CL_PROFILING_INFO_NOT_AVAILABLE);
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clSetUserEventStatus(gate.get(), CL_COMPLETE), CL_INVALID_OPERATION);
  EXPECT_EQ(clFinish(this->queue.get()), CL_SUCCESS);
  EXPECT_EQ(query(waiting), CL_SUCCESS);
}

TYPED_TEST(Conformance, ASourceThatIsNoneDoesNotBuild) {
  const auto build = [&](const char* source) {
    cl_int code = CL_SUCCESS;
    const OwnedProgram made(clCreateProgramWithSource(this->context.get(), 1, &source, nullptr, &code));
    const cl_int status = clBuildProgram(made.get(), 1, &this->on.device, "-D X=3", nullptr, nullptr);
    std::size_t logSize = 0;
    EXPECT_EQ(clGetProgramBuildInfo(made.get(), this->on.device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &logSize),
              CL_SUCCESS);
    if (status != CL_SUCCESS) {
      EXPECT_GT(logSize, 1u);
      EXPECT_EQ(clCreateKernel(made.get(), "k", &code), nullptr);
      EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
    }
    return status;
  };
  EXPECT_EQ(build("#if X == 3\n#error three\n#endif\nkernel void k() {}"), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build("kernel void k() { if (1) {"), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(build("#if X == 4\n#error four\n#endif\nkernel void k() {}"), CL_SUCCESS);
}

}  // namespace
}  // namespace hone::test
