#include "repro/platt.hpp"

#include <cmath>

#include "numeric/logistic.hpp"

namespace linkgistic::repro {

// Newton's method on a convex function of two numbers, halved where a step does not go down.
PlattScale fit_platt(const std::vector<double>& score, const std::vector<std::uint8_t>& y) {
  double ones = 0;
  for (const std::uint8_t label : y) ones += label != 0 ? 1 : 0;
  const double zeros = static_cast<double>(y.size()) - ones;
  const double target[2] = {1 / (zeros + 2), (ones + 1) / (ones + 2)};
  const auto loss = [&](const PlattScale& s) {
    double sum = 0;
    for (std::size_t n = 0; n < y.size(); ++n) {
      const double nu = s.slope * score[n] + s.level;
      sum += softplus(nu) - target[y[n] != 0 ? 1 : 0] * nu;
    }
    return sum;
  };
  PlattScale scale{0, std::log((ones + 1) / (zeros + 1))};
  double value = loss(scale);
  for (int step = 0; step < 100; ++step) {
    double g[2] = {0, 0}, h[3] = {1e-12, 0, 1e-12};
    for (std::size_t n = 0; n < y.size(); ++n) {
      const double nu = scale.slope * score[n] + scale.level;
      const double residual = sigmoid(nu) - target[y[n] != 0 ? 1 : 0];
      const double weight = sigmoid(nu) * sigmoid(-nu);
      g[0] += residual * score[n];
      g[1] += residual;
      h[0] += weight * score[n] * score[n];
      h[1] += weight * score[n];
      h[2] += weight;
    }
    const double det = h[0] * h[2] - h[1] * h[1];
    const double d0 = (h[2] * g[0] - h[1] * g[1]) / det, d1 = (h[0] * g[1] - h[1] * g[0]) / det;
    double length = 1, next_value = value;
    PlattScale next = scale;
    for (; length > 1e-10; length /= 2) {
      next = {scale.slope - length * d0, scale.level - length * d1};
      next_value = loss(next);
      if (next_value < value) break;
    }
    if (!(next_value < value)) break;
    scale = next;
    if (value - next_value <= 1e-12 * std::abs(value)) break;
    value = next_value;
  }
  return scale;
}

std::vector<double> platt_log_odds(const FittedLinkgisticClassifier& logistic,
                                   const ClassificationData& train, const FeatureRows& test,
                                   const Settings& settings) {
  constexpr std::size_t parts = 5;
  const std::size_t rows = train.labels.size();
  const std::size_t scores = train.class_names.size() == 2 ? 1 : train.class_names.size();
  std::vector<double> held_out(rows * scores);
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<std::size_t> in, out;
    for (std::size_t n = 0; n < rows; ++n) (n % parts == part ? out : in).push_back(n);
    const auto fit = fit_linkgistic(take(train, in), LinkPrior::none, logistic.summary().l2, settings);
    const std::vector<double> some = fit.decision_values(take(train, out).rows);
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t k = 0; k < scores; ++k) held_out[out[i] * scores + k] = some[i * scores + k];
  }
  std::vector<double> result = logistic.decision_values(test);
  for (std::size_t k = 0; k < scores; ++k) {
    std::vector<double> one(rows);
    std::vector<std::uint8_t> y(rows);
    for (std::size_t n = 0; n < rows; ++n) {
      one[n] = held_out[n * scores + k];
      y[n] = train.labels[n] == static_cast<std::int32_t>(scores == 1 ? 1 : k) ? 1 : 0;
    }
    const PlattScale line = fit_platt(one, y);
    for (std::size_t n = k; n < result.size(); n += scores) result[n] = line.slope * result[n] + line.level;
  }
  return result;
}

}  // namespace linkgistic::repro
