#include "table/roles.hpp"

#include <unordered_set>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

ColumnRoles label_and_weight(const ColumnNames& columns, const RoleNames& names) {
  ColumnRoles roles;
  if (!names.label.empty()) roles.label = columns.find(names.label);
  if (!names.weight.empty()) roles.weight = columns.find(names.weight);
  return roles;
}

}  // namespace

ColumnRoles roles_of(const ColumnNames& columns, const RoleNames& names) {
  ColumnRoles roles = label_and_weight(columns, names);
  const std::unordered_set<std::string> dropped(names.drop.begin(), names.drop.end());
  for (const std::string& name : names.drop) {
    if (!columns.has(name)) (void)columns.find(name);  // refuses it
  }
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j == roles.label || j == roles.weight || dropped.contains(columns[j])) continue;
    roles.features.push_back(columns.find(columns[j]));  // refuses a name that two columns have
  }
  if (roles.features.empty()) throw InputError(columns.table() + ": there are no columns of features");
  return roles;
}

ColumnRoles roles_of(const ColumnNames& columns, const RoleNames& names,
                     const std::vector<std::string>& features) {
  ColumnRoles roles = label_and_weight(columns, names);
  for (const std::string& name : features) roles.features.push_back(columns.find(name));
  return roles;
}

std::vector<ColumnRequest> requests(const ColumnRoles& roles, std::span<const CellType> feature_types) {
  std::vector<ColumnRequest> asked;
  asked.reserve(roles.features.size() + 2);
  for (std::size_t i = 0; i < roles.features.size(); ++i)
    asked.push_back({roles.features[i], feature_types[i]});
  if (roles.label) asked.push_back({*roles.label, CellType::text});
  if (roles.weight) asked.push_back({*roles.weight, CellType::weight});
  return asked;
}

}  // namespace linkgistic
