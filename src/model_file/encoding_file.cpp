#include "model_file/encoding_file.hpp"

#include <cmath>

#include <linkgistic/error.hpp>

#include "model_file/fields_json.hpp"
#include "rows/missing_names.hpp"

namespace linkgistic {

using nlohmann::json;

// All but the columns.
static const auto& fields(const FeatureEncoding&) {
  using E = FeatureEncoding;
  static const auto table = std::make_tuple(
      field("label", &E::label), field("weights", &E::weights), field("positive", &E::positive),
      field("zero_based", &E::zero_based), field("labels_within", &E::labels_within).later(),
      field("missing", &E::missing, &missing_names()).later(), field("drop", &E::drop).later(),
      field("delimiter", &E::delimiter).later(), field("decimal", &E::decimal).later(),
      field("na", &E::na).later(), field("categorical", &E::categorical).later());
  return table;
}

json encoding_to_json(const FeatureEncoding& encoding) {
  json columns = json::array();
  for (const ColumnEncoding& column : encoding.columns) {
    json c{{"name", column.name}};
    if (column.text) {
      c["categories"] = column.categories;
    } else {
      c["median"] = column.median;
      c["indicator"] = column.indicator;
    }
    columns.push_back(std::move(c));
  }
  json j = fields_to_json(encoding);
  j["columns"] = std::move(columns);
  return j;
}

FeatureEncoding encoding_from_json(const json& j, std::size_t width) {
  FeatureEncoding encoding;
  for (const json& c : j.at("columns")) {
    ColumnEncoding column;
    column.name = c.at("name").get<std::string>();
    column.text = c.contains("categories");
    if (column.text) {
      column.categories = c.at("categories").get<std::vector<std::string>>();
    } else {
      column.median = c.at("median").get<double>();
      column.indicator = c.at("indicator").get<bool>();
      if (!std::isfinite(column.median)) throw InputError("encoding: a median is not finite");
    }
    encoding.columns.push_back(std::move(column));
  }
  fields_from_json(j, encoding);
  if (!encoding.columns.empty() && encoding.width() != width) {
    throw InputError("encoding has the wrong number of features");
  }
  return encoding;
}

}  // namespace linkgistic
