// saxpy in plain C: y = a * x + y as a program might have it already, and the three calls around its launch. The kernel
// is compiled once; what is tuned is the work-group size and how many elements a work-item takes.
//
//   c_saxpy [elements] [launches]
#include <hone/opencl_c.h>
#include <stdio.h>
#include <stdlib.h>

static const char* const kSaxpy =
    "kernel void saxpy(float a, global const float* x, global float* y, uint n) {\n"
    "  for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = a * x[i] + y[i];\n"
    "}\n";

static void fail(const char* what, int code) {
  fprintf(stderr, "c_saxpy: %s (%d)\n", what, code);
  exit(2);
}
static void cl(cl_int code, const char* call) {
  if (code != CL_SUCCESS) fail(call, code);
}
static void hone(hone_status status) {
  if (status != HONE_OK) fail(hone_last_error(), status);
}

/// A whole number from 1; exits where the text is another one.
static cl_uint number(const char* text) {
  char* end = NULL;
  const unsigned long value = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < 1 || value > 1ul << 30) {
    fprintf(stderr, "c_saxpy: '%s': expected a whole number from 1 to 2^30\n", text);
    exit(2);
  }
  return (cl_uint)value;
}

int main(int argc, char** argv) {
  const cl_uint n = argc > 1 ? number(argv[1]) : 1u << 22;
  const cl_uint launches = argc > 2 ? number(argv[2]) : 2000;
  const float a = 0.5f;
  const size_t bytes = n * sizeof(float);
  cl_platform_id platform;
  cl_device_id device;
  cl_int code;
  cl_uint i;

  cl(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  cl(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  cl(code, "clCreateContext");
  const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, profiling, &code);
  cl(code, "clCreateCommandQueueWithProperties");
  const char* source = kSaxpy;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  cl(code, "clCreateProgramWithSource");
  cl(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel saxpy = clCreateKernel(program, "saxpy", &code);
  cl(code, "clCreateKernel");

  float *x = malloc(bytes), *y = malloc(bytes);
  if (!x || !y) fail("no memory for the vectors", (int)(bytes >> 20));
  for (i = 0; i < n; ++i) x[i] = 1, y[i] = 0;
  cl_mem x_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, x, &code);
  cl(code, "clCreateBuffer");
  cl_mem y_buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, y, &code);
  cl(code, "clCreateBuffer");
  cl(clSetKernelArg(saxpy, 0, sizeof(a), &a), "clSetKernelArg");
  cl(clSetKernelArg(saxpy, 1, sizeof(x_buffer), &x_buffer), "clSetKernelArg");
  cl(clSetKernelArg(saxpy, 2, sizeof(y_buffer), &y_buffer), "clSetKernelArg");
  cl(clSetKernelArg(saxpy, 3, sizeof(n), &n), "clSetKernelArg");

  static const int64_t group_sizes[] = {16, 32, 64, 128, 256, 512, 1024}, counts[] = {1, 2, 4, 8, 16, 32, 64};
  static const char* const names[] = {"n"};
  const int64_t sizes[] = {n};
  int work_group = 64, per_item = 1;
  size_t limit;
  char fits[64];
  hone_tuner* tuner;
  hone(hone_tuner_create("c_saxpy", NULL, &tuner));
  hone(hone_tuner_bind_int(tuner, "work_group", group_sizes, 7, 64, &work_group, NULL));
  hone(hone_tuner_bind_int(tuner, "per_item", counts, 7, 1, &per_item, NULL));
  cl(clGetKernelWorkGroupInfo(saxpy, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(limit), &limit, NULL),
     "clGetKernelWorkGroupInfo");
  snprintf(fits, sizeof(fits), "work_group <= %zu", limit);
  hone(hone_tuner_require(tuner, fits));

  for (i = 0; i < launches; ++i) {
    hone(hone_tuner_start(tuner, names, sizes, 1));  // sets work_group and per_item
    const size_t local = (size_t)work_group, items = (n + (size_t)per_item - 1) / (size_t)per_item;
    const size_t global = (items + local - 1) / local * local;
    cl_event done;
    cl(clEnqueueNDRangeKernel(queue, saxpy, 1, NULL, &global, &local, 0, NULL, &done), "clEnqueueNDRangeKernel");
    hone(hone_tuner_stop_events(tuner, done, done));
    cl(clReleaseEvent(done), "clReleaseEvent");
    if (i % 16 == 15) cl(clFinish(queue), "clFinish");  // as a program would that looks at its results now and then
  }

  cl(clEnqueueReadBuffer(queue, y_buffer, CL_TRUE, 0, bytes, y, 0, NULL, NULL), "clEnqueueReadBuffer");
  for (i = 0; i < n; ++i) {
    if (y[i] != a * (float)launches) {
      fprintf(stderr, "wrong result: %g\n", y[i]);
      return 1;
    }
  }
  hone_report report;
  int64_t best[2];
  hone(hone_tuner_report(tuner, names, sizes, 1, &report, best, 2));
  printf("%s after %llu launches\n", hone_phase_name(report.phase), (unsigned long long)report.launches);
  printf("  work_group = %lld\n  per_item = %lld\n", (long long)best[0], (long long)best[1]);
  if (report.best_cost > 0)  // x and y are read, y is written; a cost is in nanoseconds
    printf("%.2f GB/s, with the default %.2f GB/s\n", 12.0 * n / report.best_cost, 12.0 * n / report.default_cost);

  hone_tuner_destroy(tuner);
  clReleaseMemObject(x_buffer), clReleaseMemObject(y_buffer);
  clReleaseKernel(saxpy), clReleaseProgram(program);
  clReleaseCommandQueue(queue), clReleaseContext(context);
  free(x), free(y);
  return 0;
}
