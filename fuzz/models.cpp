// Model files of each kind: one that is accepted can be saved, loaded and used, and says no NaN.
#include <cmath>
#include <span>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/learned_class_loss.hpp>
#include <linkgistic/learned_loss.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "target.hpp"

namespace linkgistic::fuzz {
namespace {

constexpr double places[] = {-1e300, -30, -1, 0, 0.5, 1, 30, 1e300};

void numbers(std::span<const double> values, const char* what) {
  for (const double v : values) require(!std::isnan(v), std::string(what) + " are numbers");
}

void probabilities(std::span<const double> values) {
  for (const double p : values) require(p >= 0 && p <= 1, "probabilities are in [0, 1]");
}

// The model of a text that is accepted, and again through its own text.
template <class Model>
Model load(std::string_view bytes) {
  const Model model = Model::from_json(std::string(bytes), "model.json");
  try {
    return Model::from_json(model.to_json(), "saved.json");
  } catch (const std::exception& e) {
    throw Finding(std::string("a model that was loaded cannot be saved and loaded: ") + e.what());
  }
}

constexpr double shares[] = {0, 1e-300, 0.05, 0.5, 0.9, 1};

// Scores that a model of this kind takes.
std::span<const double> scores_of(ScoreKind kind) {
  if (kind == ScoreKind::probability) return shares;
  return places;
}

// Rows with one number in every second column.
std::vector<double> rows_of(std::size_t columns, std::span<const double> numbers = places) {
  std::vector<double> values;
  for (const double place : numbers)
    for (std::size_t c = 0; c < columns; ++c) values.push_back(c % 2 == 0 ? place : 0.25);
  return values;
}

}  // namespace

void regression_model(std::string_view bytes) {
  const auto model = load<FittedMonotoneRegression>(bytes);
  const Prediction p = model.predict(places);
  numbers(p.estimate, "estimates");
  numbers(p.lower, "bands");
  numbers(p.upper, "bands");
}

void calibrator_model(std::string_view bytes) {
  const auto model = load<FittedMonotoneCalibrator>(bytes);
  probabilities(model.predict(scores_of(model.summary().score_kind)).probability);
}

void class_calibrator_model(std::string_view bytes) {
  const auto model = load<FittedClassCalibrator>(bytes);
  const auto scores = scores_of(model.summary().score_kind);
  probabilities(model.predict(rows_of(model.class_names().size(), scores)).probability);
}

void classifier_model(std::string_view bytes) {
  const auto model = load<FittedLinkgisticClassifier>(bytes);
  const std::size_t scores = model.coefficients().size() / (model.feature_names().size() + 1);
  probabilities(model.predict_at(rows_of(scores)).probability);
}

void learned_loss_model(std::string_view bytes) {
  const auto model = load<LearnedLoss>(bytes);
  for (const double x : places) {
    const auto at = model.at(1, x);
    require(!std::isnan(at.value) && !std::isnan(at.gradient), "losses are numbers");
    require(!std::isnan(model.inverse_link(x)), "probabilities are numbers");
  }
}

void learned_class_loss_model(std::string_view bytes) {
  const auto model = load<LearnedClassLoss>(bytes);
  probabilities(model.probability(rows_of(model.class_names().size())));
}

}  // namespace linkgistic::fuzz
