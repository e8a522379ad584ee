#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests but the long ones (ctest --preset ci -L long runs those);
# then the tests of the decisions, of the workers and on the virtual device, once more under the address and the thread
# sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh
jobs=$(nproc)

[ -f build/ci/build.ninja ] || cmake --preset ci
cmake --build build/ci
ctest --preset ci -LE long -j "$jobs"

# Spaces, searches and budgets have no threads: only the address sanitizer looks at hone_unit_tests, and not at the
# thousands of runs that look for a broken budget.
declare -A tests=(
  [asan]='hone_unit_tests hone_thread_tests hone_c_interface_tests hone_worker_tests hone_virtual_tests'
  [tsan]='hone_thread_tests hone_c_interface_tests hone_worker_tests hone_virtual_tests')
for sanitizer in asan tsan; do
  [ -f "build/$sanitizer/build.ninja" ] || cmake --preset "$sanitizer"
  # shellcheck disable=SC2086  # several names
  cmake --build "build/$sanitizer" --target ${tests[$sanitizer]}
  # As many at a time as there are cores. PoCL is not instrumented.
  # shellcheck disable=SC2086
  printf '%s\n' ${tests[$sanitizer]} |
    xargs -P "$jobs" -I{} "build/$sanitizer/test/{}" --gtest_brief=1 --gtest_filter='-*Pocl*:BudgetProperty.*'
done
