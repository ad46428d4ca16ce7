#include "rows/encoded_features.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

using Places = std::unordered_map<std::string_view, std::size_t>;  // of categories

void add_column(const ColumnEncoding& column, const Places& places, const CellColumn& cells, std::size_t rows,
                std::size_t width, double* out) {
  for (std::size_t r = 0; r < rows; ++r, out += width) {
    if (!column.text) {
      out[0] = cells.numbers[r];
    } else if (const auto place = places.find(cells.text(r)); place != places.end()) {
      out[place->second] = 1;
    }
  }
}

}  // namespace

EncodedPart encode_part(Table& table, const ColumnRoles& roles, const FeatureEncoding& encoding,
                        std::size_t budget) {
  std::vector<CellType> types;
  std::vector<Places> places;
  for (const ColumnEncoding& column : encoding.columns) {
    types.push_back(column.text ? CellType::text : CellType::number);
    Places& own = places.emplace_back();
    for (std::size_t k = 0; k < column.categories.size(); ++k) own.emplace(column.categories[k], k);
  }
  const std::vector<ColumnRequest> asked = requests(roles, types);
  const std::size_t width = encoding.width(), features = encoding.columns.size();
  EncodedPart part(budget);
  LabelCollector labels;
  CellBlock block;
  for (; table.read(asked, rows_for(asked.size()), block) > 0; block.clear()) {
    if (block.missing > 0) refuse_gap(table, asked, block, "fill it or leave out its row before the fit");
    double* out = part.values.extend(block.rows() * width);
    for (std::size_t i = 0; i < features; ++i) {
      add_column(encoding.columns[i], places[i], block.columns[i], block.rows(), width, out);
      out += encoding.columns[i].width();
    }
    for (std::size_t r = 0; roles.label && r < block.rows(); ++r) labels.add(block.columns[features].text(r));
    if (roles.weight) {
      const std::vector<double>& weights = block.columns.back().numbers;
      part.weights.insert(part.weights.end(), weights.begin(), weights.end());
    }
    part.rows += block.rows();
  }
  part.labels = labels.take();
  return part;
}

std::vector<double> encoded_features(Table& table, const FeatureEncoding& encoding) {
  std::vector<std::string> names;
  for (const ColumnEncoding& column : encoding.columns) names.push_back(column.name);
  const EncodedPart part =
      encode_part(table, roles_of(table.columns(), {}, names), encoding, default_memory_budget());
  return {part.values.data(), part.values.data() + part.values.size()};
}

}  // namespace linkgistic
