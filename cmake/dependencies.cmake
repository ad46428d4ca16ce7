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
