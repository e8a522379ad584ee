#include "opencl/program_counter.h"

#include <dlfcn.h>

#include <atomic>

#include "hone/opencl.h"

namespace {
std::atomic<int> created{0};
}

int hone::test::programsCreated() { return created; }

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const std::size_t* lengths, cl_int* code) {
  ++created;
  static const auto original =
      reinterpret_cast<decltype(&clCreateProgramWithSource)>(dlsym(RTLD_NEXT, "clCreateProgramWithSource"));
  return original(context, count, strings, lengths, code);
}
