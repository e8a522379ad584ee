// Hone for C, and for what calls C: the three calls around any code. hone/opencl_c.h adds events and tuned programs.
//
//   static const int64_t blocks[] = {16, 32, 64, 128};
//   static const char* const names[] = {"width"};
//   int block;
//   hone_tuner* tuner = NULL;
//   if (hone_tuner_create("blur", NULL, &tuner) != HONE_OK) fail(hone_last_error());
//   hone_tuner_bind_int(tuner, "block", blocks, 4, 64, &block, NULL);
//   for (;;) {
//     hone_tuner_start(tuner, names, &width, 1);   // sets block
//     blur(block);
//     hone_tuner_stop(tuner);                      // the wall clock between the two calls
//   }
//   hone_tuner_destroy(tuner);
//
// Every function that can fail says how it went; no exception leaves it, and where it fails, results are left as they
// were. Texts end with a 0; they and all else that is handed over as a pointer to const are copied. Indices count from
// 0. A handle that was destroyed must not be used; destroying a null one does nothing. What a handle was made from may
// be destroyed before it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "hone/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- Errors

typedef enum hone_status {
  HONE_OK = 0,
  HONE_ERROR_NULL = 1,      // an argument is null that must not be
  HONE_ERROR_USAGE = 2,     // the library was used against its rules: the caller's code has to change
  HONE_ERROR_MEMORY = 3,    // there is not enough memory
  HONE_ERROR_OPENCL = 4,    // an OpenCL call failed that was not a candidate's: see hone_last_opencl_error()
  HONE_ERROR_INTERNAL = 5,  // anything else
} hone_status;

/// What the last failure on this thread was, in one line (where a build failed, the compiler's log follows); empty
/// where nothing has failed. Valid until something fails again on this thread.
HONE_API const char* hone_last_error(void);

/// The library's version: "0.1.0".
HONE_API const char* hone_version(void);

// ---- Options

/// What hone::Options has, with the same defaults. The environment stands above it (HONE_MODE, HONE_STRATEGY, ...).
/// Thread safety: externally synchronised.
typedef struct hone_options hone_options;

typedef enum hone_mode {
  HONE_MODE_TUNE = 0,  // candidates are tried
  HONE_MODE_USE = 1,   // nothing new is tried: what is pinned runs, else the default
  HONE_MODE_OFF = 2,   // the default runs; nothing is measured, no thread is started and no file is touched
} hone_mode;

/// `source` is the tuner's name, `message` one line; both are valid during the call. It is called from the thread that
/// noticed, and several threads may call it at once.
typedef void (*hone_diagnostics)(const char* source, const char* message, void* user_data);

HONE_API hone_status hone_options_create(hone_options** options);
HONE_API void hone_options_destroy(hone_options* options);
/// `mode` is one of hone_mode.
HONE_API hone_status hone_options_set_mode(hone_options* options, int mode);
/// "annealing", "auto", "exhaustive", "nelder-mead", "random" or "swarm"; hone_tuner_create refuses another one.
HONE_API hone_status hone_options_set_strategy(hone_options* options, const char* strategy);
HONE_API hone_status hone_options_set_seed(hone_options* options, uint64_t seed);
/// What tuning may cost, as a part of what the default would have cost: 0.1, or INFINITY.
HONE_API hone_status hone_options_set_budget(hone_options* options, double budget);
/// Exploring ends when so many candidates were judged.
HONE_API hone_status hone_options_set_trials(hone_options* options, uint64_t trials);
/// 0: a tuner starts no thread; the program calls hone_tuner_step().
HONE_API hone_status hone_options_set_thread(hone_options* options, int has_own_thread);
/// How many compiled variants a program keeps at most, beside those that a problem runs.
HONE_API hone_status hone_options_set_variants(hone_options* options, size_t variants);
/// A file that is appended to, or "-" for standard error.
HONE_API hone_status hone_options_set_log(hone_options* options, const char* file);
/// Adds a file's pins, as HONE_PIN does: configurations that run instead of a search.
HONE_API hone_status hone_options_add_pins(hone_options* options, const char* file);
/// `function` may be null: nobody is told. `user_data` is handed to it as it is.
HONE_API hone_status hone_options_set_diagnostics(hone_options* options, hone_diagnostics function, void* user_data);

// ---- Declarations

/// Code that is tuned: what hone_tuner_create or hone_program_create made.
/// Thread safety: hone_tuner_measure, _report, _settle and _step are internally synchronised, all else externally.
typedef struct hone_tuner hone_tuner;

/// `name` is for people, and for pins. `options` may be null: the defaults.
HONE_API hone_status hone_tuner_create(const char* name, const hone_options* options, hone_tuner** tuner);
/// Drops an open measurement. The tuner itself lives on until its last ticket is stopped or discarded.
HONE_API void hone_tuner_destroy(hone_tuner* tuner);

/// Declares a parameter, for tickets. `parameter` gets its index, for hone_ticket_value; it may be null.
/// HONE_ERROR_USAGE if there is no value or one twice, if the default is none of them, if the name is empty or taken,
/// or once a measurement was started.
HONE_API hone_status hone_tuner_add_parameter(hone_tuner* tuner, const char* name, const int64_t* values, size_t count,
                                              int64_t default_value, size_t* parameter);
/// The same with a variable, which gets the default at once and each measurement's value in hone_tuner_start; it must
/// outlive the tuner.
HONE_API hone_status hone_tuner_bind_int64(hone_tuner* tuner, const char* name, const int64_t* values, size_t count,
                                           int64_t default_value, int64_t* variable, size_t* parameter);
/// HONE_ERROR_USAGE also if a value does not fit into an int.
HONE_API hone_status hone_tuner_bind_int(hone_tuner* tuner, const char* name, const int64_t* values, size_t count,
                                         int64_t default_value, int* variable, size_t* parameter);

/// Declares the names of problem sizes, once; needed where an expression reads one. Otherwise the first measurement's
/// are those of all.
HONE_API hone_status hone_tuner_problem(hone_tuner* tuner, const char* const* names, size_t count);

/// Allows only configurations for which the expression has a value other than 0: "block * unroll <= 1024". C's
/// operators over integers, parameters and declared problem sizes; min(a, b), max(a, b), ceilDiv(a, b). Where it reads
/// no problem size, it must hold for the default.
HONE_API hone_status hone_tuner_require(hone_tuner* tuner, const char* expression);

/// Gets the values of what the constraint reads, in that order; not 0: allowed. It must depend on nothing else; it is
/// called from several threads, also after hone_tuner_destroy while a ticket is open.
typedef int (*hone_predicate)(const int64_t* values, void* user_data);
/// The same as a function. `reads` are at most 16 parameters, problem sizes or expressions of them.
HONE_API hone_status hone_tuner_require_function(hone_tuner* tuner, const char* name, const char* const* reads,
                                                 size_t count, hone_predicate function, void* user_data);

/// Lets candidates take only these of the parameter's values.
HONE_API hone_status hone_tuner_restrict(hone_tuner* tuner, const char* name, const int64_t* values, size_t count);

// ---- The three calls

/// Begins a measurement: sets the bound variables. `names` and `sizes` say what the code works on; both may be null
/// where count is 0. If a measurement is open, that is discarded and reported. HONE_ERROR_USAGE if the names are not
/// those declared or, where none were declared, not those of the first measurement.
HONE_API hone_status hone_tuner_start(hone_tuner* tuner, const char* const* names, const int64_t* sizes, size_t count);
/// Ends it; its cost is the wall-clock time since hone_tuner_start. HONE_ERROR_USAGE if none is open.
HONE_API hone_status hone_tuner_stop(hone_tuner* tuner);
/// Ends it; its cost is any finite, positive number (energy, bytes). A tuner's costs are either all times or all of
/// this kind.
HONE_API hone_status hone_tuner_stop_cost(hone_tuner* tuner, double cost);

// ---- Tickets: measurements of several threads

/// One measurement. It leaves the bound variables alone.
/// Thread safety: externally synchronised; tickets of one tuner are independent of each other.
typedef struct hone_ticket hone_ticket;

HONE_API hone_status hone_tuner_measure(hone_tuner* tuner, const char* const* names, const int64_t* sizes, size_t count,
                                        hone_ticket** ticket);
/// The value of a parameter in this measurement.
HONE_API hone_status hone_ticket_value(const hone_ticket* ticket, size_t parameter, int64_t* value);
/// End the measurement, as hone_tuner_stop and hone_tuner_stop_cost do; the handle remains to be destroyed.
HONE_API hone_status hone_ticket_stop(hone_ticket* ticket);
HONE_API hone_status hone_ticket_stop_cost(hone_ticket* ticket, double cost);
/// A measurement that was not stopped leaves no sample.
HONE_API void hone_ticket_destroy(hone_ticket* ticket);

// ---- What was found

typedef enum hone_phase {
  HONE_PHASE_WARMING_UP = 0,  // the default runs until its cost is known
  HONE_PHASE_EXPLORING = 1,   // candidates race the best one so far
  HONE_PHASE_SETTLED = 2,     // the best one runs; or nothing is searched for
} hone_phase;

/// Costs are nanoseconds, or the unit of hone_tuner_stop_cost.
typedef struct hone_report {
  int phase;            // one of hone_phase
  int is_decided;       // not 0: settled, and the best one stays
  uint64_t launches;    // measurements started for this problem
  uint64_t trials;      // candidates judged, failed ones included
  uint64_t failed;      // of these, the ones that did not build, launch or finish
  uint64_t settled_at;  // the launch with which it settled; 0: not yet, or nothing was searched for
  double default_cost;  // the median; 0: not known yet
  double best_cost;     // the median; 0: not known yet
  double balance;       // what the next trials may cost; infinite with an unlimited budget
  double spent;         // what was tried has cost so much more than the default would have
  double saved;         // better configurations have cost so much less
  double by_default;    // what the default would have cost instead of all launches: an estimate
} hone_report;

/// What is known of a problem. `best` gets the value of each parameter in the best configuration so far; it has `count`
/// elements, one for each parameter, or is null. HONE_ERROR_USAGE if the problem was never measured.
HONE_API hone_status hone_tuner_report(const hone_tuner* tuner, const char* const* names, const int64_t* sizes,
                                       size_t size_count, hone_report* report, int64_t* best, size_t count);
/// "warming up", "exploring", "settled"; "unknown" for what is no hone_phase.
HONE_API const char* hone_phase_name(int phase);

/// Ends exploring for the problems measured so far: a final of at most 60 launches, then the winner runs.
HONE_API hone_status hone_tuner_settle(hone_tuner* tuner);
/// Does what the tuner's own thread would do next. `did_something` may be null. HONE_ERROR_USAGE for a program: see
/// hone_runtime_step().
HONE_API hone_status hone_tuner_step(hone_tuner* tuner, int* did_something);

#ifdef __cplusplus
}
#endif
