// Counts the programs that this process makes: the test program's own clCreateProgramWith... stand before OpenCL's.
#pragma once

namespace hone::test {

/// Calls so far, from source.
int programsCreated();

}  // namespace hone::test
