// Where the program hone-worker is.
#pragma once

#include <string>

namespace hone::detail {

/// Looks beside the library, or beside the program that it is a part of: in the same folder, and in libexec/hone there,
/// one and two folders up (bin/program, lib/libhone.so and lib/x86_64-linux-gnu/libhone.so of one prefix). Nowhere
/// else: neither in the working directory nor in PATH, since what is found is executed. Empty if there is none.
std::string findWorkerProgram();

}  // namespace hone::detail
