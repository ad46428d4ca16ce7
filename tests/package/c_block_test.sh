#!/usr/bin/env bash
# c_block_test.sh WHERE FILE.md: compiles the block marked ```c of the page in C99 against the installation in WHERE, with
# the flags of pkg-config alone, and runs it. CC and CFLAGS are honoured.
set -euo pipefail
where=$1 page=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
lib=$(dirname "$(dirname "$(find "$where" -name linkgistic.pc)")")
export PKG_CONFIG_PATH=$lib/pkgconfig
read -ra flags <<<"$(pkg-config --cflags --libs linkgistic)"
awk '/^```/ { inside = ($0 == "```c"); next } inside' "$page" >"$folder/curve.c"
[ -s "$folder/curve.c" ] || { echo "$page has no program"; exit 1; }
# shellcheck disable=SC2086
${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror ${CFLAGS-} "$folder/curve.c" -Wl,-rpath,"$lib" "${flags[@]}" -o "$folder/curve"
(cd "$folder" && ./curve)
echo "the program ran"
