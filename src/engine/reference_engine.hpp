// All verbs as they are defined: row by row, in double precision, one sum after the other. What fast engines
// are tested against.
#pragma once

#include <memory>

#include "engine/engine_rows.hpp"

namespace linkgistic {

std::unique_ptr<RowEngine> make_reference_engine(EngineRows rows);

}  // namespace linkgistic
