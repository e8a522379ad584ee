// Counts the programs that this process makes, and can hold them up: the test program's own clCreateProgramWith...
// stand before OpenCL's.
#pragma once

namespace hone::test {

/// Calls so far, from source.
int programsCreated();

/// While it lives and is not released, whoever makes a program from source waits.
/// Thread safety: internally synchronised; one at a time.
class HeldPrograms {
 public:
  HeldPrograms();
  ~HeldPrograms();
  HeldPrograms(const HeldPrograms&) = delete;
  HeldPrograms& operator=(const HeldPrograms&) = delete;

  /// Waits until somebody waits.
  void waitForOne();
  void release();
};

}  // namespace hone::test
