#!/usr/bin/env bash
# scripts/check-layers passes a tree that keeps the rule and names each planted violation.
#   layers_test.sh CHECK_LAYERS
set -euo pipefail
check_layers=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# plant FILE LINE: a fresh, clean tree, with LINE added to the end of FILE.
plant() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree"/{src/{numeric,loss,source,engine,regression,calibration,report,baseline},include/linkgistic,apps/program}
  printf '#include <vector>\n#include <Eigen/Core>\n' >"$tree/src/numeric/table.hpp"
  printf '#include <linkgistic/model.hpp>\n#include "numeric/table.hpp"\n' >"$tree/src/regression/model.cpp"
  printf '#include <string>\n#include <linkgistic/error.hpp>\n' >"$tree/include/linkgistic/model.hpp"
  printf '#include <stdexcept>\n' >"$tree/include/linkgistic/error.hpp"
  printf '#include "engine/pass.hpp"\n#include "loss/loss.hpp"\n' >"$tree/src/baseline/pava.cpp"
  printf '#include <linkgistic/model.hpp>\n#include "regression/model.hpp"\n' >"$tree/src/report/plot.cpp"
  printf '#include "verbs.hpp"\n#include "report/plot.hpp"\n#include <CLI/CLI.hpp>\n' >"$tree/apps/program/main.cpp"
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "$2" >>"$tree/$1"
}

# expect STATUS PATTERN: of a run over the planted tree; an empty pattern means no output at all.
expect() {
  local status=0 output
  output=$("$check_layers" "$tree" 2>&1) || status=$?
  if [ "$status" -ne "$1" ] || { [ -n "$2" ] && ! grep -qF -- "$2" <<<"$output"; } || { [ -z "$2" ] && [ -n "$output" ]; }; then
    echo "expected status $1 and \"$2\", got status $status and \"$output\""
    failures=$((failures + 1))
  fi
}

plant src/regression/model.cpp '// a clean tree'
expect 0 ''
plant src/numeric/table.hpp '#include "regression/model.hpp"'
expect 1 'src/numeric/table.hpp:3: numeric/ may not include regression/'
plant src/baseline/pava.cpp '  #  include "source/isgp.hpp"'
expect 1 'src/baseline/pava.cpp:3: baseline/ may not include source/'
plant src/engine/pass.hpp '#include "loss/loss.hpp"'
expect 1 'src/engine/pass.hpp:1: engine/ may not include loss/'
plant src/source/isgp.hpp '#include "engine/pass.hpp"'
expect 1 'src/source/isgp.hpp:1: source/ may not include engine/'
plant src/calibration/fit.hpp '#include "regression/model.hpp"'
expect 1 'src/calibration/fit.hpp:1: calibration/ may not include regression/'
plant src/report/plot.cpp '#include "baseline/pava.hpp"'
expect 1 'src/report/plot.cpp:3: report/ may not include baseline/'
plant src/c_api/model.cpp '#include "baseline/pava.hpp"'
expect 1 'src/c_api/model.cpp:1: c_api/ may not include baseline/'
plant src/report/plot.cpp '#include "c_api/model.hpp"'
mkdir -p "$tree/src/c_api" && touch "$tree/src/c_api/model.hpp"
expect 1 'src/report/plot.cpp:3: report/ may not include c_api/'
plant src/numeric/table.hpp '#include <linkgistic/model.hpp>'
expect 1 'src/numeric/table.hpp:3: numeric/ may not include regression/'
plant src/regression/model.hpp '// the .cpp belongs to this header, not to the public one'
printf '#include <linkgistic/model.hpp>\n' >>"$tree/src/numeric/table.hpp"
expect 0 ''
plant src/regression/model.cpp '#include "../numeric/table.hpp"'
expect 1 'src/regression/model.cpp:3: an include of our own is written from src/'
plant src/regression/model.cpp '#include "model.hpp"'
expect 1 'src/regression/model.cpp:3: an include of our own is written from src/'
plant src/regression/model.cpp '#include "program/verbs.hpp"'
expect 1 'src/regression/model.cpp:3: "program/" is no folder of src/'
plant apps/program/main.cpp '#include "other/verbs.hpp"'
expect 1 'apps/program/main.cpp:4: "other/" is no folder of src/'
plant include/linkgistic/error.hpp '#include <Eigen/Core>'
expect 1 'include/linkgistic/error.hpp:2: a public header includes only the standard library'
plant include/linkgistic/error.hpp '#include "numeric/table.hpp"'
expect 1 'include/linkgistic/error.hpp:2: a public header is included with angle brackets'
plant include/linkgistic/pava.hpp '#include <linkgistic/model.hpp>'
expect 1 'include/linkgistic/pava.hpp:1: baseline/ may not include regression/'
plant src/utilities/all.hpp '#include <vector>'
expect 1 'src/utilities/all.hpp:0: stands in no folder of src/ that has a rule'
exit "$failures"
