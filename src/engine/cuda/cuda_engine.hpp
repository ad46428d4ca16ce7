// The rows on an NVIDIA GPU, which answers every verb.
#pragma once

#include <memory>

#include "engine/engine_rows.hpp"

namespace linkgistic {

/// UsageError: there is no such GPU, or no library for it. InputError: the rows do not fit.
std::unique_ptr<RowEngine> make_cuda_engine(const EngineRows& rows, int device);

}  // namespace linkgistic
