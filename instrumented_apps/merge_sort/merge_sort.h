// A stable sort on a device, as a section that a TunedProgram measures.
//
//   MergeSort sort(on, capacity, hasValues);             // its scratch memory
//   program.startMeasurement({{"n", n}});
//   Launched sorted = sort.enqueue(program, space.configuration(program), in, out, n);
//   program.stopMeasurement(sorted.elapsed());
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device.h"
#include "launched.h"
#include "merge_sort/space.h"

namespace hone::apps::merge_sort {

/// The text of merge_sort.cl.
const char* kernelSource();

/// Of the scratch memory's buffers, in bytes each.
std::vector<double> scratchBytes(std::size_t capacity, bool hasValues);

/// What is sorted, or where it goes: keys of 4 bytes each and, where they are sorted with values, as many of these.
struct Elements {
  cl::Buffer keys;
  cl::Buffer values;  // else empty
};

/// Sorts one after the other, of up to `capacity` keys each.
/// Thread safety: externally synchronised.
class MergeSort {
 public:
  MergeSort(const OpenedDevice& on, std::size_t capacity, bool hasValues);

  /// Sorts n keys in ascending order; equal keys keep theirs. `in` stays as it is, `out` is another buffer. `program`
  /// has a measurement open, which runs `configuration`. With n = 0 a marker is enqueued. Throws UsageError if n is
  /// above the capacity.
  Launched enqueue(const opencl::TunedProgram& program, const Configuration& configuration, const Elements& in,
                   const Elements& out, std::size_t n);

 private:
  cl::Event sortTiles(cl::Kernel kernel, const Configuration& configuration, const Elements& in, const Elements& out,
                      std::size_t n);
  cl::Event merge(const opencl::TunedProgram& program, const Configuration& configuration, const Elements& in,
                  const Elements& out, std::size_t n, std::size_t run);

  cl::CommandQueue queue_;
  std::size_t capacity_;
  bool hasValues_;
  Elements other_;  // every second pass writes there
  cl::Buffer splits_;
};

/// Random keys, of which about four each are equal whatever n is, so that stability shows.
std::vector<std::uint32_t> randomKeys(std::size_t n, std::uint32_t seed);

/// 0 .. n - 1: the values that tell where a key was.
std::vector<std::uint32_t> positions(std::size_t n);

/// What the keys' positions become by a stable sort; the standard library's.
std::vector<std::uint32_t> stableOrder(const std::vector<std::uint32_t>& keys);

}  // namespace hone::apps::merge_sort
