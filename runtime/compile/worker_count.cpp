#include "compile/worker_count.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

namespace hone::detail {

namespace {

constexpr std::size_t kCoresPerWorker = 4;
constexpr std::size_t kMostWorkers = 8;
constexpr std::uint64_t kContextBytes = std::uint64_t{527} << 20;  // measured on an H200, driver 580.159.04
constexpr std::uint64_t kMemoryShare = 20;                         // one part in so many

}  // namespace

std::size_t workersFor(std::size_t cores, std::uint64_t deviceBytes) {
  const auto byMemory = static_cast<std::size_t>(deviceBytes / kMemoryShare / kContextBytes);
  return std::max<std::size_t>(1, std::min({cores / kCoresPerWorker, kMostWorkers, byMemory}));
}

std::size_t machineCores() {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return cores > 0 ? static_cast<std::size_t>(cores) : 1;
}

std::size_t ownCores() {
  cpu_set_t cores;  // of 1024 cores; on larger machines the call fails
  if (sched_getaffinity(getpid(), sizeof(cores), &cores) != 0) return machineCores();
  return static_cast<std::size_t>(CPU_COUNT(&cores));
}

}  // namespace hone::detail
