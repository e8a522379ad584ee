#include "merge_sort/merge_sort.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "enqueue.h"
#include "hone/error.h"
#include "merge_sort_source.h"
#include "random_data.h"

namespace hone::apps::merge_sort {

namespace {

constexpr std::size_t kSmallestChunk = 32;  // work-groups of 32, one element a work-item

cl_uint asUint(std::size_t number) { return static_cast<cl_uint>(number); }

std::size_t asSize(std::int64_t number) { return static_cast<std::size_t>(number); }

// Buffers are never empty.
std::size_t bytesOfKeys(std::size_t capacity) { return sizeof(cl_uint) * std::max<std::size_t>(capacity, 1); }

// All pairs have as many chunks, even where the last one is nearly empty.
std::size_t bytesOfSplits(std::size_t capacity) {
  return sizeof(cl_uint) * (2 * ceilDivide(capacity, kSmallestChunk) + 1);
}

// How often the runs have to be merged.
std::size_t passes(std::size_t n, std::size_t tile) {
  std::size_t count = 0;
  for (std::size_t run = tile; run < n; run *= 2) ++count;
  return count;
}

}  // namespace

const char* kernelSource() { return kMergeSortSource; }

std::vector<double> scratchBytes(std::size_t capacity, bool hasValues) {
  const auto keys = static_cast<double>(bytesOfKeys(capacity));
  return {keys, hasValues ? keys : 0, static_cast<double>(bytesOfSplits(capacity))};
}

MergeSort::MergeSort(const OpenedDevice& on, std::size_t capacity, bool hasValues)
    : queue_(on.queue),
      capacity_(capacity),
      hasValues_(hasValues),
      splits_(on.context, CL_MEM_READ_WRITE, bytesOfSplits(capacity)) {
  other_.keys = cl::Buffer(on.context, CL_MEM_READ_WRITE, bytesOfKeys(capacity));
  if (hasValues) other_.values = cl::Buffer(on.context, CL_MEM_READ_WRITE, bytesOfKeys(capacity));
}

Launched MergeSort::enqueue(const opencl::TunedProgram& program, const Configuration& configuration, const Elements& in,
                            const Elements& out, std::size_t n) {
  if (n > capacity_) {
    throw UsageError("a sort of " + std::to_string(n) + " keys has scratch memory for " + std::to_string(capacity_));
  }
  if (n == 0) {
    cl::Event nothing;
    queue_.enqueueMarkerWithWaitList(nullptr, &nothing);
    return nothing;
  }
  // The last pass is to write to `out`.
  std::size_t run = asSize(configuration.tile());
  const bool isOdd = passes(n, run) % 2 == 1;
  const Elements* from = isOdd ? &other_ : &out;
  const Elements* to = isOdd ? &out : &other_;
  const cl::Event first = sortTiles(program.kernel("sortTiles"), configuration, in, *from, n);
  cl::Event last = first;
  for (; run < n; run *= 2) {
    last = merge(program, configuration, *from, *to, n, run);
    std::swap(from, to);
  }
  return {first, last};
}

cl::Event MergeSort::sortTiles(cl::Kernel kernel, const Configuration& configuration, const Elements& in,
                               const Elements& out, std::size_t n) {
  const std::size_t block = asSize(configuration.sortBlock), groups = ceilDivide(n, asSize(configuration.tile()));
  if (!hasValues_) return enqueueGroups(queue_, kernel, groups, block, asUint(n), in.keys, out.keys);
  return enqueueGroups(queue_, kernel, groups, block, asUint(n), in.keys, out.keys, in.values, out.values);
}

cl::Event MergeSort::merge(const opencl::TunedProgram& program, const Configuration& configuration, const Elements& in,
                           const Elements& out, std::size_t n, std::size_t run) {
  const std::size_t pairs = ceilDivide(n, 2 * run);
  const std::size_t chunksOfPair = ceilDivide(std::min(n, 2 * run), asSize(configuration.chunk()));
  const std::size_t chunks = pairs * chunksOfPair;
  const std::size_t splitBlock = asSize(configuration.splitBlock), mergeBlock = asSize(configuration.mergeBlock);
  enqueueGroups(queue_, program.kernel("findSplits"), ceilDivide(chunks, splitBlock), splitBlock, asUint(n),
                asUint(run), asUint(chunksOfPair), asUint(chunks), in.keys, splits_);
  const cl::Kernel kernel = program.kernel("mergeChunks");
  if (!hasValues_) {
    return enqueueGroups(queue_, kernel, chunks, mergeBlock, asUint(n), asUint(run), asUint(chunksOfPair), splits_,
                         in.keys, out.keys);
  }
  return enqueueGroups(queue_, kernel, chunks, mergeBlock, asUint(n), asUint(run), asUint(chunksOfPair), splits_,
                       in.keys, out.keys, in.values, out.values);
}

std::vector<std::uint32_t> randomKeys(std::size_t n, std::uint32_t seed) { return randomIntegers(n, n / 4 + 1, seed); }

std::vector<std::uint32_t> positions(std::size_t n) {
  std::vector<std::uint32_t> positions(n);
  std::iota(positions.begin(), positions.end(), 0u);
  return positions;
}

std::vector<std::uint32_t> stableOrder(const std::vector<std::uint32_t>& keys) {
  std::vector<std::uint32_t> order = positions(keys.size());
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  return order;
}

}  // namespace hone::apps::merge_sort
