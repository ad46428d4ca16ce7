#!/usr/bin/env bash
# Where CMake takes the packages from that we build on.
#   deps_test.sh missing SOURCE FOLDER CXX             on a machine that has none of them: one line names them all
#   deps_test.sh folder SOURCE FOLDER CXX RANDOM123    LINKGISTIC_DEPS with a copy of RANDOM123, headers alone: it is the copy
#                                                      that the compiler reads
set -euo pipefail
way=$1 source=$2 folder=$3 cxx=$4
rm -rf "$folder"
configure() {
  cmake -S "$source" -B "$folder/build" -G Ninja -DCMAKE_MAKE_PROGRAM="$(command -v ninja)" -DCMAKE_CXX_COMPILER="$cxx" \
    -DLINKGISTIC_BUILD_APP=OFF -DLINKGISTIC_UNITY=OFF "$@" >"$folder.log" 2>&1
}

case $way in
  missing)
    if configure "-DCMAKE_IGNORE_PREFIX_PATH=/;/usr;/usr/local"; then echo "nothing was missing"; exit 1; fi
    line=$(grep 'Missing packages: run scripts/setup' "$folder.log")
    for package in libeigen3-dev libhwy-dev libnlopt-dev nlohmann-json3-dev zlib1g-dev librandom123-dev; do
      grep -q "[ (]${package}[ )]" <<<"$line" || { echo "no $package in: $line"; exit 1; }
    done
    if configure -DLINKGISTIC_DEPS="$folder/nowhere"; then echo "a folder that is not there was taken"; exit 1; fi
    grep -q "LINKGISTIC_DEPS: there is no folder $folder/nowhere" "$folder.log"
    ;;
  folder)
    mkdir -p "$folder/deps/include"
    cp -r "$5/Random123" "$folder/deps/include/"
    configure -DLINKGISTIC_DEPS="$folder/deps" || { cat "$folder.log"; exit 1; }
    object=$(cd "$folder/build" && ninja -t targets all | sed -n 's|^\(.*/engine/verbs/sample\.cpp\.o\): .*|\1|p')
    for header in "$folder"/deps/include/Random123/*.h*; do echo '#error "the copy is read"' >>"$header"; done
    if ninja -C "$folder/build" "$object" >"$folder.log" 2>&1; then echo "the copy is not read"; exit 1; fi
    grep -q 'the copy is read' "$folder.log" || { cat "$folder.log"; exit 1; }
    ;;
esac
echo "passed"
