// The main() of every instrumented program:
//
//   int main(int argc, char** argv) { return hone::apps::runApplication(hone::apps::scan::application(), argc, argv); }
#pragma once

#include "workload.h"

namespace hone::apps {

/// Reads the options, opens device and workload, launches until the run ends, and publishes what it has found: for each
/// of the workload's problems, one after the other. Returns the process's exit code, as runProgram does.
int runApplication(const Application& application, int argc, char** argv);

}  // namespace hone::apps
