#!/usr/bin/env bash
# readme_test.sh PROGRAM FILE.md...: runs every block marked ```sh of the pages, in order, in an empty folder, as a reader
# would who has the program on the PATH. A command that fails ends the test.
set -euo pipefail
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/here"
ln -s "$program" "$folder/bin/linkgistic"
for page in "$@"; do
  awk '/^```/ { inside = ($0 == "```sh"); next } inside' "$page" >"$folder/commands"
  [ -s "$folder/commands" ] || continue
  echo "== $page"
  (cd "$folder/here" && PATH="$folder/bin:$PATH" bash -eux "$folder/commands") >"$folder/out" 2>"$folder/err" || {
    tail -n 5 "$folder/err"
    echo "a command of $page failed"
    exit 1
  }
done
echo "all commands ran"
