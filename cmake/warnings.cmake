# One interface target with the warnings (and, when asked for, the sanitizers) that all our own code is built with.
add_library(linkgistic_warnings INTERFACE)
target_compile_options(linkgistic_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  $<$<BOOL:${LINKGISTIC_WERROR}>:-Werror>)
# clang counts a name of another file of the room as shadowed where files are compiled together; g++ does not.
if(NOT (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND LINKGISTIC_UNITY))
  target_compile_options(linkgistic_warnings INTERFACE -Wshadow)
endif()
if(LINKGISTIC_SANITIZE)
  target_compile_options(linkgistic_warnings INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(linkgistic_warnings INTERFACE -fsanitize=address,undefined)
endif()

# Our threads are ours: Eigen's own would make sums depend on their number.
target_compile_definitions(linkgistic_warnings INTERFACE EIGEN_DONT_PARALLELIZE)
