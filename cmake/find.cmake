# Finds what we build on. The installed CMake package reads this file, too.

# linkgistic_bare(target header library where...): the target, of a header and a library (none for one of headers only)
# that find_path and find_library find with the words `where`.
function(linkgistic_bare target header library)
  unset(linkgistic_headers)  # a variable that is set is not looked for
  unset(linkgistic_library)
  find_path(linkgistic_headers ${header} PATH_SUFFIXES include include/eigen3 ${ARGN} NO_CACHE)
  if(library)
    find_library(linkgistic_library ${library} PATH_SUFFIXES lib lib/${CMAKE_LIBRARY_ARCHITECTURE} lib64 ${ARGN} NO_CACHE)
  endif()
  if(NOT linkgistic_headers OR (library AND NOT linkgistic_library))
    return()
  endif()
  # No "/" at the end: compilers know /usr/include, not /usr/include/.
  get_filename_component(linkgistic_headers ${linkgistic_headers} ABSOLUTE)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${linkgistic_headers})
  if(library)
    target_link_libraries(${target} INTERFACE ${linkgistic_library})
  endif()
  message(STATUS "Found ${target}: ${linkgistic_headers} ${linkgistic_library}")
endfunction()

# linkgistic_find(name how target header library debian): the target of a package. It comes from the folder
# LINKGISTIC_DEPS, where that has the header (below include/) and the library (below lib/), else from
# find_package(name how), else from where the system keeps headers and libraries. What is nowhere adds `debian`, its name
# among Debian's packages, to the list LINKGISTIC_MISSING.
macro(linkgistic_find name how target header library debian)
  if(NOT TARGET ${target} AND LINKGISTIC_DEPS)
    linkgistic_bare(${target} ${header} "${library}" PATHS ${LINKGISTIC_DEPS} NO_DEFAULT_PATH)
  endif()
  if(NOT TARGET ${target})
    # Debian's C++ edition of NLopt goes by the same package name, in nlopt_cxx/ beside nlopt/: the first of the two.
    set(CMAKE_FIND_PACKAGE_SORT_ORDER NAME)
    set(CMAKE_FIND_PACKAGE_SORT_DIRECTION ASC)
    find_package(${name} ${how} QUIET)
    unset(CMAKE_FIND_PACKAGE_SORT_ORDER)
    unset(CMAKE_FIND_PACKAGE_SORT_DIRECTION)
  endif()
  if(NOT TARGET ${target})
    linkgistic_bare(${target} ${header} "${library}")
  endif()
  if(NOT TARGET ${target})
    list(APPEND LINKGISTIC_MISSING ${debian})
  endif()
endmacro()
