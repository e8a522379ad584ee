// The one exception of the part of Hone that knows no OpenCL: the caller's code has to change.
#pragma once

#include <stdexcept>
#include <string>

#include "hone/api.h"

namespace hone {

/// Thrown when the library is used against its rules. The message names the offending value. A candidate that fails to
/// build or to run is no misuse and never throws.
class HONE_API UsageError : public std::invalid_argument {
 public:
  explicit UsageError(const std::string& message) : std::invalid_argument(message) {}
};

}  // namespace hone
