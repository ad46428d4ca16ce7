# nvcc, for liblinkgistic_cuda.so (src/engine/cuda) and its benchmark.
set(LINKGISTIC_CUDA_TARGETS "90" CACHE STRING
  "GPUs to compile for, as CMAKE_CUDA_ARCHITECTURES has them; \"all\": sm_80 to sm_100 and PTX for later ones")
set(CMAKE_CUDA_ARCHITECTURES ${LINKGISTIC_CUDA_TARGETS})
if(CMAKE_CUDA_ARCHITECTURES STREQUAL "all")
  set(CMAKE_CUDA_ARCHITECTURES 80-real 86-real 89-real 90-real 100)
endif()
if(NOT CMAKE_CUDA_HOST_COMPILER)
  set(CMAKE_CUDA_HOST_COMPILER g++)
endif()
enable_language(CUDA)
