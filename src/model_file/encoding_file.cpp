#include "model_file/encoding_file.hpp"

#include <cmath>

#include <linkgistic/error.hpp>

namespace linkgistic {

using nlohmann::json;

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
  json result{{"columns", columns},
              {"label", encoding.label},
              {"weights", encoding.weights},
              {"positive", encoding.positive},
              {"zero_based", encoding.zero_based}};
  if (encoding.na != default_missing_words()) result["na"] = encoding.na;
  return result;
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
  encoding.label = j.at("label").get<std::string>();
  encoding.weights = j.at("weights").get<std::string>();
  encoding.positive = j.at("positive").get<std::vector<std::string>>();
  encoding.zero_based = j.at("zero_based").get<bool>();
  if (j.contains("na")) encoding.na = j["na"].get<std::vector<std::string>>();
  if (!encoding.columns.empty() && encoding.width() != width) {
    throw InputError("encoding has the wrong number of features");
  }
  return encoding;
}

}  // namespace linkgistic
