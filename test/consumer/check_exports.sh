#!/usr/bin/env bash
# check_exports.sh LIBHONE.SO LIBHONE.A INCLUDE: the shared library exports what the public headers in INCLUDE mark with
# HONE_API, and nothing else; and they mark all that they declare and the library defines.
set -euo pipefail
shared=$1 archive=$2
mapfile -t headers < <(find "$3/hone" -type f | sort)
failures=0

# The word that the headers declare: "hone::opencl::Event::wait() const" is about Event.
entity() {
  sed -E 's/^([a-z ]+ for )?hone::(opencl::)?(detail::)?//
    s/^(operator[^(]+|[A-Za-z0-9_]+).*/\1/'
}
marked() {
  sed -nE 's/^class HONE_API ([A-Za-z0-9_]+).*/\1/p; s/^HONE_API [^(]* (operator[^(]+|[A-Za-z0-9_]+)\(.*/\1/p'
}
insideDetail=$(sed -n '/^namespace detail {/,/^}/p' "${headers[@]}")
markedInside=$(marked <<<"$insideDetail")
markedOutside=$(sed '/^namespace detail {/,/^}/d' "${headers[@]}" | marked)

exported=$(nm -D --defined-only -C "$shared" | cut -d' ' -f3- | sed 's/@.*//' | grep -v '^HONE_' | sort -u)
[ "$(wc -l <<<"$exported")" -gt 50 ] || { echo "hardly anything is exported:"; echo "$exported"; failures=1; }
while read -r name; do
  marks=$markedOutside
  ! grep -qE '^([a-z ]+ for )?hone::(opencl::)?detail::' <<<"$name" || marks=$markedInside
  grep -qE '^([a-z ]+ for )?hone(::|_)' <<<"$name" &&
    grep -qxF "$(entity <<<"$name")" <<<"$marks" && continue
  echo "exported, but not public: $name"
  failures=1
done <<<"$exported"

# The archive's symbols still tell hidden from exported. What stands outside of the detail namespaces is public; inside,
# what the headers declare there, because inline functions call it.
hidden=$(readelf -sW "$archive" | awk '$6 == "HIDDEN" && $7 != "UND" { print $5, $8 }' | c++filt | sort -u)
while read -r binding name; do
  case $name in
    "typeinfo for hone::"*)
      grep -qE '^typeinfo for hone::(opencl::)?[A-Za-z0-9_]+$' <<<"$name" || continue ;;
    hone::detail::* | hone::opencl::detail::*)
      [ "$binding" = GLOBAL ] || continue
      grep -qE "^hone::(opencl::)?detail::[A-Za-z0-9_]+(\[abi:cxx11\])?\(" <<<"$name" || continue
      grep -qE "\b$(entity <<<"$name")\(" <<<"$insideDetail" || continue ;;
    hone::* | hone_*) [ "$binding" = GLOBAL ] || continue ;;
    *) continue ;;
  esac
  echo "public, but not exported: $name"
  failures=1
done <<<"$hidden"
exit "$failures"
