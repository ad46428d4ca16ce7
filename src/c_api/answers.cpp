// What is read off a model: inverse, coefficients, ranges, links.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "c_api/model.hpp"

namespace linkgistic::c_api {
namespace {

void write(double value, double* to) {
  if (to != nullptr) *to = value;
}
void write_all(const std::vector<double>& values, double* to) {
  if (to != nullptr) std::copy(values.begin(), values.end(), to);
}

void check_score(std::size_t score, std::size_t scores) {
  if (score >= scores)
    throw UsageError("score = " + std::to_string(score) + ": the model has " + std::to_string(scores) +
                     (scores == 1 ? " score" : " scores") + ", numbered from 0");
}

std::pair<double, double> range_of(const FittedMonotoneRegression& fit, std::size_t score) {
  check_score(score, 1);
  return {fit.summary().x_lower, fit.summary().x_upper};
}
std::pair<double, double> range_of(const FittedMonotoneCalibrator& fit, std::size_t score) {
  check_score(score, 1);
  return {fit.summary().score_lower, fit.summary().score_upper};
}
std::pair<double, double> range_of(const FittedClassCalibrator& fit, std::size_t) {
  throw UsageError(std::string("a model of kind '") + kind_of(fit) + "' has no range");
}
std::pair<double, double> range_of(const FittedLinkgisticClassifier& fit, std::size_t score) {
  const auto& scores = fit.summary().classes;
  check_score(score, scores.size());
  return {scores[score].score_lower, scores[score].score_upper};
}

}  // namespace
}  // namespace linkgistic::c_api

using namespace linkgistic;
using namespace linkgistic::c_api;

int linkgistic_inverse(const linkgistic_model* model, double level, double interval, double* estimate,
                       double* lower, double* upper) {
  return guarded([&] {
    const CurveAnswer answer = fit_of<FittedMonotoneRegression>(model, "inverse").inverse(level, interval);
    write(answer.estimate, estimate);
    write(answer.lower, lower);
    write(answer.upper, upper);
  });
}

int linkgistic_scores(const linkgistic_model* model, size_t* scores) {
  return guarded([&] {
    needed(scores, "scores") =
        fit_of<FittedLinkgisticClassifier>(model, "linear scores").summary().classes.size();
  });
}

int linkgistic_score_name(const linkgistic_model* model, size_t score, const char** name) {
  return guarded([&] {
    const auto& scores = fit_of<FittedLinkgisticClassifier>(model, "linear scores").summary().classes;
    check_score(score, scores.size());
    needed(name, "name") = scores[score].name.c_str();
  });
}

int linkgistic_coefficients(const linkgistic_model* model, double* coefficients) {
  return guarded([&] {
    const auto& fit = fit_of<FittedLinkgisticClassifier>(model, "coefficients");
    write_all(fit.coefficients(), &needed(coefficients, "coefficients"));
  });
}

int linkgistic_range(const linkgistic_model* model, size_t score, double* lower, double* upper) {
  return guarded([&] {
    const auto [least, greatest] =
        std::visit([&](const auto& fit) { return range_of(fit, score); }, needed(model, "model").fit);
    write(least, lower);
    write(greatest, upper);
  });
}

int linkgistic_link(const linkgistic_model* model, size_t score, const double* at, size_t rows,
                    double interval, double* estimate, double* lower, double* upper) {
  return guarded([&] {
    const auto& fit = fit_of<FittedLinkgisticClassifier>(model, "links");
    check_score(score, fit.summary().classes.size());
    const auto curve = fit.link(score, values_of(at, rows, "at"), interval);
    write_all(curve.nu, estimate);
    write_all(curve.lower, lower);
    write_all(curve.upper, upper);
  });
}
