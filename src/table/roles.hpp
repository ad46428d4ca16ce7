// Which columns of a table are features, label and weight.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "table/cells.hpp"
#include "table/columns.hpp"

namespace linkgistic {

/// Names of columns; empty: none.
struct RoleNames {
  std::string label, weight;
  std::vector<std::string> drop;
};

struct ColumnRoles {
  std::vector<std::size_t> features;
  std::optional<std::size_t> label, weight;
};

/// Features are all columns but label, weight and those to drop. A name that is not there, or twice, is an
/// InputError.
ColumnRoles roles_of(const ColumnNames& columns, const RoleNames& names);
/// Features are the columns with these names, in their order.
ColumnRoles roles_of(const ColumnNames& columns, const RoleNames& names,
                     const std::vector<std::string>& features);

/// Features of these types, then label and weight, where there are any.
std::vector<ColumnRequest> requests(const ColumnRoles& roles, std::span<const CellType> feature_types);

}  // namespace linkgistic
