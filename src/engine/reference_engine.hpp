// The definition of all verbs: row by row, in double precision, one sum after the other. Fast engines are
// tested against it.
#pragma once

#include <memory>

#include "engine/engine_rows.hpp"

namespace linkgistic {

std::unique_ptr<RowEngine> make_reference_engine(EngineRows rows);

}  // namespace linkgistic
