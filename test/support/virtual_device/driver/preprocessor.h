// As much of a C preprocessor as finding kernels takes: comments, conditions, #define and #undef, #error, and the
// expansion of macros without parameters. Calls of macros with parameters are left as they stand, #pragma and #line are
// left out, #include is an error.
#pragma once

#include <map>
#include <string>

#include "support/virtual_device/kernel_call.h"

namespace hone::test::driver {

/// Macros by name, with their text.
using MacroTexts = std::map<std::string, std::string>;

/// "-D A=1 -DB=2 -D C -cl-fast" gives A, B and C; C is 1.
MacroTexts macrosIn(const std::string& buildOptions);

/// Those that are whole numbers.
Macros integersOf(const MacroTexts& macros);

struct Preprocessed {
  std::string text;
  std::string error;  // empty: none
};

Preprocessed preprocess(const std::string& source, MacroTexts macros);

}  // namespace hone::test::driver
