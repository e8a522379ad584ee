#!/usr/bin/env bash
# check_tree.sh PREFIX LIBDIR VERSION FOLDER...: an installed tree is complete and names none of the folders that it was
# made in, nor the one that it was installed into first.
set -euo pipefail
prefix=$1 lib=$1/$2 version=$3
shift 3
failures=0
fail() { echo "$*"; failures=1; }

for file in include/hone/{hone.h,opencl.hpp,hone_c.h,opencl_c.h,version.h}; do
  [ -f "$prefix/$file" ] || fail "missing: $file"
done
[ -x "$prefix/libexec/hone/hone-worker" ] || fail "missing: libexec/hone/hone-worker"
for file in cmake/hone/hone-config.cmake cmake/hone/hone-config-version.cmake pkgconfig/hone.pc; do
  [ -f "$lib/$file" ] || fail "missing: $file"
done
grep -q "define HONE_VERSION \"$version\"" "$prefix/include/hone/version.h" || fail "version.h is not of $version"
[ "$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --modversion hone)" = "$version" ] || fail "hone.pc is not of $version"

# The archive may have its sources' folders in it for debuggers.
text=()
if [ -e "$lib/libhone.so" ]; then
  soname=libhone.so.${version%.*}
  [ "$(readlink "$lib/libhone.so")" = "$soname" ] || fail "libhone.so is no link to $soname"
  [ "$(readlink "$lib/$soname")" = "libhone.so.$version" ] || fail "$soname is no link to libhone.so.$version"
  readelf -d "$lib/libhone.so" | grep -qF "soname: [$soname]" || fail "the soname is not $soname"
  ! readelf -d "$lib/libhone.so" | grep -E 'RPATH|RUNPATH' || fail "the library looks for others in fixed folders"
else
  [ -f "$lib/libhone.a" ] || fail "there is no library"
  text=(-I)
fi
for folder in "$@" "$prefix"; do
  ! grep -rF "${text[@]}" -e "$folder" "$prefix" || fail "names $folder"
done
exit "$failures"
