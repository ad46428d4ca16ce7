#include <linkgistic/feature_encoding.hpp>

namespace linkgistic {

std::size_t ColumnEncoding::width() const {
  if (text) return categories.size();
  return indicator ? 2 : 1;
}

std::size_t FeatureEncoding::width() const {
  std::size_t sum = 0;
  for (const ColumnEncoding& column : columns) sum += column.width();
  return sum;
}

std::vector<std::string> FeatureEncoding::feature_names() const {
  std::vector<std::string> names;
  names.reserve(width());
  for (const ColumnEncoding& column : columns) {
    if (!column.text) names.push_back(column.name);
    if (column.indicator) names.push_back(column.name + " missing");
    for (const std::string& category : column.categories) {
      names.push_back(column.name + (category.empty() ? " missing" : "=" + category));
    }
  }
  return names;
}

}  // namespace linkgistic
