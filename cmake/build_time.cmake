# What keeps the time of a build down.

# g++ collects its garbage less often: 8 % of the processor time for some 300 MB more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-expand=300>"
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=500000>")
endif()

# LLVM's pass over OpenMP is for code that runs on a GPU; on ours it takes a third of the compiler's time.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-mllvm -openmp-opt-disable>")
endif()

# linkgistic_light(target): a target that reads, writes and draws but computes nothing is optimised a little only: a third
# of its processor time. It must not hold templates that the library calls in its loops: the linker keeps one copy of each.
function(linkgistic_light target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endfunction()

# linkgistic_unity(target folder): compiles the files of each folder below `folder` together, so that Eigen and JSON are
# parsed and instantiated once a room and not once a file: a third of the processor time. Kernels, which Highway compiles
# once an instruction set, stay alone. With LINKGISTIC_UNITY off every file is compiled by itself, as the presets that
# check the code do: a file must include what it uses.
option(LINKGISTIC_UNITY "Compile the files of a folder together" ON)

function(linkgistic_unity target folder)
  if(NOT LINKGISTIC_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    file(RELATIVE_PATH path ${folder} ${source})
    if(path MATCHES "_kernels?\\.cpp$" OR NOT path MATCHES "\\.cpp$")
      continue()
    endif()
    string(REGEX MATCH "^[^/]+/" room ${path})
    if(NOT room)
      string(SUBSTRING ${path} 0 1 initial)  # no rooms: two halves, so that two processors have work
      string(COMPARE LESS ${initial} "d" first_half)
      set(room "half${first_half}")
    endif()
    string(MAKE_C_IDENTIFIER ${room} group)
    set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
