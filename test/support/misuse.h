// What a misuse of the library says.
#pragma once

#include <functional>
#include <string>

#include "hone/error.h"

namespace hone::test {

/// The message of the UsageError that `misuse` throws; "nothing was thrown" if it throws none.
inline std::string messageOf(const std::function<void()>& misuse) {
  try {
    misuse();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace hone::test
