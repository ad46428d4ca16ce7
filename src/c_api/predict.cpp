// Predictions with their bands.
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/rows.hpp>

#include "c_api/matrix.hpp"
#include "c_api/model.hpp"
#include "numeric/logistic.hpp"
#include "numeric/uncertain.hpp"

namespace linkgistic::c_api {
namespace {

// Point estimates and the ends of their bands, (rows) or (rows, classes); without ends there are no bands.
struct Predicted {
  std::vector<double> estimate, lower, upper;
};

struct Question {
  std::span<const double> values;  // row by row
  MatrixShape shape;
  bool band;  // whether the ends are wanted
  double interval;
};

Predicted predicted(const FittedMonotoneRegression& fit, const Question& q) {
  if (!q.band) return {fit.estimate(q.values), {}, {}};
  Prediction p = fit.predict(q.values, q.interval);
  return {std::move(p.estimate), std::move(p.lower), std::move(p.upper)};
}

Predicted predicted(const FittedMonotoneCalibrator& fit, const Question& q) {
  if (!q.band) {
    std::vector<double> probability = fit.log_odds(q.values);
    for (double& p : probability) p = uncertain(sigmoid(p));
    return {std::move(probability), {}, {}};
  }
  CalibratedScores p = fit.predict(q.values, q.interval);
  return {std::move(p.probability), std::move(p.lower), std::move(p.upper)};
}

Predicted predicted(const FittedClassCalibrator& fit, const Question& q) {
  CalibratedClasses p =
      fit.predict(q.values, q.band ? std::optional<double>(q.interval) : std::optional<double>());
  return {std::move(p.probability), std::move(p.lower), std::move(p.upper)};
}

// The band of the second of two classes as bands of both.
std::vector<double> both_classes(const std::vector<double>& end, const std::vector<double>& other_end) {
  std::vector<double> both;
  both.reserve(2 * end.size());
  for (std::size_t i = 0; i < end.size(); ++i) both.insert(both.end(), {1 - other_end[i], end[i]});
  return both;
}

Predicted predicted(const FittedLinkgisticClassifier& fit, const Question& q) {
  const FeatureRows rows = FeatureRows::dense(q.values, q.shape.rows, q.shape.columns);
  if (!q.band) return {fit.probability(rows), {}, {}};
  ClassPrediction p = fit.predict(rows, q.interval);
  if (p.lower.size() != q.shape.rows || fit.class_names().size() != 2)
    return {std::move(p.probability), std::move(p.lower), std::move(p.upper)};
  return {std::move(p.probability), both_classes(p.lower, p.upper), both_classes(p.upper, p.lower)};
}

// An end of the band; NaN where the model has none.
void write_end(const std::vector<double>& end, const MatrixShape& shape, double* to) {
  if (to != nullptr && end.size() != shape.size()) {
    std::fill_n(to, shape.size(), std::numeric_limits<double>::quiet_NaN());
  } else {
    write_matrix(end, shape, to);
  }
}

}  // namespace
}  // namespace linkgistic::c_api

using namespace linkgistic;
using namespace linkgistic::c_api;

int linkgistic_predict(const linkgistic_model* model, const double* values, size_t rows, size_t columns,
                       int layout, double interval, double* estimate, double* lower, double* upper) {
  return guarded([&] {
    const linkgistic_model& given = needed(model, "model");
    const MatrixShape shape(rows, columns, layout);
    if (columns != inputs_of(given))
      throw InputError("values: " + std::to_string(columns) + " columns are given, and the model has " +
                       std::to_string(inputs_of(given)));
    std::vector<double> room;
    const Question question{by_rows(values, shape, "values", room), shape,
                            lower != nullptr || upper != nullptr, interval};
    const Predicted p = std::visit([&](const auto& fit) { return predicted(fit, question); }, given.fit);
    const MatrixShape written(rows, std::max<std::size_t>(classes_of(given), 1), layout);
    write_matrix(p.estimate, written, estimate);
    write_end(p.lower, written, lower);
    write_end(p.upper, written, upper);
  });
}

int linkgistic_predict_observations(const linkgistic_model* model, const double* x, size_t rows,
                                    double interval, double* lower, double* upper) {
  return linkgistic_predict_response(model, x, nullptr, nullptr, nullptr, rows, interval, nullptr, nullptr,
                                     nullptr, lower, upper);
}

int linkgistic_predict_response(const linkgistic_model* model, const double* x, const double* offset,
                                const double* exposure, const double* trials, size_t rows, double interval,
                                double* estimate, double* lower, double* upper, double* obs_lower,
                                double* obs_upper) {
  return guarded([&] {
    const auto& fit = fit_of<FittedMonotoneRegression>(model, "bands of observations");
    const MatrixShape shape(rows, 1, LINKGISTIC_ROW_MAJOR);
    RowBlock block;
    block.x = values_of(x, rows, "x");
    block.offset = optional_values(offset, rows);
    block.exposure = optional_values(exposure, rows);
    block.trials = optional_values(trials, rows);
    if (lower == nullptr && upper == nullptr && obs_lower == nullptr && obs_upper == nullptr)
      return write_matrix(fit.estimate_rows(block), shape, estimate);
    const Prediction p = fit.predict_rows(block, interval);
    write_matrix(p.estimate, shape, estimate);
    write_end(p.lower, shape, lower);
    write_end(p.upper, shape, upper);
    write_end(p.obs_lower, shape, obs_lower);
    write_end(p.obs_upper, shape, obs_upper);
  });
}
