#include "model/fitted_regression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <linkgistic/error.hpp>

#include "numeric/normal.hpp"

namespace linkgistic {
namespace {

// t of the rows, cut into the place inside the data and the way beyond their edge.
struct Places {
  std::vector<double> inside, beyond;

  Places(const Scaling& scaling, std::span<const double> x) : inside(x.size()), beyond(x.size()) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(x[i])) {
        throw InputError("x is " + std::to_string(x[i]) + " in row " + std::to_string(i + 1) +
                         ": it must be finite");
      }
      const double t = scaling.to_t(x[i]);
      inside[i] = std::clamp(t, -1.0, 1.0);
      beyond[i] = t - inside[i];
    }
  }
};

// Phi and its derivative at the left (0) and right (1) edge of the data.
struct Edges {
  Vector phi[2], slope[2];
  explicit Edges(const Features& features) {
    for (const int side : {0, 1}) {
      phi[side].resize(features.size());
      slope[side].resize(features.size());
      features.evaluate(side == 0 ? -1 : 1, phi[side]);
      features.derivative(side == 0 ? -1 : 1, slope[side]);
    }
  }
};

// nu = kappa . Phi in the units of the data, straight outside the data.
std::vector<double> evaluate(const FittedRegressionState& s, const Vector& kappa, const Places& at) {
  const Edges edges(*s.source.features);
  const Vector nu = s.source.features->values(at.inside, kappa, s.options.threads);
  std::vector<double> y(at.inside.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double slope = at.beyond[i] == 0 ? 0 : kappa.dot(edges.slope[at.beyond[i] > 0]);
    y[i] = s.scaling.to_y(nu[static_cast<Index>(i)] + slope * at.beyond[i]);
  }
  return y;
}

// Phi' c Phi, Phi straight outside the data.
Vector quadratic_form(const FittedRegressionState& s, const Places& at, const Matrix& c) {
  Vector form = s.source.features->quadratic_forms(at.inside, c, s.options.threads);
  const Edges edges(*s.source.features);
  for (std::size_t i = 0; i < at.beyond.size(); ++i) {
    if (at.beyond[i] == 0) continue;
    const bool right = at.beyond[i] > 0;
    const Vector phi = edges.phi[right] + at.beyond[i] * edges.slope[right];
    form[static_cast<Index>(i)] = phi.dot(c * phi);
  }
  return form;
}

// The variance of nu about its mode, in the fit's units: of the source linearised there, Phi' (J Sigma J')
// Phi. Where f is near 0 that vanishes and the second order, tr(kappa'' Sigma kappa'' Sigma)/2, takes its
// place.
Vector variance(const FittedRegressionState& s, const Places& at) {
  const SourceCovariance& covariance = s.band->of(*s.posterior, *s.source.map);
  const Vector linear = quadratic_form(s, at, covariance.linear);
  if (!s.source.basis) return linear.cwiseMax(0);
  return linear.cwiseMax(quadratic_form(s, at, covariance.quadratic)).cwiseMax(0);
}

// The half width of a central interval, in standard deviations.
double half_width(double interval) {
  if (!(interval > 0 && interval < 1)) {
    throw UsageError("interval = " + std::to_string(interval) + ": it must be between 0 and 1");
  }
  return normal_quantile((1 + interval) / 2);
}

Matrix draws(const FittedRegressionState& s, int count, std::uint64_t seed) {
  if (count < 1) throw UsageError("count = " + std::to_string(count) + ": it must be positive");
  return s.posterior->draw(count, seed);
}

// f^2 is a slope, so f has the unit of its root.
double latent_unit(const FittedRegressionState& s) {
  if (!s.source.basis) throw UsageError("latent: the gp prior is on nu itself and has no f");
  return std::sqrt(std::abs(s.scaling.y_scale) / s.scaling.x_half);
}

}  // namespace

FittedMonotoneRegression::FittedMonotoneRegression(std::shared_ptr<const FittedRegressionState> state)
    : state_(std::move(state)) {}

std::vector<double> FittedMonotoneRegression::predict_mean(std::span<const double> x) const {
  return evaluate(*state_, state_->source.map->value(state_->posterior->mode()), Places(state_->scaling, x));
}

std::vector<double> FittedMonotoneRegression::posterior_mean(std::span<const double> x) const {
  return evaluate(*state_, state_->posterior->mean_coefficients(*state_->source.map),
                  Places(state_->scaling, x));
}

Prediction FittedMonotoneRegression::predict(std::span<const double> x, double interval) const {
  const double z = half_width(interval);
  const Vector var = x.empty() ? Vector() : variance(*state_, Places(state_->scaling, x));
  const double scale = std::abs(state_->scaling.y_scale);
  Prediction p;
  if (x.empty()) return p;
  p.mean = predict_mean(x);
  p.lower = p.upper = p.obs_lower = p.obs_upper = p.mean;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double v = var[static_cast<Index>(i)];
    const double width = z * scale * std::sqrt(v);
    const double obs_width = z * scale * std::sqrt(v + state_->noise * state_->noise);
    p.lower[i] -= width;
    p.upper[i] += width;
    p.obs_lower[i] -= obs_width;
    p.obs_upper[i] += obs_width;
    if (std::isfinite(p.mean[i]) && std::isfinite(obs_width)) continue;
    // So far outside that the numbers overflow: anything is possible.
    p.lower[i] = p.obs_lower[i] = -std::numeric_limits<double>::infinity();
    p.upper[i] = p.obs_upper[i] = std::numeric_limits<double>::infinity();
  }
  return p;
}

std::vector<std::vector<double>> FittedMonotoneRegression::sample(std::span<const double> x, int count,
                                                                  std::uint64_t seed) const {
  const Places at(state_->scaling, x);
  const Matrix g = draws(*state_, count, seed);
  std::vector<std::vector<double>> result;
  for (Index s = 0; s < g.cols(); ++s)
    result.push_back(evaluate(*state_, state_->source.map->value(g.col(s)), at));
  return result;
}

Curve FittedMonotoneRegression::draw_band(std::span<const double> x, double interval, int count,
                                          std::uint64_t seed) const {
  (void)half_width(interval);  // checks it
  const auto paths = sample(x, count, seed);
  std::vector<double> at(paths.size());
  const auto quantile = [&at](double level) {
    // Linear between the order statistics.
    const double position = level * static_cast<double>(at.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const double next = at[std::min(below + 1, at.size() - 1)];
    return at[below] + (position - static_cast<double>(below)) * (next - at[below]);
  };
  Curve curve;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t s = 0; s < paths.size(); ++s) at[s] = paths[s][i];
    std::sort(at.begin(), at.end());
    curve.mean.push_back(quantile(0.5));
    curve.lower.push_back(quantile((1 - interval) / 2));
    curve.upper.push_back(quantile((1 + interval) / 2));
  }
  return curve;
}

std::vector<std::vector<double>> FittedMonotoneRegression::sample_latent(std::span<const double> x, int count,
                                                                         std::uint64_t seed) const {
  const Matrix g = draws(*state_, count, seed);
  const double unit = latent_unit(*state_);
  const Places at(state_->scaling, x);
  std::vector<std::vector<double>> result(static_cast<std::size_t>(count));
  for (Index s = 0; s < g.cols(); ++s) {
    for (const double t : at.inside) {
      result[static_cast<std::size_t>(s)].push_back(unit * state_->source.latent(t, g.col(s)));
    }
  }
  return result;
}

Curve FittedMonotoneRegression::latent(std::span<const double> x, double interval) const {
  const double z = half_width(interval);
  const double unit = latent_unit(*state_);
  const Basis& basis = *state_->source.basis;
  Curve curve;
  for (const double t : Places(state_->scaling, x).inside) {
    Vector phi(basis.size());
    basis.evaluate(t, phi);
    const double f = unit * phi.dot(state_->posterior->mode().head(phi.size()));
    const double width =
        z * unit * (state_->posterior->factor().topRows(phi.size()).transpose() * phi).norm();
    curve.mean.push_back(f);
    curve.lower.push_back(f - width);
    curve.upper.push_back(f + width);
  }
  return curve;
}

Curve FittedMonotoneRegression::derivative(std::span<const double> x, double interval) const {
  const double z = half_width(interval);
  const double unit = state_->scaling.y_scale / state_->scaling.x_half;
  Curve curve;
  if (state_->source.basis) {
    // nu' = f^2 (or -f^2): the squares of what f may be.
    curve = latent(x, interval);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double low = curve.lower[i] * curve.lower[i];
      const double high = curve.upper[i] * curve.upper[i];
      const bool crosses = curve.lower[i] < 0 && curve.upper[i] > 0;
      curve.mean[i] *= curve.mean[i];
      curve.lower[i] = crosses ? 0 : std::min(low, high);
      curve.upper[i] = std::max(low, high);
      if (unit > 0) continue;
      curve.mean[i] = -curve.mean[i];
      curve.lower[i] = -std::exchange(curve.upper[i], -curve.lower[i]);
    }
    return curve;
  }
  const Matrix jac = state_->source.map->jacobian(state_->posterior->mode());
  const Vector kappa = state_->source.map->value(state_->posterior->mode());
  Vector slope(state_->source.features->size());
  for (const double t : Places(state_->scaling, x).inside) {
    state_->source.features->derivative(t, slope);
    const double centre = unit * kappa.dot(slope);
    const double width =
        z * std::abs(unit) * (state_->posterior->factor().transpose() * (jac.transpose() * slope)).norm();
    curve.mean.push_back(centre);
    curve.lower.push_back(centre - width);
    curve.upper.push_back(centre + width);
  }
  return curve;
}

double FittedMonotoneRegression::noise() const { return state_->noise * std::abs(state_->scaling.y_scale); }
double FittedMonotoneRegression::log_evidence() const { return state_->summary.log_evidence; }
const RegressionSummary& FittedMonotoneRegression::summary() const { return state_->summary; }
const MonotoneRegressionOptions& FittedMonotoneRegression::options() const { return state_->options; }
const std::vector<EvidenceProfile>& FittedMonotoneRegression::profiles() const { return state_->profiles; }
const std::map<std::string, std::string>& FittedMonotoneRegression::columns() const {
  return state_->columns;
}

FittedMonotoneRegression FittedMonotoneRegression::with_columns(
    std::map<std::string, std::string> columns) const {
  auto state = std::make_shared<FittedRegressionState>(*state_);
  state->columns = std::move(columns);
  return FittedMonotoneRegression(state);
}

}  // namespace linkgistic
