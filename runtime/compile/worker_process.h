// Starting a compile worker: a process that the application neither sees nor waits for.
#pragma once

#include <string>

#include "descriptor.h"

namespace hone::detail {

/// Starts a program and returns the application's end of the socket that is the program's standard input. Its output
/// goes nowhere, and descriptor 3 is a copy of `kept`; it has no other descriptor, no signal is blocked or ignored, and
/// the environment and the working directory are the application's.
///
/// The application's memory is not copied. The program is no child of the application, which therefore cannot wait for
/// it and gets no SIGCHLD: whoever holds the other end of the socket knows that it has ended. Closing this end ends a
/// worker, see worker_side.h.
///
/// Throws std::system_error if there is no such program, or no room for another process. Takes about as long as
/// vfork() and exec: the calling thread waits until the program is loaded.
Descriptor startProcess(const std::string& program, const Descriptor& kept);

/// Where a process that startProcess() started finds what it was given.
constexpr int kWorkerSocket = 0;
constexpr int kWorkerKept = 3;

}  // namespace hone::detail
