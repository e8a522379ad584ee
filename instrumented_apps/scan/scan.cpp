#include "scan/scan.h"

#include <algorithm>
#include <numeric>

#include "enqueue.h"
#include "hone/error.h"
#include "scan_source.h"

namespace hone::apps::scan {

namespace {

// Of the launch's number 31 bits are published.
constexpr std::uint32_t kLaunchMask = 0x7fffffff;

cl_uint asUint(std::size_t number) { return static_cast<cl_uint>(number); }

// What the smallest tiles, of one element a work-item, come to; never 0, since buffers are not empty.
std::size_t mostTiles(std::size_t capacity) {
  const auto smallest = static_cast<std::size_t>(blocks().values().front());
  return std::max<std::size_t>(ceilDivide(capacity, smallest), 1);
}

}  // namespace

/// One scan.
struct Scan::Work {
  const cl::Buffer& in;
  const cl::Buffer& out;
  std::size_t n;
  cl_uint kept;
  std::size_t block;
  std::size_t tile;    // elements
  std::size_t groups;  // at most
};

const char* kernelSource() { return kScanSource; }

std::size_t scratchBytes(std::size_t capacity) {
  return mostTiles(capacity) * (sizeof(cl_uint) + sizeof(cl_ulong)) + sizeof(cl_uint);
}

Scan::Scan(const OpenedDevice& on, std::size_t capacity)
    : queue_(on.queue),
      capacity_(capacity),
      computeUnits_(on.device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>()),
      sums_(on.context, CL_MEM_READ_WRITE, mostTiles(capacity) * sizeof(cl_uint)),
      published_(on.context, CL_MEM_READ_WRITE, mostTiles(capacity) * sizeof(cl_ulong)),
      begun_(on.context, CL_MEM_READ_WRITE, sizeof(cl_uint)) {
  queue_.enqueueFillBuffer(begun_, cl_uint{0}, 0, sizeof(cl_uint));
}

Launched Scan::enqueue(const opencl::TunedProgram& program, const Configuration& configuration, const cl::Buffer& in,
                       const cl::Buffer& out, std::size_t n, Kind kind) {
  if (n > capacity_) {
    throw UsageError("a scan of " + std::to_string(n) + " elements has scratch memory for " +
                     std::to_string(capacity_));
  }
  if (n == 0) {
    cl::Event nothing;
    queue_.enqueueMarkerWithWaitList(nullptr, &nothing);
    return nothing;
  }
  const auto block = static_cast<std::size_t>(configuration.block);
  const Work work{in,
                  out,
                  n,
                  kind == Kind::exclusive ? 0xffffffffu : 0u,
                  block,
                  block * static_cast<std::size_t>(configuration.items),
                  computeUnits_ * static_cast<std::size_t>(configuration.groups)};
  return configuration.lookBack ? lookBack(program, work) : reduceThenScan(program, work);
}

Launched Scan::reduceThenScan(const opencl::TunedProgram& program, const Work& work) {
  const std::size_t tiles = ceilDivide(work.n, work.tile);
  const std::size_t chunk = ceilDivide(tiles, std::min(tiles, work.groups)) * work.tile;  // elements
  const std::size_t chunks = ceilDivide(work.n, chunk);
  const cl_uint n = asUint(work.n), length = asUint(chunk);
  const auto scanChunks = [&] {
    return enqueueGroups(queue_, program.kernel("scanChunks"), chunks, work.block, work.in, work.out, n, work.kept,
                         length, sums_);
  };
  if (chunks == 1) return scanChunks();
  const cl::Event first =
      enqueueGroups(queue_, program.kernel("reduceChunks"), chunks, work.block, work.in, n, length, sums_);
  enqueueGroups(queue_, program.kernel("scanSums"), 1, work.block, sums_, asUint(chunks));
  return {first, scanChunks()};
}

Launched Scan::lookBack(const opencl::TunedProgram& program, const Work& work) {
  if (launch_ == 0) {  // the first one, or all numbers have been used
    queue_.enqueueFillBuffer(published_, cl_uint{0}, 0, mostTiles(capacity_) * sizeof(cl_ulong));
    launch_ = 1;
  }
  const cl::Event done =
      enqueueGroups(queue_, program.kernel("scanLookBack"), ceilDivide(work.n, work.tile), work.block, work.in,
                    work.out, asUint(work.n), work.kept, launch_, begun_, published_);
  launch_ = (launch_ + 1) & kLaunchMask;
  return done;
}

std::vector<std::uint32_t> referenceSums(const std::vector<std::uint32_t>& in, Kind kind) {
  std::vector<std::uint32_t> out(in.size());
  if (kind == Kind::inclusive) {
    std::inclusive_scan(in.begin(), in.end(), out.begin());
  } else {
    std::exclusive_scan(in.begin(), in.end(), out.begin(), std::uint32_t{0});
  }
  return out;
}

}  // namespace hone::apps::scan
