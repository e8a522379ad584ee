// What one launch of a program has enqueued: a kernel, or a section of several.
#pragma once

#include <utility>

#include "hone/opencl.hpp"

namespace hone::apps {

/// The first and the last command of an in-order queue; for a single kernel the two are the same.
struct Launched {
  Launched(cl::Event only) : first(only), last(std::move(only)) {}
  Launched(cl::Event firstCommand, cl::Event lastCommand)
      : first(std::move(firstCommand)), last(std::move(lastCommand)) {}

  /// For stopMeasurement. Refers to this object.
  Elapsed elapsed() const { return opencl::elapsed(first, last); }
  void wait() const { last.wait(); }

  cl::Event first, last;
};

}  // namespace hone::apps
