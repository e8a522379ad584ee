// Hone for OpenCL programs in C: event times for the three calls, and programs that are compiled for each
// configuration.
//
//   hone_runtime* runtime = NULL;
//   hone_tuner* sort = NULL;
//   hone_runtime_create(context, device, NULL, &runtime);
//   hone_program_create(runtime, source, "merge_sort", NULL, &sort);
//   hone_tuner_bind_int64(sort, "TILE", tiles, 4, 256, &tile, NULL);      // -D TILE=...
//   hone_program_build(sort);
//   for (;;) {
//     hone_tuner_start(sort, names, &n, 1);                               // sets tile; never compiles a candidate
//     hone_program_kernel(sort, "sortTiles", &tiles);
//     ... clSetKernelArg, clEnqueueNDRangeKernel(..., &event) ...
//     hone_tuner_stop_events(sort, event, event);                         // returns at once
//   }
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include "hone/hone_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/// OpenCL's code of the last failure on this thread; CL_SUCCESS where that was not HONE_ERROR_OPENCL.
HONE_API cl_int hone_last_opencl_error(void);

// ---- Event times

/// Ends a tuner's or program's measurement and returns at once. Its cost is the device time from the start of `first`
/// to the end of `last`, which may be the same event; it is read when they have completed, and the library keeps
/// references of its own until then. HONE_ERROR_USAGE for a null event or events of different devices; that is looked
/// at where the time is kept, as it is in the first launches of each problem.
HONE_API hone_status hone_tuner_stop_events(hone_tuner* tuner, cl_event first, cl_event last);
HONE_API hone_status hone_ticket_stop_events(hone_ticket* ticket, cl_event first, cl_event last);

// ---- The device

/// One device in one context, and who prepares candidates for it.
/// Thread safety: internally synchronised.
typedef struct hone_runtime hone_runtime;

/// What hone::opencl::RuntimeOptions has, with the same defaults.
/// Thread safety: externally synchronised.
typedef struct hone_runtime_options hone_runtime_options;

HONE_API hone_status hone_runtime_options_create(hone_runtime_options** options);
HONE_API void hone_runtime_options_destroy(hone_runtime_options* options);
/// 0: no thread is started; the program calls hone_runtime_step().
HONE_API hone_status hone_runtime_options_set_thread(hone_runtime_options* options, int has_own_thread);
/// How many processes compile candidates, at most; 0: this process does.
HONE_API hone_status hone_runtime_options_set_workers(hone_runtime_options* options, size_t workers);
/// The program hone-worker, where it is not beside the library.
HONE_API hone_status hone_runtime_options_set_worker(hone_runtime_options* options, const char* program);
/// A build that takes more seconds is stopped, and its configuration set aside. HONE_ERROR_USAGE unless it is from
/// 0.001 to 1e6.
HONE_API hone_status hone_runtime_options_set_compile_limit(hone_runtime_options* options, double seconds);

/// Keeps the context alive. `options` may be null: the defaults. HONE_ERROR_USAGE if the device is not the context's.
HONE_API hone_status hone_runtime_create(cl_context context, cl_device_id device, const hone_runtime_options* options,
                                         hone_runtime** runtime);
/// The runtime itself lives on until its last program is gone.
HONE_API void hone_runtime_destroy(hone_runtime* runtime);
/// Does what the runtime's thread would do next. `did_something` may be null.
HONE_API hone_status hone_runtime_step(hone_runtime* runtime, int* did_something);
/// Waits until nothing is prepared any more; while a program is exploring, that can take as long as its search.
HONE_API hone_status hone_runtime_wait_until_idle(hone_runtime* runtime);

// ---- Programs

/// Several kernels that share one configuration, compiled for each: parameters become -D macros. All functions of
/// hone_tuner work on it, but hone_tuner_step. `source` is OpenCL C; `options` may be null.
HONE_API hone_status hone_program_create(hone_runtime* runtime, const char* source, const char* name,
                                         const hone_options* options, hone_tuner** program);

// These return HONE_ERROR_USAGE for a tuner that is no program, and for an expression that cannot be understood; they
// take expressions as hone_tuner_require does.

/// Compiler options for every configuration, in addition to the macros.
HONE_API hone_status hone_program_set_build_options(hone_tuner* program, const char* options);
/// A macro derived from parameters and problem sizes.
HONE_API hone_status hone_program_define(hone_tuner* program, const char* name, const char* expression);
/// The bytes of local memory that a work-group uses; configurations beyond the device's limit are left out.
HONE_API hone_status hone_program_local_memory(hone_tuner* program, const char* bytes);
/// A work-group with which some kernel is launched, in 1 to 3 dimensions; configurations beyond the device's limits are
/// left out.
HONE_API hone_status hone_program_work_group(hone_tuner* program, const char* const* sizes, size_t dimensions);
/// Ends the declarations and compiles the default; the first measurement does it otherwise. HONE_ERROR_OPENCL, with the
/// build log, if that does not compile.
HONE_API hone_status hone_program_build(hone_tuner* program);

/// A kernel of the open measurement's configuration: set its arguments and enqueue it before the measurement is
/// stopped, and ask again for the next one. Still owned by the library. HONE_ERROR_USAGE, listing the kernels, if there
/// is none of this name, or if no measurement is open.
HONE_API hone_status hone_program_kernel(const hone_tuner* program, const char* name, cl_kernel* kernel);
HONE_API hone_status hone_ticket_kernel(const hone_ticket* ticket, const char* name, cl_kernel* kernel);

/// Where to enqueue the open measurement's launches, for an application whose own queue has no profiling: `used` gets
/// that queue or, while event times are wanted, one of the runtime's that has it. In-order queues keep their order:
/// what is on the application's queue already comes before, what is enqueued there after the measurement was stopped or
/// dropped comes after, and a clFinish covers it; enqueue nothing there in between. A queue that has profiling or runs
/// out of order is what it is. HONE_ERROR_USAGE if no measurement is open, or for a second queue in one measurement.
HONE_API hone_status hone_program_queue(hone_tuner* program, cl_command_queue applications, cl_command_queue* used);
HONE_API hone_status hone_ticket_queue(hone_ticket* ticket, cl_command_queue applications, cl_command_queue* used);

#ifdef __cplusplus
}
#endif
