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

# Spaces, searches and budgets have no threads, and take the thread sanitizer minutes.
unthreaded='UncountedSpace.*:Explain.*:SpaceProperty.*:SearchSpace.*:Auto.*:BudgetProperty.*:ModelFit.*:Noise.*:Bursts.*:BimodalClocks.*:Swarm.*:EveryStrategy*'
declare -A filter=([asan]='*' [tsan]="-$unthreaded")
for sanitizer in asan tsan; do
  [ -f "build/$sanitizer/build.ninja" ] || cmake --preset "$sanitizer"
  cmake --build "build/$sanitizer" --target hone_unit_tests hone_virtual_tests hone_worker_tests
  "build/$sanitizer/test/hone_unit_tests" --gtest_brief=1 --gtest_filter="${filter[$sanitizer]}"
  "build/$sanitizer/test/hone_worker_tests" --gtest_brief=1
  # PoCL is not instrumented.
  "build/$sanitizer/test/hone_virtual_tests" --gtest_brief=1 --gtest_filter='-*Pocl*'
done
