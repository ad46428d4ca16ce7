#include <algorithm>
#include <cmath>

#include "baseline/tron.hpp"
#include "classification/names.hpp"
#include "compare_methods.hpp"
#include "metrics/classification_metrics.hpp"
#include "numeric/stopwatch.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

/// For two classes the log odds of the second (N), for more the probabilities of all (N, C).
struct Predicted {
  std::vector<double> values;
  double seconds = 0;
  std::string stop;
};

Predicted fit_linkgistic(LinkPrior prior, const ClassificationData& train, const ClassificationData& test,
                         const CompareSettings& settings) {
  LinkgisticOptions options;
  options.prior = prior;
  options.loss = settings.loss;
  options.l2 = settings.l2;
  options.seed = settings.seed;
  options.threads = settings.threads;
  options.stop = settings.stop;
  const Stopwatch clock;
  const auto fit = LinkgisticClassifier(options).fit(train);
  const double seconds = clock.seconds();
  const bool binary = train.class_names.size() == 2;
  return {binary ? fit.decision_values(test.rows) : fit.predict(test.rows).probability, seconds,
          fit.summary().stop};
}

std::vector<std::uint8_t> is_class(const ClassificationData& data, std::size_t k) {
  std::vector<std::uint8_t> y;
  y.reserve(data.labels.size());
  for (const std::int32_t label : data.labels) y.push_back(static_cast<std::size_t>(label) == k);
  return y;
}

Predicted fit_trons(TronKind kind, const ClassificationData& train, const ClassificationData& test,
                    const CompareSettings& settings) {
  TronOptions options;
  options.kind = kind;
  options.iterations = settings.iterations;
  options.scaling = settings.row_scaling ? TronScaling::largest_row : TronScaling::spectral;
  options.seed = settings.seed;
  options.threads = settings.threads;
  options.stop = settings.stop;
  const std::size_t classes = train.class_names.size();
  Predicted result;
  if (classes > 2) result.values.resize(test.labels.size() * classes);
  for (std::size_t k = classes == 2 ? 1 : 0; k < classes; ++k) {
    const Stopwatch clock;
    const TronFit fit = fit_tron(train.rows, is_class(train, k), train.weights, options);
    result.seconds += clock.seconds();
    if (result.stop.empty() || result.stop == to_string(TronStop::converged))
      result.stop = to_string(fit.stop);
    const std::vector<float> z = fit.scores(test.rows, options.threads);
    for (std::size_t n = 0; n < z.size(); ++n) {
      const auto score = static_cast<double>(z[n]);
      if (classes == 2)
        result.values.push_back(fit.link.log_odds(score));
      else
        result.values[n * classes + k] = std::clamp(fit.link(score), tron_clip, 1 - tron_clip);
    }
  }
  for (std::size_t n = 0; classes > 2 && n < test.labels.size(); ++n) {
    double total = 0;
    for (std::size_t k = 0; k < classes; ++k) total += result.values[n * classes + k];
    for (std::size_t k = 0; k < classes; ++k) result.values[n * classes + k] /= total;
  }
  return result;
}

double log_odds_of(double p) { return std::log(p) - std::log1p(-p); }

// auc of the log odds as they are; the rest with those of 0 and 1 clipped.
BinaryMetrics binary_scores(std::vector<double> log_odds, const ClassificationData& test) {
  const std::vector<std::uint8_t> y = is_class(test, 1);
  const double auc = binary_metrics(log_odds, y, test.weights).auc;
  const double most = log_odds_of(1 - tron_clip);
  for (double& t : log_odds)
    if (std::isinf(t)) t = std::clamp(t, -most, most);
  BinaryMetrics metrics = binary_metrics(log_odds, y, test.weights);
  metrics.auc = auc;
  return metrics;
}

}  // namespace

const std::vector<std::string>& classification_methods() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"isgp", "offset", "gp", "logistic"};
    for (const std::string_view tron : tron_names()) all.emplace_back(tron);
    return all;
  }();
  return names;
}

MethodScore compare_classification(const std::string& method, const ClassificationData& train,
                                   const ClassificationData& test, const CompareSettings& settings) {
  const std::size_t classes = train.class_names.size();
  const bool ours = method == "logistic" || link_prior_names().contains(method);
  const Predicted predicted =
      ours ? fit_linkgistic(method == "logistic" ? LinkPrior::none : value_of(link_prior_names(), method),
                            train, test, settings)
           : fit_trons(tron_kind(method), train, test, settings);
  const BinaryMetrics m = classes == 2 ? binary_scores(predicted.values, test)
                                       : class_metrics(predicted.values, classes, test.labels, test.weights);
  return {method,
          {{"auc", m.auc}, {"log_loss", m.log_loss}, {"accuracy", m.accuracy}, {"brier", m.brier}},
          predicted.seconds,
          predicted.stop};
}

}  // namespace linkgistic
