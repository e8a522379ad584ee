// Prefix sums on a device, for any program that compiles scan.cl.
//
//   Scan scan(on, capacity);                  // its scratch memory
//   program.startMeasurement({{"n", n}});
//   Launched sums = scan.enqueue(program, space.configuration(program), in, out, n, Kind::exclusive);
//   program.stopMeasurement(sums.elapsed());
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "device.h"
#include "launched.h"
#include "scan/space.h"

namespace hone::apps::scan {

enum class Kind {
  inclusive,  // out[i] = in[0] + ... + in[i]
  exclusive   // out[i] = in[0] + ... + in[i - 1]
};

/// The text of scan.cl.
const char* kernelSource();

/// What scratch memory takes for this many elements, in bytes.
std::size_t scratchBytes(std::size_t capacity);

/// Scans one after the other, of up to `capacity` elements each.
/// Thread safety: externally synchronised.
class Scan {
 public:
  Scan(const OpenedDevice& on, std::size_t capacity);

  /// Sums modulo 2^32, of n elements of 4 bytes; `out` may be `in`. `program` has a measurement open, which runs
  /// `configuration`. With n = 0 a marker is enqueued. Throws UsageError if n is above the capacity.
  Launched enqueue(const opencl::TunedProgram& program, const Configuration& configuration, const cl::Buffer& in,
                   const cl::Buffer& out, std::size_t n, Kind kind);

 private:
  struct Work;
  Launched reduceThenScan(const opencl::TunedProgram& program, const Work& work);
  Launched lookBack(const opencl::TunedProgram& program, const Work& work);

  cl::CommandQueue queue_;
  std::size_t capacity_;
  std::size_t computeUnits_;
  cl::Buffer sums_;       // of chunks
  cl::Buffer published_;  // a word of look-back for each tile
  cl::Buffer begun_;      // work-groups of the present look-back
  std::uint32_t launch_ = 0;
};

/// By a plain loop on the host.
std::vector<std::uint32_t> referenceSums(const std::vector<std::uint32_t>& in, Kind kind);

}  // namespace hone::apps::scan
