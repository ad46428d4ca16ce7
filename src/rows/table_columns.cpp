#include "rows/table_columns.hpp"

#include <algorithm>

#include <linkgistic/error.hpp>

#include "table/columns.hpp"

namespace linkgistic {
namespace {

bool is_missing(const Records& records, std::size_t column) {
  double value = 0;
  return records.number(column, value) == NumberKind::missing;
}

TableColumns label_and_weight(const std::string& table, const std::vector<std::string>& names,
                              const DatasetOptions& options) {
  TableColumns columns;
  if (options.labelled && !options.label.empty()) columns.label = find_column(table, names, options.label);
  if (!options.weights.empty()) columns.weight = find_column(table, names, options.weights);
  return columns;
}

}  // namespace

std::optional<std::size_t> TableColumns::missing_in(const Records& records) const {
  for (const std::size_t j : features) {
    if (is_missing(records, j)) return j;
  }
  if (label && is_missing(records, *label)) return label;
  if (weight && is_missing(records, *weight)) return weight;
  return std::nullopt;
}

TableColumns training_columns(const std::string& table, const std::vector<std::string>& names,
                              const DatasetOptions& options) {
  TableColumns columns = label_and_weight(table, names, options);
  std::vector<bool> used(names.size(), true);
  if (columns.label) used[*columns.label] = false;
  if (columns.weight) used[*columns.weight] = false;
  for (const std::string& name : options.drop) {
    if (std::find(names.begin(), names.end(), name) == names.end()) (void)find_column(table, names, name);
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (names[j] == name) used[j] = false;
    }
  }
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (!used[j]) continue;
    (void)find_column(table, names, names[j]);  // refuses a name that two columns have
    columns.features.push_back(j);
  }
  if (columns.features.empty()) throw InputError(table + ": there are no columns of features");
  return columns;
}

TableColumns encoded_columns(const std::string& table, const std::vector<std::string>& names,
                             const FeatureEncoding& encoding, const DatasetOptions& options) {
  TableColumns columns = label_and_weight(table, names, options);
  for (const ColumnEncoding& column : encoding.columns)
    columns.features.push_back(find_column(table, names, column.name));
  return columns;
}

}  // namespace linkgistic
