# What we build on, all of it packaged by Debian:
#   Eigen     dense linear algebra of the small systems (tens of unknowns)
#   Highway   SIMD with run-time dispatch, for the passes over rows
#   OpenMP    threads
#   NLopt     bounded quasi-Newton for the hyper-parameters
#   Random123 counter-based random numbers: the same draws whatever the thread count (header-only, no CMake package)
#   nlohmann  JSON that round-trips doubles
#   zlib      .gz files
# and, for programs only:
#   Cairo     pictures as PNG and PDF
#   Pango     text in them: its width, and a font for every script
#   libmd     SHA-256 of downloads
#   CLI11     the command line
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(hwy 1.0 REQUIRED CONFIG)
find_package(OpenMP REQUIRED COMPONENTS CXX)
# Debian's C++ edition of NLopt goes by the same package name, in nlopt_cxx/ beside nlopt/; we want the one that sorts first.
set(CMAKE_FIND_PACKAGE_SORT_ORDER NAME)
set(CMAKE_FIND_PACKAGE_SORT_DIRECTION ASC)
find_package(NLopt REQUIRED CONFIG)
unset(CMAKE_FIND_PACKAGE_SORT_ORDER)
unset(CMAKE_FIND_PACKAGE_SORT_DIRECTION)
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
find_package(ZLIB REQUIRED)
find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
if(LINKGISTIC_NEEDS_PROGRAM_LIBRARY)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(pangocairo REQUIRED IMPORTED_TARGET pangocairo cairo-pdf)
  pkg_check_modules(libmd REQUIRED IMPORTED_TARGET libmd)
endif()
if(LINKGISTIC_BUILD_APP)
  find_package(CLI11 2.1 REQUIRED CONFIG)
endif()
