// Devices for programs that know nothing of them: the variable HONE_VIRTUAL_DEVICE names a JSON file,
//
//   {"devices": [{"name": "Virtual A", "type": "gpu", "compute_units": 16, "max_work_group_size": 1024, "fp64": true,
//                 "local_memory_bytes": 49152, "global_memory_bytes": 1073741824, "timer_resolution_ns": 1000,
//                 "build_ns": 100000000,
//                 "launch": {"ns": 100000, "ns_per_work_item": 2, "factors": {"WG": {"32": 2, "256": 0.8}}}}],
//    "host": {"every_call_ns": 200, "by_name": {"clEnqueueNDRangeKernel": 2000}}}
//
// of which all but "launch" may be left out. A launch takes ns plus ns_per_work_item for each, times the factors of
// those macros that have the value named. Kernels with a body are those of built_in_kernels.h.
#pragma once

namespace hone::test::driver {

/// The first time it is called, makes the devices, which stay until the process ends. A file that cannot be understood
/// is reported on standard error, and makes no device. REQUIRES: the driver is not locked
void startFromEnvironment();

}  // namespace hone::test::driver
