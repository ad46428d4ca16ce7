// liblinkgistic_cuda.so, which is loaded when a GPU is first asked for and from nowhere but the folders of
// this program or module.
#pragma once

#include <string>

#include "engine/cuda/interface.h"

namespace linkgistic {

/// The functions of the library. UsageError: it is not there, or is that of another version.
const lg_cuda_api& cuda_library();

/// The GPUs, one a line, or why there is none.
std::string cuda_devices();

}  // namespace linkgistic
