#include "export/portable_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "model_file/model_file.hpp"
#include "numeric/log_odds.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/logistic.hpp"

namespace linkgistic {
namespace {

// Tables are right to this at the places that are tried, and what export.md promises is twice to five times
// as much.
constexpr double allowed = 2e-8;

double probability_distance(double a, double b) { return std::abs(sigmoid(a) - sigmoid(b)) / allowed; }

// Where p = softmax(nu), a change of each nu by at most d changes p_c by p_c |dnu_c - sum p_k dnu_k|
// <= 2 d p_c (1 - p_c) <= d/2, however improbable a class is by itself: its nu counts, not its sigma(nu).
// Of very large nu the slopes, which are differences, have fewer digits.
double softmax_distance(double a, double b) {
  return std::abs(a - b) / std::max(2 * allowed, 1e-10 * std::abs(b));
}

// The same, of nu = log sigma(score).
double rest_distance(double a, double b) { return softmax_distance(-softplus(-a), -softplus(-b)); }

// A name that a model keeps of a column, or another.
std::string column_name(const std::map<std::string, std::string>& columns, const char* role,
                        const char* otherwise) {
  const auto found = columns.find(role);
  return found != columns.end() && !found->second.empty() ? found->second : otherwise;
}

PortableModel of_regression(const ModelFile& file, const std::string& text) {
  const auto fit = FittedMonotoneRegression::from_json(text, file.origin);
  const RegressionSummary& s = fit.summary();
  PortableModel model;
  model.kind = file.kind();
  model.features = {column_name(fit.columns(), "x", "x")};
  model.coefficients = {0, 1};
  const std::vector<double> ends = fit.estimate(std::vector{s.x_lower, s.x_upper});
  // Of the range of the curve, or of the values where they are much larger: slopes are differences of them,
  // with fewer digits.
  const double unit =
      std::max({2e-10 * std::abs(ends[1] - ends[0]), 2e-11 * std::max(std::abs(ends[0]), std::abs(ends[1])),
                std::numeric_limits<double>::min()});
  model.curves = {tabulate([&](std::span<const double> x) { return fit.estimate(x); }, s.x_lower, s.x_upper,
                           {}, [unit](double a, double b) { return std::abs(a - b) / unit; })};
  return model;
}

// The knots of a warp, the ends at which its ranks are cut off, 1 beyond the knots, and steps that grow from
// there to the ends of the table: between them the map is smooth.
std::vector<double> warp_edges(const nlohmann::json& warp, double unit, double first, double last) {
  const auto knot = warp.at("knot").get<std::vector<double>>(),
             slope = warp.at("slope").get<std::vector<double>>();
  std::vector<double> edges;
  for (const double k : knot) edges.push_back(unit * k);
  if (slope.front() > 0) edges.push_back(unit * (knot.front() - 1 / slope.front()));
  if (slope.back() > 0) edges.push_back(unit * (knot.back() + 1 / slope.back()));
  edges.push_back(unit * warp.at("centre").get<double>());
  std::sort(edges.begin(), edges.end());
  const double low = edges.front(), high = edges.back();
  constexpr double step = 0.125;
  const double width = step * std::max(high - low, std::abs(unit));
  for (double way = width; low - way > first; way *= 1 + step) edges.push_back(low - way);
  for (double way = width; high + way < last; way *= 1 + step) edges.push_back(high + way);
  std::erase_if(edges, [&](double e) { return !(e > first && e < last); });
  edges.insert(edges.end(), {first, last});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

PortableModel of_calibrator(const ModelFile& file, const std::string& text) {
  const bool probability =
      FittedMonotoneCalibrator::from_json(text, file.origin).summary().score_kind == ScoreKind::probability;
  // The same map of log odds, which a probability near 1 would round away, and of scores that are bent
  // already.
  nlohmann::json of_log_odds = file.content;
  of_log_odds["summary"]["score_kind"] = "log_odds";
  for (const char* end : {"lower_infinite", "upper_infinite"}) of_log_odds["scale"][end] = false;
  const auto fit = FittedMonotoneCalibrator::from_json(of_log_odds.dump(), file.origin);
  PortableModel model;
  model.kind = file.kind();
  model.probability = probability;
  model.features = {column_name(fit.columns(), "score", "score")};
  model.coefficients = {0, 1};
  model.classes = {"0", "1"};
  model.output = PortableOutput::two_classes;
  const nlohmann::json& scale = file.content.at("scale");
  const nlohmann::json& warp = file.content.at("warp");
  const double lower = scale.at("lower").get<double>(), upper = scale.at("upper").get<double>();
  const double unit = scale.at("unit").get<double>();
  const double margin = upper > lower ? (upper / 2 - lower / 2) / 5 : unit;
  if (scale.at("lower_infinite").get<bool>()) model.below = ScoreBend{lower, margin};
  if (scale.at("upper_infinite").get<bool>()) model.above = ScoreBend{upper, margin};
  // Tables reach twenty times the range of training, or as far as scores can be.
  const double sign = scale.at("mirrored").get<bool>() ? -1 : 1;
  const double reach = model.probability ? 0 : 20 * std::max(upper - lower, unit);
  const double edge = bounded_log_odds(1);
  const auto values = [&](std::span<const double> s) { return fit.log_odds(s); };
  const double first = model.below ? lower - margin : probability ? -edge : lower - reach;
  const double last = model.above ? upper + margin : probability ? edge : upper + reach;
  model.curves = {
      tabulate(values, first, last, {warp_edges(warp, sign * unit, first, last)}, probability_distance)};
  return model;
}

PortableModel of_classifier(const ModelFile& file, const std::string& text) {
  const auto fit = FittedLinkgisticClassifier::from_json(text, file.origin);
  const ClassifierSummary& s = fit.summary();
  if (s.pairwise)
    throw UsageError(
        "export: a model of pairs of classes has no such form; fit with multiclass softmax or ovr");
  PortableModel model;
  model.kind = file.kind();
  model.features = fit.feature_names();
  model.encoding = fit.encoding();
  model.classes = fit.class_names();
  model.coefficients = fit.coefficients();
  model.output = model.classes.size() == 2 ? PortableOutput::two_classes
                 : s.softmax               ? PortableOutput::softmax
                                           : PortableOutput::one_against_rest;
  const CurveDistance distance = model.output == PortableOutput::two_classes ? probability_distance
                                 : model.output == PortableOutput::softmax   ? softmax_distance
                                                                             : rest_distance;
  const std::size_t scores = s.classes.size();
  std::size_t cells = 64;
  for (bool again = true; again;) {
    again = false;
    model.curves.clear();
    for (std::size_t k = 0; k < scores; ++k) {
      const auto values = [&](std::span<const double> x) {
        std::vector<double> all(x.size() * scores), own;
        for (std::size_t n = 0; n < x.size(); ++n) all[n * scores + k] = x[n];
        const std::vector<double> decision = fit.decision_at(all);
        for (std::size_t n = 0; n < x.size(); ++n) own.push_back(decision[n * scores + k]);
        return own;
      };
      // A link is straight beyond the scores that it was learned on, which others may lie a little beyond.
      const double width = std::max(s.classes[k].score_upper - s.classes[k].score_lower, 1.0);
      model.curves.push_back(tabulate(values, s.classes[k].score_lower - width,
                                      s.classes[k].score_upper + width, {}, distance, cells));
      again = again || model.curves.back().cells.size() != model.curves.front().cells.size();
      cells = std::max(cells, model.curves.back().cells.size());
    }
  }
  return model;
}

}  // namespace

std::vector<double> PortableModel::at(std::span<const double> row) const {
  std::vector<double> nu;
  for (std::size_t k = 0; k < scores(); ++k) {
    double s = coefficient(k, 0);
    for (std::size_t j = 0; j < row.size(); ++j) s += coefficient(k, j + 1) * row[j];
    if (probability) s = bounded_log_odds(s);
    if (below && s < below->end) s = below->end - below->margin / (1 + below->margin / (below->end - s));
    if (above && s > above->end) s = above->end + above->margin / (1 + above->margin / (s - above->end));
    nu.push_back(curves[k](s));
  }
  if (output == PortableOutput::value) return nu;
  if (output == PortableOutput::two_classes) return {sigmoid(-nu[0]), sigmoid(nu[0])};
  if (output == PortableOutput::one_against_rest)
    for (double& l : nu) l = -softplus(-l);
  const double total = log_sum(nu.size(), [&](std::size_t k) { return nu[k]; }).value();
  for (double& l : nu) l = std::exp(l - total);
  return nu;
}

PortableModel portable_model(const std::string& model_text, const std::string& origin) {
  const ModelFile file = parse_model(model_text, origin);
  if (file.kind() == "monotone regression") return of_regression(file, model_text);
  if (file.kind() == "monotone calibrator") return of_calibrator(file, model_text);
  if (file.kind() == "linkgistic classifier") return of_classifier(file, model_text);
  throw UsageError("export: a model of kind '" + file.kind() +
                   "' has no such form; regressions, calibrators of one score and classifiers have");
}

}  // namespace linkgistic
