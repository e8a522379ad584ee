/* A C program that embeds hone::opencl: a program that is compiled for each configuration, and its results. */
#include <hone/opencl_c.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REQUIRE(condition)                                                  \
  if (!(condition)) {                                                       \
    printf("failed: %s (last error: %s)\n", #condition, hone_last_error()); \
    return 1;                                                               \
  }

enum {
  COUNT = 1000
};
static int data[COUNT];

static cl_device_id cpu(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0, i;
  clGetPlatformIDs(16, platforms, &count);
  for (i = 0; i < count && i < 16; ++i) {
    char name[64] = "";
    cl_device_id device;
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name, NULL);
    if (strcmp(name, "Portable Computing Language") == 0 &&
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
      return device;
  }
  return NULL;
}

int main(void) {
  static const char* const source =
      "kernel void triple(global int* data, int n) {\n"
      "  for (int i = get_global_id(0) * PER_ITEM; i < min(n, (int)(get_global_id(0) + 1) * PER_ITEM); ++i)\n"
      "    data[i] *= 3;\n"
      "}\n";
  static const int64_t counts[] = {1, 2, 4};
  static const char* const names[] = {"n"};
  const int64_t sizes[] = {COUNT};
  const cl_int n = COUNT;
  const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_device_id device = cpu();
  cl_context context;
  cl_command_queue queue;
  cl_mem buffer;
  hone_runtime_options* by_steps = NULL;
  hone_runtime* runtime = NULL;
  hone_options* options = NULL;
  hone_tuner *triple = NULL, *broken = NULL;
  hone_report report;
  int64_t per_item;
  int i, k;

  REQUIRE(device);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueueWithProperties(context, device, profiling, NULL);
  buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(data), NULL, NULL);
  REQUIRE(context && queue && buffer);
  REQUIRE(hone_runtime_options_create(&by_steps) == HONE_OK);
  REQUIRE(hone_runtime_options_set_thread(by_steps, 0) == HONE_OK);
  REQUIRE(hone_runtime_create(context, device, by_steps, &runtime) == HONE_OK);
  hone_runtime_options_destroy(by_steps);
  REQUIRE(hone_options_create(&options) == HONE_OK);
  REQUIRE(hone_options_set_strategy(options, "exhaustive") == HONE_OK);
  REQUIRE(hone_options_set_budget(options, HUGE_VAL) == HONE_OK);
  REQUIRE(hone_program_create(runtime, source, "triple", options, &triple) == HONE_OK);
  REQUIRE(hone_tuner_bind_int64(triple, "PER_ITEM", counts, 3, 1, &per_item, NULL) == HONE_OK);
  REQUIRE(hone_program_build(triple) == HONE_OK);
  for (i = 0; i < 1000000; ++i) { /* candidates are ready when they are compiled, which launches do not wait for */
    cl_kernel kernel = NULL;
    cl_event done = NULL;
    size_t global;
    for (k = 0; k < COUNT; ++k) data[k] = k;
    clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
    REQUIRE(hone_tuner_start(triple, names, sizes, 1) == HONE_OK);
    REQUIRE(hone_program_kernel(triple, "triple", &kernel) == HONE_OK);
    global = (size_t)((COUNT + per_item - 1) / per_item);
    clSetKernelArg(kernel, 0, sizeof(buffer), &buffer);
    clSetKernelArg(kernel, 1, sizeof(n), &n);
    REQUIRE(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &done) == CL_SUCCESS);
    REQUIRE(hone_tuner_stop_events(triple, done, done) == HONE_OK);
    clReleaseEvent(done);
    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof(data), data, 0, NULL, NULL);
    for (k = 0; k < COUNT; ++k) REQUIRE(data[k] == 3 * k);
    REQUIRE(hone_runtime_step(runtime, NULL) == HONE_OK);
    REQUIRE(hone_tuner_report(triple, names, sizes, 1, &report, NULL, 0) == HONE_OK);
    if (report.is_decided) break;
  }
  printf("hone %s: %s, %d trials\n", hone_version(), hone_phase_name(report.phase), (int)report.trials);
  REQUIRE(report.phase == HONE_PHASE_SETTLED && report.trials == 2 && report.failed == 0);

  REQUIRE(hone_program_create(runtime, "#error no\n", "broken", options, &broken) == HONE_OK);
  REQUIRE(hone_tuner_add_parameter(broken, "X", counts, 3, 1, NULL) == HONE_OK);
  REQUIRE(hone_program_build(broken) == HONE_ERROR_OPENCL);
  REQUIRE(hone_last_opencl_error() != CL_SUCCESS);
  hone_tuner_destroy(broken);
  hone_tuner_destroy(triple);
  hone_runtime_destroy(runtime);
  hone_options_destroy(options);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
