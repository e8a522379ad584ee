#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests but the long ones (ctest --preset ci -L long runs those);
# then the tests with threads, of the workers and on the virtual device, once more under the address and the thread
# sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh
jobs=$(nproc)

[ -f build/ci/build.ninja ] || cmake --preset ci
cmake --build build/ci
ctest --preset ci -LE long -j "$jobs"

# What has threads, processes or handles; unit tests of spaces, searches and decisions have none (the asan preset builds
# them, too).
tests='hone_thread_tests hone_c_interface_tests hone_worker_tests hone_virtual_tests'
for sanitizer in asan tsan; do
  [ -f "build/$sanitizer/build.ninja" ] || cmake --preset "$sanitizer"
  # shellcheck disable=SC2086  # several names
  cmake --build "build/$sanitizer" --target $tests
  running=()
  for test in $tests; do
    "build/$sanitizer/test/$test" --gtest_brief=1 --gtest_filter='-*Pocl*' &  # PoCL is not instrumented
    running+=($!)
  done
  failed=0
  for process in "${running[@]}"; do wait "$process" || failed=1; done  # all: none is left running behind a failure
  [ "$failed" = 0 ]
done
