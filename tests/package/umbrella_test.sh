#!/usr/bin/env bash
# umbrella_test.sh FOLDER: linkgistic.hpp includes every other public header of FOLDER, and the one that the build makes.
set -euo pipefail
cd "$1"
diff <(printf '%s\n' ./*.hpp ./version.hpp | grep -v '/linkgistic\.hpp$' | LC_ALL=C sort) \
  <(sed -n 's|^#include <linkgistic/\(.*\)>$|./\1|p' linkgistic.hpp | LC_ALL=C sort)
