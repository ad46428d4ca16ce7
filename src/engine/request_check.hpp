// What a request that came as bytes must have before rows answer it: sizes that fit one another and the rows.
#pragma once

#include "engine/row_engine.hpp"

namespace linkgistic {

/// Throws an InputError for a request that rows of this shape, cut into so many parts, cannot answer.
void check_request(const Request& request, const RowsShape& shape, std::size_t parts);

}  // namespace linkgistic
