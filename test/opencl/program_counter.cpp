#include "opencl/program_counter.h"

#include <dlfcn.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "hone/opencl.h"

namespace {

std::atomic<int> created{0};

std::mutex mutex;  // for what follows
std::condition_variable changed;
bool isHeld = false;
int waiting = 0;

void waitWhileHeld() {
  std::unique_lock<std::mutex> lock(mutex);
  ++waiting;
  changed.notify_all();
  changed.wait(lock, [] { return !isHeld; });
  --waiting;
}

}  // namespace

namespace hone::test {

int programsCreated() { return created; }

HeldPrograms::HeldPrograms() {
  const std::lock_guard<std::mutex> lock(mutex);
  isHeld = true;
}

HeldPrograms::~HeldPrograms() { release(); }

void HeldPrograms::waitForOne() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return waiting > 0; });
}

void HeldPrograms::release() {
  const std::lock_guard<std::mutex> lock(mutex);
  isHeld = false;
  changed.notify_all();
}

}  // namespace hone::test

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                     const std::size_t* lengths, cl_int* code) {
  ++created;
  waitWhileHeld();
  static const auto original =
      reinterpret_cast<decltype(&clCreateProgramWithSource)>(dlsym(RTLD_NEXT, "clCreateProgramWithSource"));
  return original(context, count, strings, lengths, code);
}
