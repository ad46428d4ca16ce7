#include "engine/engine_rows.hpp"

#include <algorithm>

namespace linkgistic {

RowsShape shape_of(const EngineRows& rows) {
  RowsShape shape = shape_of(rows.rows);
  for (const std::int32_t label : rows.labels)
    shape.labels = std::max(shape.labels, static_cast<std::uint32_t>(label + 1));
  return shape;
}

}  // namespace linkgistic
