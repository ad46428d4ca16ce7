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
set(LINKGISTIC_DEPS "$ENV{LINKGISTIC_DEPS}" CACHE PATH
  "A folder with include/ and lib/ that packages are taken from first, such as scripts/make-deps builds")
if(LINKGISTIC_DEPS)
  get_filename_component(LINKGISTIC_DEPS ${LINKGISTIC_DEPS} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  if(NOT IS_DIRECTORY ${LINKGISTIC_DEPS})
    message(FATAL_ERROR "  LINKGISTIC_DEPS: there is no folder ${LINKGISTIC_DEPS}")
  endif()
  list(PREPEND CMAKE_PREFIX_PATH ${LINKGISTIC_DEPS})
endif()
include(${CMAKE_CURRENT_LIST_DIR}/find.cmake)

set(LINKGISTIC_MISSING)
linkgistic_find(Eigen3 "3.4;CONFIG" Eigen3::Eigen Eigen/Core "" libeigen3-dev)
linkgistic_find(hwy "1.0;CONFIG" hwy::hwy hwy/highway.h hwy libhwy-dev)
linkgistic_find(NLopt CONFIG NLopt::nlopt nlopt.h nlopt libnlopt-dev)
linkgistic_find(nlohmann_json "3.11;CONFIG" nlohmann_json::nlohmann_json nlohmann/json.hpp "" nlohmann-json3-dev)
linkgistic_find(ZLIB MODULE ZLIB::ZLIB zlib.h z zlib1g-dev)
linkgistic_find(Random123 CONFIG Random123::Random123 Random123/philox.h "" librandom123-dev)
find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT TARGET OpenMP::OpenMP_CXX)
  list(APPEND LINKGISTIC_MISSING libomp-dev)
endif()
if(LINKGISTIC_NEEDS_PROGRAM_LIBRARY)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(pangocairo QUIET IMPORTED_TARGET pangocairo cairo-pdf)
    pkg_check_modules(libmd QUIET IMPORTED_TARGET libmd)
  else()
    list(APPEND LINKGISTIC_MISSING pkgconf)
  endif()
  if(NOT TARGET PkgConfig::pangocairo)
    list(APPEND LINKGISTIC_MISSING libcairo2-dev libpango1.0-dev)
  endif()
  if(NOT TARGET PkgConfig::libmd)
    list(APPEND LINKGISTIC_MISSING libmd-dev)
  endif()
endif()
if(LINKGISTIC_BUILD_APP)
  linkgistic_find(CLI11 "2.1;CONFIG" CLI11::CLI11 CLI/CLI.hpp "" libcli11-dev)
endif()
if(LINKGISTIC_MISSING)
  list(JOIN LINKGISTIC_MISSING " " missing)
  # An indented line is not broken.
  message(FATAL_ERROR "  Missing packages: run scripts/setup (Debian: apt-get install ${missing}); elsewhere run "
    "scripts/make-deps FOLDER and set LINKGISTIC_DEPS=FOLDER")
endif()
get_target_property(RANDOM123_INCLUDE_DIR Random123::Random123 INTERFACE_INCLUDE_DIRECTORIES)
# Optional: Parquet files. Debian 12 has no package of it; pyarrow's wheel holds the libraries and their headers.
if(LINKGISTIC_WITH_PARQUET)
  find_package(Parquet CONFIG QUIET)
  if(TARGET Parquet::parquet_shared)
    add_library(linkgistic_parquet INTERFACE)
    target_link_libraries(linkgistic_parquet INTERFACE Parquet::parquet_shared Arrow::arrow_shared)
  else()
    find_package(Python 3.10 REQUIRED COMPONENTS Interpreter)
    execute_process(COMMAND ${Python_EXECUTABLE} -c "import pyarrow; print(pyarrow.__path__[0], end='')"
      OUTPUT_VARIABLE pyarrow_folder ERROR_QUIET)
    file(GLOB parquet_libraries ${pyarrow_folder}/libarrow.so.* ${pyarrow_folder}/libparquet.so.*)
    if(NOT pyarrow_folder OR NOT parquet_libraries)
      message(FATAL_ERROR "LINKGISTIC_WITH_PARQUET: there is neither a package Parquet nor pyarrow in "
        "${Python_EXECUTABLE}; install libparquet-dev, or pyarrow and name its Python by -DPython_EXECUTABLE=")
    endif()
    add_library(linkgistic_parquet INTERFACE)
    target_include_directories(linkgistic_parquet SYSTEM INTERFACE ${pyarrow_folder}/include)
    target_link_libraries(linkgistic_parquet INTERFACE ${parquet_libraries})
  endif()
  target_compile_definitions(linkgistic_parquet INTERFACE LINKGISTIC_HAS_PARQUET)
endif()
# Optional: the processes of mpirun.
if(LINKGISTIC_WITH_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
