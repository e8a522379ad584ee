#!/usr/bin/env bash
# The demonstration: a 512 x 512 x 512 matrix product that gets faster while it runs, for at most two minutes.
# Arguments, where there are any, are the program's instead: scripts/demo.sh --device 1 --problem 2048x2048x2048
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh
[ -f build/release/build.ninja ] || cmake --preset release
cmake --build build/release --target gemm
[ $# -gt 0 ] || set -- --problem 512x512x512 --seconds 110 --seed 1 --budget 0.5 --check
exec build/release/instrumented_apps/gemm "$@"
