#!/usr/bin/env bash
# Installs what Hone needs from the system's package manager (Debian 12, Ubuntu 24.04), asking for nothing. Does nothing
# where all of it is there.
set -euo pipefail

packages=(
  g++ cmake ninja-build
  ocl-icd-opencl-dev opencl-c-headers opencl-clhpp-headers  # OpenCL: the loader and its headers
  pocl-opencl-icd                                           # an OpenCL device that every machine has: its CPU
  libboost-dev libboost-program-options-dev nlohmann-json3-dev libeigen3-dev
  libgtest-dev libbenchmark-dev
  zlib1g-dev                                                # recorded spaces are gzip'ed
  libpng-dev                                                # pictures that the programs read and write
  libxxhash-dev                                             # the checksum of a checkpoint
  oclgrind                                                  # an emulated OpenCL device that notices stray accesses
  pkgconf                                                   # one of the ways in which the tests embed the library
  libopenblas-dev                                           # what the programs and bench/ compare with
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
sudo=""
[ "$(id -u)" -eq 0 ] || sudo="sudo -n"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
