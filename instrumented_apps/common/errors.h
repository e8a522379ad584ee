// The two ways in which a program ends early, each with one line for the user and its exit code.
#pragma once

#include <stdexcept>

namespace hone::apps {

/// The user has to change something: an option, the device, the problem. Exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// --check found a wrong result. Exit code 1.
class CheckFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace hone::apps
