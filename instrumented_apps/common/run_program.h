// A program's main(): turns whatever ends it early into one line on stderr and an exit code.
//
//   int main(int argc, char** argv) {
//     return hone::apps::runProgram("gemm", std::cerr, [&] { run(argc, argv); });
//   }
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "options.h"

namespace hone::apps {

enum ExitCode : int {
  exitSuccess = 0,
  exitCheckFailed = 1,  // CheckFailure
  exitUnusable = 2      // any other exception: wrong options, no device, OpenCL errors
};

/// Runs the body; returns the process's exit code.
int runProgram(const std::string& program, std::ostream& errors, const std::function<void()>& body);

/// Prints what --help and --list-devices ask for; false where neither was given, and the program is to run.
bool answers(const Program& program, const RunOptions& options, std::ostream& out);

/// The text with every run of line breaks replaced by " | ": a compiler's log becomes one line.
std::string oneLine(const std::string& text);

}  // namespace hone::apps
