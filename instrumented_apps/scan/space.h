// The search space of the scan: what can be chosen of scan.cl, where the meaning of each parameter stands.
#pragma once

#include <cstdint>
#include <string>

#include "device.h"
#include "hone/opencl.hpp"
#include "section_space.h"

namespace hone::apps::scan {

/// What scan.cl is compiled for and launched with; as it stands, the program's default.
struct Configuration {
  std::int64_t block = 224;
  std::int64_t items = 4;
  std::int64_t lookBack = 0;
  std::int64_t groups = 16;  // reduce, then scan: work-groups for each compute unit of the device, at most
  std::int64_t staged = 0;
  std::int64_t rakers = 32;
};

/// The work-groups' sizes: multiples of 32, as scan.cl needs them.
Range blocks();

/// Why work-groups of the device must not wait for each other; empty where they may.
///
/// OpenCL promises nothing of the kind. scanLookBack needs only that a work-group which has begun goes on while others
/// wait for it, since it waits for none that has not begun. That holds where
/// - the device is a CPU: a work-group that has begun is run to its end by a thread of the operating system, which
///   interrupts those that spin (PoCL, Oclgrind). Measured on PoCL 3.1 with two threads, whose two cores had a load of
///   11: 301 launches of 31,251 tiles each, all right; or
/// - the device is NVIDIA's: a work-group stays on its multiprocessor until it ends, beside others that run in turns.
/// The
///   scans of CUDA's own libraries rely on it (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled
///   Look-back, 2016).
/// And it needs cl_khr_int64_base_atomics.
std::string whyNoLookBack(const cl::Device& device, const opencl::DeviceFacts& facts);

class Space : public SectionSpace<Configuration> {
 public:
  /// Declares BLOCK, ITEMS and LOOK_BACK, and where `isWide` GROUPS, STAGED and RAKERS; constraints, macros, the
  /// work-group and its local memory. `whyNoLookBack`: as above.
  Space(opencl::TunedProgram& program, const opencl::DeviceFacts& facts, const std::string& whyNoLookBack, bool isWide);
};

/// For programs that use scan.cl beside kernels of their own: the macros that it needs, in terms of their parameters.
struct Settings {
  Expression block, items, lookBack, staged, rakers;
};

void defineMacros(opencl::ProgramDeclarations& program, const Settings& settings);

/// Of local memory in a work-group of any of scan.cl's kernels.
Expression localBytes(const Settings& settings);

}  // namespace hone::apps::scan
