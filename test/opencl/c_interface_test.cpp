#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hone/opencl_c.h"
#include "support/opencl_device.h"

namespace hone {
namespace {

// Each takes the other's macros for granted: a launch that mixed two configurations would leave elements out.
constexpr const char* kSource = R"(
  kernel void twice(global int* data, int n) {
    const int first = get_global_id(0) * PER_ITEM;
    for (int i = first; i < first + PER_ITEM && i < n; ++i) data[i] *= 2;
  }
  kernel void plusOne(global int* data, int n) {
    const int first = get_global_id(0) * PER_ITEM;
    for (int i = first; i < first + PER_ITEM && i < n; ++i) data[i] += SPAN == PER_ITEM + N;
  })";
constexpr std::int64_t kItems = 211;  // a prime: nothing divides it
const char* const kNames[] = {"N"};
const std::int64_t kValues[] = {1, 2, 4, 8};

struct Bench {
  Bench()
      : device(test::poclDevices()[0]),
        context(test::makeContext({device})),
        queue(test::makeQueue(context.get(), device)),
        buffer(test::makeBuffer(context.get(), std::vector<int>(kItems))) {
    hone_runtime_options* runtimeOptions = nullptr;
    EXPECT_EQ(hone_runtime_options_create(&runtimeOptions), HONE_OK);
    EXPECT_EQ(hone_runtime_options_set_thread(runtimeOptions, 0), HONE_OK);
    EXPECT_EQ(hone_runtime_options_set_workers(runtimeOptions, 0), HONE_OK);
    EXPECT_EQ(hone_runtime_options_set_compile_limit(runtimeOptions, 60), HONE_OK);
    EXPECT_EQ(hone_runtime_create(context.get(), device, runtimeOptions, &runtime), HONE_OK) << hone_last_error();
    hone_runtime_options_destroy(runtimeOptions);
    EXPECT_EQ(hone_options_create(&options), HONE_OK);
    EXPECT_EQ(hone_options_set_strategy(options, "exhaustive"), HONE_OK);
    EXPECT_EQ(hone_options_set_budget(options, std::numeric_limits<double>::infinity()), HONE_OK);
  }
  ~Bench() {
    hone_options_destroy(options);
    hone_runtime_destroy(runtime);
  }

  hone_tuner* program(const char* source = kSource) {
    hone_tuner* made = nullptr;
    EXPECT_EQ(hone_program_create(runtime, source, "pair", options, &made), HONE_OK) << hone_last_error();
    return made;
  }

  /// Enqueues a kernel over the items; the event is the caller's.
  cl_event enqueue(cl_kernel kernel, std::int64_t perItem, cl_command_queue on = nullptr) {
    const cl_mem memory = buffer.get();
    const auto n = static_cast<cl_int>(kItems);
    EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(memory), &memory), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(n), &n), CL_SUCCESS);
    const auto global = static_cast<std::size_t>((kItems + perItem - 1) / perItem);
    cl_event event = nullptr;
    EXPECT_EQ(clEnqueueNDRangeKernel(on ? on : queue.get(), kernel, 1, nullptr, &global, nullptr, 0, nullptr, &event),
              CL_SUCCESS);
    return event;
  }

  const cl_device_id device;
  const test::OwnedContext context;
  const test::OwnedQueue queue;
  const test::OwnedMemory buffer;
  hone_runtime* runtime = nullptr;
  hone_options* options = nullptr;
};

void declare(hone_tuner* program, std::int64_t* perItem) {
  const char* const group[] = {"PER_ITEM"};
  ASSERT_EQ(hone_tuner_bind_int64(program, "PER_ITEM", kValues, 4, 2, perItem, nullptr), HONE_OK);
  ASSERT_EQ(hone_tuner_problem(program, kNames, 1), HONE_OK);
  ASSERT_EQ(hone_program_define(program, "SPAN", "PER_ITEM + N"), HONE_OK) << hone_last_error();
  ASSERT_EQ(hone_program_define(program, "N", "N"), HONE_ERROR_USAGE);  // a problem size's name is taken
  ASSERT_EQ(hone_program_local_memory(program, "4 * PER_ITEM"), HONE_OK);
  ASSERT_EQ(hone_program_work_group(program, group, 1), HONE_OK);
  ASSERT_EQ(hone_program_set_build_options(program, "-DN=211"), HONE_OK);
}

TEST(OpenclCInterface, ProgramIsTunedAndEachResultIsRight) {
  Bench bench;
  hone_tuner* program = bench.program();
  std::int64_t perItem = 0;
  declare(program, &perItem);
  EXPECT_EQ(perItem, 2);
  ASSERT_EQ(hone_program_build(program), HONE_OK) << hone_last_error();
  hone_report report = {};
  std::int64_t best = 0;
  for (int i = 0; i < 20000 && !report.is_decided; ++i) {
    test::write(bench.queue.get(), bench.buffer, std::vector<int>(kItems, i));
    ASSERT_EQ(hone_tuner_start(program, kNames, &kItems, 1), HONE_OK) << hone_last_error();
    cl_kernel twice = nullptr, plusOne = nullptr;
    ASSERT_EQ(hone_program_kernel(program, "twice", &twice), HONE_OK) << hone_last_error();
    ASSERT_EQ(hone_program_kernel(program, "plusOne", &plusOne), HONE_OK) << hone_last_error();
    const cl_event first = bench.enqueue(twice, perItem), last = bench.enqueue(plusOne, perItem);
    ASSERT_EQ(hone_tuner_stop_events(program, first, last), HONE_OK) << hone_last_error();
    clReleaseEvent(first);
    clReleaseEvent(last);
    ASSERT_EQ(test::read<int>(bench.queue.get(), bench.buffer, kItems), std::vector<int>(kItems, 2 * i + 1));
    int didSomething = -1;
    ASSERT_EQ(hone_runtime_step(bench.runtime, &didSomething), HONE_OK);
    ASSERT_TRUE(didSomething == 0 || didSomething == 1);
    ASSERT_EQ(hone_tuner_report(program, kNames, &kItems, 1, &report, &best, 1), HONE_OK);
  }
  EXPECT_EQ(report.phase, HONE_PHASE_SETTLED);
  EXPECT_EQ(report.trials, 3u);
  EXPECT_EQ(report.failed, 0u);
  EXPECT_GT(report.best_cost, 0);
  EXPECT_GT(report.default_cost, 0);
  hone_tuner_destroy(program);
}

TEST(OpenclCInterface, TicketsHaveKernelsOfTheirOwn) {
  Bench bench;
  hone_tuner* program = bench.program();
  std::int64_t perItem = 0, first = 0;
  declare(program, &perItem);
  hone_ticket *one = nullptr, *other = nullptr;
  ASSERT_EQ(hone_tuner_measure(program, kNames, &kItems, 1, &one), HONE_OK) << hone_last_error();
  ASSERT_EQ(hone_tuner_measure(program, kNames, &kItems, 1, &other), HONE_OK) << hone_last_error();
  hone_tuner_destroy(program);  // its tickets keep it
  cl_kernel ofOne = nullptr, ofOther = nullptr;
  ASSERT_EQ(hone_ticket_kernel(one, "twice", &ofOne), HONE_OK) << hone_last_error();
  ASSERT_EQ(hone_ticket_kernel(other, "twice", &ofOther), HONE_OK);
  EXPECT_NE(ofOne, ofOther);
  ASSERT_EQ(hone_ticket_value(one, 0, &first), HONE_OK);
  EXPECT_EQ(first, 2);
  test::write(bench.queue.get(), bench.buffer, std::vector<int>(kItems, 3));
  const cl_event event = bench.enqueue(ofOne, first);
  EXPECT_EQ(hone_ticket_stop_events(one, event, event), HONE_OK);
  EXPECT_EQ(hone_ticket_stop_events(one, event, event), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_ticket_kernel(one, "twice", &ofOne), HONE_ERROR_USAGE);
  clReleaseEvent(event);
  EXPECT_EQ(test::read<int>(bench.queue.get(), bench.buffer, kItems), std::vector<int>(kItems, 6));
  hone_ticket_destroy(one);
  hone_ticket_destroy(other);
}

TEST(OpenclCInterface, EventTimesOfAPlainTuner) {
  Bench bench;
  hone_tuner* program =
      bench.program("kernel void twice(global int* data, int n) { data[get_global_id(0)] *= PER_ITEM; }");
  std::int64_t perItem = 0;
  ASSERT_EQ(hone_tuner_bind_int64(program, "PER_ITEM", kValues, 4, 1, &perItem, nullptr), HONE_OK);
  hone_tuner* tuner = nullptr;
  ASSERT_EQ(hone_tuner_create("outer", bench.options, &tuner), HONE_OK);
  ASSERT_EQ(hone_tuner_add_parameter(tuner, "x", kValues, 4, 1, nullptr), HONE_OK);
  cl_kernel kernel = nullptr;
  for (int i = 0; i < 8; ++i) {
    ASSERT_EQ(hone_tuner_start(program, nullptr, nullptr, 0), HONE_OK) << hone_last_error();
    ASSERT_EQ(hone_program_kernel(program, "twice", &kernel), HONE_OK);
    ASSERT_EQ(hone_tuner_start(tuner, nullptr, nullptr, 0), HONE_OK);
    const cl_event event = bench.enqueue(kernel, 1);
    ASSERT_EQ(hone_tuner_stop_events(tuner, event, event), HONE_OK) << hone_last_error();
    ASSERT_EQ(hone_tuner_stop_cost(program, 1.0), HONE_OK);
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
  }
  hone_report report;
  ASSERT_EQ(hone_tuner_report(tuner, nullptr, nullptr, 0, &report, nullptr, 0), HONE_OK);
  EXPECT_GT(report.default_cost, 0);
  hone_tuner_destroy(tuner);
  hone_tuner_destroy(program);
}

TEST(OpenclCInterface, SectionsOfAQueueWithoutProfilingHaveTimes) {
  Bench bench;
  hone_tuner* program = bench.program();
  std::int64_t perItem = 0;
  declare(program, &perItem);
  const test::OwnedQueue plain = test::makeQueue(bench.context.get(), bench.device, 0);
  const auto measureOnce = [&](cl_command_queue* used) {
    cl_kernel twice = nullptr;
    ASSERT_EQ(hone_tuner_start(program, kNames, &kItems, 1), HONE_OK) << hone_last_error();
    ASSERT_EQ(hone_program_queue(program, plain.get(), used), HONE_OK) << hone_last_error();
    ASSERT_EQ(hone_program_kernel(program, "twice", &twice), HONE_OK);
    const cl_event event = bench.enqueue(twice, perItem, *used);
    ASSERT_EQ(hone_tuner_stop_events(program, event, event), HONE_OK) << hone_last_error();
    clFinish(plain.get());
    clReleaseEvent(event);
  };
  cl_command_queue used = nullptr, other = nullptr;
  for (int i = 0; i < 8; ++i) ASSERT_NO_FATAL_FAILURE(measureOnce(&used));
  EXPECT_NE(used, plain.get());  // while it explores, times are wanted
  hone_report report;
  ASSERT_EQ(hone_tuner_report(program, kNames, &kItems, 1, &report, nullptr, 0), HONE_OK);
  EXPECT_GT(report.default_cost, 0);

  EXPECT_EQ(hone_program_queue(program, plain.get(), &used), HONE_ERROR_USAGE);  // nothing is open
  hone_ticket* ticket = nullptr;
  ASSERT_EQ(hone_tuner_measure(program, kNames, &kItems, 1, &ticket), HONE_OK);
  ASSERT_EQ(hone_ticket_queue(ticket, bench.queue.get(), &other), HONE_OK);
  EXPECT_EQ(other, bench.queue.get());  // it has profiling
  EXPECT_EQ(hone_ticket_queue(ticket, plain.get(), &other), HONE_ERROR_USAGE);
  EXPECT_STREQ(hone_last_error(), "hone_ticket_queue: pair: one measurement was asked for two queues");
  hone_ticket_destroy(ticket);
  hone_tuner_destroy(program);
}

TEST(OpenclCInterface, RuntimeMayBeDestroyedBeforeItsProgram) {
  Bench bench;
  hone_tuner* program = bench.program();
  hone_runtime_destroy(std::exchange(bench.runtime, nullptr));
  std::int64_t perItem = 0;
  declare(program, &perItem);
  EXPECT_EQ(hone_tuner_start(program, kNames, &kItems, 1), HONE_OK) << hone_last_error();
  hone_tuner_destroy(program);
}

TEST(OpenclCInterface, ADefaultThatDoesNotCompileTellsTheCompilersLog) {
  Bench bench;
  hone_tuner* program = bench.program("#error this cannot be\n");
  ASSERT_EQ(hone_tuner_add_parameter(program, "X", kValues, 4, 1, nullptr), HONE_OK);
  for (const auto& begin : {+[](hone_tuner* p) { return hone_program_build(p); },
                            +[](hone_tuner* p) { return hone_tuner_start(p, nullptr, nullptr, 0); }}) {
    EXPECT_EQ(begin(program), HONE_ERROR_OPENCL);
    EXPECT_EQ(hone_last_opencl_error(), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_NE(std::string(hone_last_error()).find("this cannot be"), std::string::npos) << hone_last_error();
  }
  hone_ticket* ticket = nullptr;
  EXPECT_EQ(hone_tuner_measure(program, nullptr, nullptr, 0, &ticket), HONE_ERROR_OPENCL);
  EXPECT_EQ(ticket, nullptr);
  hone_tuner_destroy(program);
}

TEST(OpenclCInterface, MisuseIsTold) {
  Bench bench;
  hone_tuner *program = bench.program(), *tuner = nullptr;
  std::int64_t perItem = 0;
  declare(program, &perItem);
  const char* const groups[] = {"1", "1", "1", "PER_ITEM"};
  EXPECT_EQ(hone_program_work_group(program, groups, 0), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_program_work_group(program, groups, 4), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_program_work_group(program, groups, 3), HONE_OK);
  EXPECT_EQ(hone_program_work_group(program, groups, 2), HONE_OK);
  EXPECT_EQ(hone_program_define(program, "TWICE", "2 *"), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_tuner_step(program, nullptr), HONE_ERROR_USAGE);
  EXPECT_STREQ(hone_last_error(),
               "hone_tuner_step: a program's candidates are prepared by its runtime: hone_runtime_step");
  int narrow = 0;
  const std::int64_t large[] = {1, std::int64_t{1} << 40};
  EXPECT_EQ(hone_tuner_bind_int(program, "LARGE", large, 2, 1, &narrow, nullptr), HONE_ERROR_USAGE);

  cl_kernel kernel = nullptr;
  EXPECT_EQ(hone_program_kernel(program, "twice", &kernel), HONE_ERROR_USAGE);  // nothing is open
  ASSERT_EQ(hone_tuner_start(program, kNames, &kItems, 1), HONE_OK) << hone_last_error();
  EXPECT_EQ(hone_program_kernel(program, "thrice", &kernel), HONE_ERROR_USAGE);
  const std::string text = hone_last_error();
  EXPECT_EQ(text.rfind("hone_program_kernel: pair: there is no kernel 'thrice'; the program has ", 0), 0u) << text;
  EXPECT_EQ(hone_tuner_stop_events(program, nullptr, nullptr), HONE_OK);  // a first launch's time is not kept on PoCL
  EXPECT_EQ(hone_last_opencl_error(), CL_SUCCESS);

  cl_command_queue used = nullptr;
  ASSERT_EQ(hone_tuner_create("plain", nullptr, &tuner), HONE_OK);
  ASSERT_EQ(hone_tuner_add_parameter(tuner, "x", kValues, 4, 1, nullptr), HONE_OK);
  ASSERT_EQ(hone_tuner_start(tuner, nullptr, nullptr, 0), HONE_OK);
  EXPECT_EQ(hone_tuner_stop_events(tuner, nullptr, nullptr), HONE_ERROR_USAGE);
  EXPECT_STREQ(hone_last_error(), "hone_tuner_stop_events: elapsed: a null event has no device time");
  hone_ticket* ticket = nullptr;
  ASSERT_EQ(hone_tuner_measure(tuner, nullptr, nullptr, 0, &ticket), HONE_OK);
  for (hone_status status :
       {hone_program_build(tuner), hone_program_define(tuner, "A", "x"), hone_program_local_memory(tuner, "x"),
        hone_program_work_group(tuner, groups, 1), hone_program_set_build_options(tuner, "-w"),
        hone_program_kernel(tuner, "twice", &kernel), hone_ticket_kernel(ticket, "twice", &kernel),
        hone_program_queue(tuner, bench.queue.get(), &used), hone_ticket_queue(ticket, bench.queue.get(), &used)})
    EXPECT_EQ(status, HONE_ERROR_USAGE);
  EXPECT_EQ(kernel, nullptr);
  EXPECT_EQ(used, nullptr);
  hone_ticket_destroy(ticket);
  hone_tuner_destroy(tuner);
  hone_tuner_destroy(program);

  hone_runtime_options* options = nullptr;
  ASSERT_EQ(hone_runtime_options_create(&options), HONE_OK);
  for (double seconds : {0.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(hone_runtime_options_set_compile_limit(options, seconds), HONE_ERROR_USAGE);
  EXPECT_EQ(hone_runtime_options_set_worker(options, "/nowhere/hone-worker"), HONE_OK);
  hone_runtime_options_destroy(options);
  EXPECT_EQ(hone_runtime_wait_until_idle(bench.runtime), HONE_OK);
}

TEST(OpenclCInterface, NullArgumentsAreNamed) {
  Bench bench;
  hone_tuner* program = bench.program();
  std::int64_t perItem = 0;
  declare(program, &perItem);
  hone_ticket* ticket = nullptr;
  ASSERT_EQ(hone_tuner_measure(program, kNames, &kItems, 1, &ticket), HONE_OK) << hone_last_error();
  const auto expectNull = [](hone_status status, const std::string& name) {
    EXPECT_EQ(status, HONE_ERROR_NULL) << hone_last_error();
    const std::string text = hone_last_error();
    EXPECT_EQ(text.substr(text.find(": ") + 2), "'" + name + "' is null") << text;
  };
  const char* const groups[] = {nullptr};
  hone_runtime* runtime = nullptr;
  hone_tuner* made = nullptr;
  cl_kernel kernel = nullptr;
  expectNull(hone_tuner_stop_events(nullptr, nullptr, nullptr), "tuner");
  expectNull(hone_ticket_stop_events(nullptr, nullptr, nullptr), "ticket");
  expectNull(hone_runtime_options_create(nullptr), "options");
  expectNull(hone_runtime_options_set_thread(nullptr, 1), "options");
  expectNull(hone_runtime_options_set_workers(nullptr, 1), "options");
  expectNull(hone_runtime_options_set_worker(nullptr, "x"), "options");
  expectNull(hone_runtime_options_set_compile_limit(nullptr, 1), "options");
  expectNull(hone_runtime_create(nullptr, bench.device, nullptr, &runtime), "context");
  expectNull(hone_runtime_create(bench.context.get(), nullptr, nullptr, &runtime), "device");
  expectNull(hone_runtime_create(bench.context.get(), bench.device, nullptr, nullptr), "runtime");
  expectNull(hone_runtime_step(nullptr, nullptr), "runtime");
  expectNull(hone_runtime_wait_until_idle(nullptr), "runtime");
  expectNull(hone_program_create(nullptr, kSource, "pair", nullptr, &made), "runtime");
  expectNull(hone_program_create(bench.runtime, nullptr, "pair", nullptr, &made), "source");
  expectNull(hone_program_create(bench.runtime, kSource, nullptr, nullptr, &made), "name");
  expectNull(hone_program_create(bench.runtime, kSource, "pair", nullptr, nullptr), "program");
  expectNull(hone_program_set_build_options(nullptr, ""), "program");
  expectNull(hone_program_set_build_options(program, nullptr), "options");
  expectNull(hone_program_define(nullptr, "A", "1"), "program");
  expectNull(hone_program_define(program, nullptr, "1"), "name");
  expectNull(hone_program_define(program, "A", nullptr), "expression");
  expectNull(hone_program_local_memory(nullptr, "1"), "program");
  expectNull(hone_program_local_memory(program, nullptr), "bytes");
  expectNull(hone_program_work_group(nullptr, groups, 1), "program");
  expectNull(hone_program_work_group(program, nullptr, 1), "sizes");
  expectNull(hone_program_work_group(program, groups, 1), "sizes");
  expectNull(hone_program_build(nullptr), "program");
  expectNull(hone_program_kernel(nullptr, "twice", &kernel), "program");
  expectNull(hone_program_kernel(program, nullptr, &kernel), "name");
  expectNull(hone_program_kernel(program, "twice", nullptr), "kernel");
  expectNull(hone_ticket_kernel(nullptr, "twice", &kernel), "ticket");
  expectNull(hone_ticket_kernel(ticket, nullptr, &kernel), "name");
  expectNull(hone_ticket_kernel(ticket, "twice", nullptr), "kernel");
  cl_command_queue used = nullptr;
  expectNull(hone_program_queue(nullptr, bench.queue.get(), &used), "program");
  expectNull(hone_program_queue(program, nullptr, &used), "applications");
  expectNull(hone_program_queue(program, bench.queue.get(), nullptr), "used");
  expectNull(hone_ticket_queue(nullptr, bench.queue.get(), &used), "ticket");
  expectNull(hone_ticket_queue(ticket, nullptr, &used), "applications");
  expectNull(hone_ticket_queue(ticket, bench.queue.get(), nullptr), "used");
  hone_runtime_options_destroy(nullptr);
  hone_runtime_destroy(nullptr);
  hone_ticket_destroy(ticket);
  hone_tuner_destroy(program);
}

}  // namespace
}  // namespace hone
