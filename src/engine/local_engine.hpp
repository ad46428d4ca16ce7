// All rows here: one piece, answered by this machine's threads.
#pragma once

#include <memory>

#include "engine/engine_rows.hpp"

namespace linkgistic {

std::unique_ptr<RowEngine> make_local_engine(EngineRows rows, int threads);

}  // namespace linkgistic
