#include "classification/scale.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <variant>

#include <linkgistic/error.hpp>

#include "rows/row_matrix.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// The greatest byte: 255 of images, 1 of indicators; 1 where all are 0.
double greatest_byte(RowEngine& engine) {
  SummaryRequest request;
  request.greatest = true;
  return std::max(1.0, engine.ask(request).greatest);
}

}  // namespace

// Values in memory that others hold may be anything.
void refuse_column(const RowMatrix& matrix, std::size_t column) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    const double value = matrix.at(i, column);
    if (std::isfinite(value)) continue;
    throw InputError("row " + std::to_string(i + 1) + ", column " + std::to_string(column + 1) + ": " +
                     shortest(value) + " is not a finite number");
  }
}

ColumnMoments moments_of(RowEngine& engine, std::vector<double> pivot) {
  SummaryRequest request;
  request.selections = {Selection{}};
  request.labels = engine.shape().labels;
  request.pivot = std::move(pivot);
  const SummaryAnswer sums = engine.ask(request);
  const double weight = std::accumulate(sums.weight.begin(), sums.weight.end(), 0.0);
  return moments_about(request.pivot, sums.first, sums.second, weight);
}

ColumnScale feature_scale(RowEngine& engine, const TrainingFacts& facts, const LinkgisticOptions& options,
                          const std::function<void(std::size_t)>& refuse) {
  const std::size_t columns = engine.shape().columns;
  const bool sparse = engine.shape().sparse;
  const bool on = options.standardize == Standardize::on ||
                  (options.standardize == Standardize::automatic && !facts.bytes && !sparse);
  if (!on) return facts.bytes ? uniform_scale(columns, 1.0 / greatest_byte(engine)) : ColumnScale{};
  ColumnScale scale = standardizing_scale(moments_of(engine, facts.pivot), sparse);
  for (std::size_t j = 0; j < columns; ++j) {
    if (std::isfinite(scale.shift_of(j)) && std::isfinite(scale.scale_of(j))) continue;
    refuse(j);
    throw InputError("column " + std::to_string(j + 1) + ": its values are too large");
  }
  for (std::size_t j = 0; j < facts.origin.size(); ++j) scale.shift[j] += facts.origin[j];
  return scale;
}

ColumnScale feature_scale(RowEngine& engine, const FeatureRows& rows, const LinkgisticOptions& options) {
  TrainingFacts facts;
  facts.bytes = std::holds_alternative<DenseRows<std::uint8_t>>(rows.matrix().storage());
  facts.origin = rows.origin();
  facts.pivot = moment_pivot(rows.matrix());
  return feature_scale(engine, facts, options,
                       [&](std::size_t column) { refuse_column(rows.matrix(), column); });
}

}  // namespace linkgistic
