#include "model/fitted_regression.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/source_draws.hpp"
#include "numeric/parallel.hpp"

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

constexpr Range data_range{-1, 1};
constexpr Index band_draws = 2000;
// Bands at more values of x than this are interpolated linearly between this many.
constexpr std::size_t max_nodes = 2049;

std::vector<double> to_t(const FittedRegressionState& s, std::span<const double> x) {
  std::vector<double> t(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) {
      throw InputError("x is " + std::to_string(x[i]) + " in row " + std::to_string(i + 1) + ": it must be finite");
    }
    t[i] = s.scaling.to_t(x[i]);
  }
  return t;
}

// nu(t) in the units of the data for given coefficients, straight outside the data.
std::vector<double> evaluate(const FittedRegressionState& s, const Vector& kappa, std::span<const double> x) {
  auto t = to_t(s, x);
  std::vector<double> beyond(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double edge = std::clamp(t[i], data_range.lower, data_range.upper);
    beyond[i] = t[i] - edge;
    t[i] = edge;
  }
  const TangentExtension features(*s.source.features, data_range.lower, data_range.upper);
  const double slope[2] = {kappa.dot(features.derivative(data_range.lower)),
                           kappa.dot(features.derivative(data_range.upper))};
  const Vector nu = s.source.features->values(t, kappa, s.options.threads);
  std::vector<double> y(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    y[i] = s.scaling.to_y(nu[static_cast<Index>(i)] + slope[beyond[i] > 0] * beyond[i]);
  }
  return y;
}

// rows(t) -> a fixed number of values, at each t, directly or between nodes.
std::vector<std::vector<double>> on_nodes(const FittedRegressionState& s, const std::vector<double>& t,
                                          std::size_t values,
                                          const std::function<std::vector<double>(double)>& rows) {
  const auto [low, high] = std::minmax_element(t.begin(), t.end());
  std::vector<double> nodes = t;
  if (t.size() > max_nodes) {
    nodes.resize(max_nodes);
    for (std::size_t i = 0; i < max_nodes; ++i) {
      nodes[i] = *low + (*high - *low) * static_cast<double>(i) / static_cast<double>(max_nodes - 1);
    }
  }
  std::vector<std::vector<double>> at_nodes(nodes.size());
  parallel_for(nodes.size(), s.options.threads, [&](std::size_t i) { at_nodes[i] = rows(nodes[i]); });
  std::vector<std::vector<double>> result(values, std::vector<double>(t.size()));
  for (std::size_t i = 0; i < t.size(); ++i) {
    for (std::size_t k = 0; k < values; ++k) {
      if (t.size() <= max_nodes) {
        result[k][i] = at_nodes[i][k];
        continue;
      }
      const double step = (*high - *low) / static_cast<double>(max_nodes - 1);
      const double position = step > 0 ? (t[i] - *low) / step : 0;
      const auto below = std::min(static_cast<std::size_t>(position), max_nodes - 2);
      const double share = position - static_cast<double>(below);
      result[k][i] = (1 - share) * at_nodes[below][k] + share * at_nodes[below + 1][k];
    }
  }
  return result;
}

SourceDraws draws_of(const FittedRegressionState& s, Index count, std::uint64_t seed) {
  return SourceDraws(s.source, *s.posterior, data_range, count, seed);
}

// Lower and upper change places when nu decreases.
std::pair<std::vector<double>, std::vector<double>> ordered(std::vector<double> a, std::vector<double> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) std::swap(a[i], b[i]);
  }
  return {std::move(a), std::move(b)};
}

std::vector<double> scaled(std::vector<double> values, const std::function<double(double)>& f) {
  std::transform(values.begin(), values.end(), values.begin(), f);
  return values;
}

// Median and band of a quantity that every draw has.
Curve curve_of(const FittedRegressionState& s, std::span<const double> x, double interval, double factor,
               const std::function<std::vector<double>(const SourceDraws&, double)>& quantity) {
  const IntervalLevels levels(interval);
  if (x.empty()) return {};
  const SourceDraws draws = draws_of(s, band_draws, s.options.seed);
  auto rows = on_nodes(s, to_t(s, x), 3, [&](double t) {
    auto sample = quantity(draws, t);
    return std::vector<double>{quantile(sample, 0.5), quantile(sample, levels.lower), quantile(sample, levels.upper)};
  });
  const auto unit = [factor](double v) { return factor * v; };
  auto [lower, upper] = ordered(scaled(rows[1], unit), scaled(rows[2], unit));
  return {scaled(rows[0], unit), std::move(lower), std::move(upper)};
}

}  // namespace

FittedMonotoneRegression::FittedMonotoneRegression(std::shared_ptr<const FittedRegressionState> state)
    : state_(std::move(state)) {}

std::vector<double> FittedMonotoneRegression::mode(std::span<const double> x) const {
  return evaluate(*state_, state_->source.map->value(state_->posterior->mode()), x);
}

std::vector<double> FittedMonotoneRegression::mean(std::span<const double> x) const {
  return evaluate(*state_, state_->posterior->mean_coefficients(*state_->source.map), x);
}

std::vector<double> FittedMonotoneRegression::median(std::span<const double> x) const {
  if (x.empty()) return {};
  const SourceDraws draws = draws_of(*state_, band_draws, state_->options.seed);
  const auto rows = on_nodes(*state_, to_t(*state_, x), 1, [&](double t) {
    auto nu = draws.nu(t);
    return std::vector<double>{quantile(nu, 0.5)};
  });
  return scaled(rows[0], [this](double u) { return state_->scaling.to_y(u); });
}

std::vector<double> FittedMonotoneRegression::predict_mean(std::span<const double> x) const {
  const std::string& estimate = state_->summary.point_estimate;
  return estimate == "mode" ? mode(x) : estimate == "mean" ? mean(x) : median(x);
}

Prediction FittedMonotoneRegression::predict(std::span<const double> x, double interval) const {
  const IntervalLevels levels(interval);
  if (x.empty()) return {};
  const SourceDraws draws = draws_of(*state_, band_draws, state_->options.seed);
  const auto rows = on_nodes(*state_, to_t(*state_, x), 4, [&](double t) {
    auto nu = draws.nu(t);
    return std::vector<double>{quantile(nu, levels.lower), quantile(nu, levels.upper),
                               noisy_quantile(nu, state_->noise, levels.lower),
                               noisy_quantile(nu, state_->noise, levels.upper)};
  });
  const auto unit = [this](double u) { return state_->scaling.to_y(u); };
  Prediction p;
  p.mean = predict_mean(x);
  std::tie(p.lower, p.upper) = ordered(scaled(rows[0], unit), scaled(rows[1], unit));
  std::tie(p.obs_lower, p.obs_upper) = ordered(scaled(rows[2], unit), scaled(rows[3], unit));
  return p;
}

std::vector<std::vector<double>> FittedMonotoneRegression::sample(std::span<const double> x, int count,
                                                                  std::uint64_t seed) const {
  if (count < 1) throw UsageError("count = " + std::to_string(count) + ": it must be positive");
  const auto t = to_t(*state_, x);
  const SourceDraws draws = draws_of(*state_, count, seed);
  std::vector<std::vector<double>> result(static_cast<std::size_t>(count), std::vector<double>(x.size()));
  for (std::size_t i = 0; i < t.size(); ++i) {
    const auto nu = draws.nu(t[i]);
    for (std::size_t s = 0; s < nu.size(); ++s) result[s][i] = state_->scaling.to_y(nu[s]);
  }
  return result;
}

Curve FittedMonotoneRegression::derivative(std::span<const double> x, double interval) const {
  const double factor = state_->scaling.y_scale / state_->scaling.x_half;
  return curve_of(*state_, x, interval, factor, [](const SourceDraws& draws, double t) { return draws.slope(t); });
}

Curve FittedMonotoneRegression::latent(std::span<const double> x, double interval) const {
  if (!state_->source.basis) throw UsageError("latent: the gp prior is on nu itself and has no f");
  const double factor = std::sqrt(std::abs(state_->scaling.y_scale) / state_->scaling.x_half);
  return curve_of(*state_, x, interval, factor, [](const SourceDraws& draws, double t) { return draws.latent(t); });
}

double FittedMonotoneRegression::noise() const { return state_->noise * std::abs(state_->scaling.y_scale); }
double FittedMonotoneRegression::log_evidence() const { return state_->summary.log_evidence; }
const RegressionSummary& FittedMonotoneRegression::summary() const { return state_->summary; }
const MonotoneRegressionOptions& FittedMonotoneRegression::options() const { return state_->options; }
const std::vector<EvidenceProfile>& FittedMonotoneRegression::profiles() const { return state_->profiles; }
const std::map<std::string, std::string>& FittedMonotoneRegression::columns() const { return state_->columns; }

FittedMonotoneRegression FittedMonotoneRegression::with_columns(std::map<std::string, std::string> columns) const {
  auto state = std::make_shared<FittedRegressionState>(*state_);
  state->columns = std::move(columns);
  return FittedMonotoneRegression(state);
}

}  // namespace linkgistic
