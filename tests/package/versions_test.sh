#!/usr/bin/env bash
# versions_test.sh FOLDER VERSION: every file that names the version of the software names VERSION.
set -euo pipefail
cd "$1"
check() {
  [ "$2" = "$3" ] || { echo "$1 has version \"$2\", not $3"; exit 1; }
}
check debian/changelog "$(sed -n '1s/^linkgistic (\(.*\)) .*/\1/p' debian/changelog)" "$2"
check vcpkg.json "$(sed -n 's/^  "version": "\(.*\)",$/\1/p' packaging/vcpkg/linkgistic/vcpkg.json)" "$2"
check CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)" "$2"
check r/DESCRIPTION "$(sed -n 's/^Version: //p' r/DESCRIPTION)" "$2"
