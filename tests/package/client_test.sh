#!/usr/bin/env bash
# Installs the library, or builds client/ in one of the ways a client can get at the library and runs it.
#   client_test.sh install WHERE FOLDER                               from the build in FOLDER to a clean WHERE
#   client_test.sh find_package|pkg_config WHERE FOLDER               with the installation in WHERE, built in FOLDER
#   client_test.sh add_subdirectory WHERE FOLDER                      with the source in WHERE, built in FOLDER
#   client_test.sh installs_nothing WHERE FOLDER                      one with the source in WHERE that did not ask for it
# CXX and CXXFLAGS are honoured.
set -euo pipefail
way=$1 where=$2 folder=$3
client=$(dirname "$0")/client

# build_by_cmake OPTIONS...
build_by_cmake() {
  cmake -S "$client" -B "$folder" -G Ninja -DCMAKE_CXX_FLAGS="$CXXFLAGS" "$@"
  cmake --build "$folder"
}

case $way in
  install)
    rm -rf "$where"
    exec cmake --install "$folder" --prefix "$where"
    ;;
  find_package) build_by_cmake -DCMAKE_PREFIX_PATH="$where" ;;
  add_subdirectory) build_by_cmake -DLINKGISTIC_SOURCE="$where" -DBUILD_SHARED_LIBS=ON -DLINKGISTIC_INSTALL=ON ;;
  installs_nothing)
    rm -rf "$folder"
    cmake -S "$client" -B "$folder" -G Ninja -DLINKGISTIC_SOURCE="$where"
    cmake --install "$folder" --prefix "$folder/installed"
    [ ! -e "$folder/installed" ] || { find "$folder/installed"; exit 1; }
    exit
    ;;
  pkg_config)
    mkdir -p "$folder"
    lib=$(dirname "$(dirname "$(find "$where" -name linkgistic.pc)")")
    export PKG_CONFIG_PATH=$lib/pkgconfig
    read -ra flags <<<"$(pkg-config --cflags --libs linkgistic)"
    # shellcheck disable=SC2086
    $CXX -std=c++20 $CXXFLAGS "$client/main.cpp" -Wl,-rpath,"$lib" "${flags[@]}" -o "$folder/client"
    ;;
esac
"$folder/client"
