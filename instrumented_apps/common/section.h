// The three calls around a section of kernels.
//
//   work.launch = [&] {
//     return measured(program, {{"n", n}}, [&] { return sort.enqueue(program, ...); });
//   };
#pragma once

#include "launched.h"

namespace hone::apps {

/// How often a section is tried.
inline constexpr int kTries = 10;

/// Measures what `enqueue` enqueues. Where it throws a cl::Error, because a candidate asks for more than the device
/// has, that measurement leaves no sample and the section is enqueued anew, whatever has been enqueued of it: the
/// library runs a candidate no more to which that happens again and again. Passes the error on after kTries.
template <class Enqueue>
Launched measured(opencl::TunedProgram& program, const ProblemSizes& problem, const Enqueue& enqueue) {
  for (int tries = 1;; ++tries) {
    program.startMeasurement(problem);
    try {
      const Launched launched = enqueue();
      program.stopMeasurement(launched.elapsed());
      return launched;
    } catch (const cl::Error&) {
      if (tries == kTries) throw;
    }
  }
}

}  // namespace hone::apps
