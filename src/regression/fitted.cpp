#include "regression/fitted.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <linkgistic/error.hpp>

#include "model_file/json_values.hpp"
#include "numeric/quantile.hpp"
#include "regression/noise.hpp"
#include "regression/shape.hpp"
#include "response/gaussian.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// The mean at nu = kappa . Phi, or nu itself, in the units of the data, straight outside the data.
std::vector<double> evaluate(const FittedRegressionState& s, const Vector& kappa, const Places& at,
                             PredictionScale scale = PredictionScale::mean) {
  const Vector nu = source_values(*s.source.features, at, kappa, s.options.threads);
  const Vector eta = s.eta();
  std::vector<double> y(at.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double at_row = nu[static_cast<Index>(i)];
    y[i] = scale == PredictionScale::link ? s.link_y(at_row) : s.mean_y(at_row, eta);
  }
  return y;
}

// Offsets of a response with units are added to what is in the units of y.
void add_offsets(const FittedRegressionState& s, const RowBlock& rows, std::vector<double>& y) {
  if (!s.response->has_units()) return;
  for (std::size_t i = 0; i < rows.offset.size(); ++i) y[i] += rows.offset[i];
}

// The levels of the ends of a central interval, turned about where y falls as u rises.
std::array<double, 2> ends(double interval, double y_scale = 1) {
  std::array<double, 2> levels = central_levels(interval);
  if (y_scale < 0) std::swap(levels[0], levels[1]);
  return levels;
}

Matrix draws(const FittedRegressionState& s, int count, std::uint64_t seed) {
  if (count < 1) throw UsageError("count = " + std::to_string(count) + ": it must be positive");
  return s.posterior->draw(count, seed);
}

}  // namespace

Places places(const FittedRegressionState& s, const RowBlock& rows) {
  const auto check = [](bool good, const char* name, double value, std::size_t i, const char* rule) {
    if (good) return;
    throw InputError(std::string(name) + " is " + shortest(value) + " in row " + std::to_string(i + 1) +
                     ": it must be " + rule);
  };
  const std::size_t n = rows.x.size();
  std::vector<double> t(n);
  for (std::size_t i = 0; i < n; ++i) {
    check(std::isfinite(rows.x[i]), "x", rows.x[i], i, "finite");
    if (!rows.offset.empty()) check(std::isfinite(rows.offset[i]), "offset", rows.offset[i], i, "finite");
    if (!rows.exposure.empty()) {
      const double exposure = rows.exposure[i];
      check(exposure > 0 && std::isfinite(exposure), "exposure", exposure, i, "positive and finite");
    }
    t[i] = s.scaling.to_t(rows.x[i]);
  }
  Places at(t);
  if (s.response->has_units()) return at;
  at.shift.assign(n, s.scaling.y_shift);
  for (std::size_t i = 0; i < rows.offset.size(); ++i) at.shift[i] += rows.offset[i];
  for (std::size_t i = 0; i < rows.exposure.size(); ++i) at.shift[i] += std::log(rows.exposure[i]);
  return at;
}

double latent_unit(const FittedRegressionState& s) {
  if (!s.source.basis) throw UsageError("latent: the gp prior is on nu itself and has no f");
  const double slope = std::abs(s.scaling.y_scale / s.scaling.x_half);
  return std::sqrt(shape_of(s.options).curvature == 0 ? slope : slope / std::abs(s.scaling.x_half));
}

Matrix latent_features(const FittedRegressionState& s, const Places& at) {
  (void)latent_unit(s);  // refuses the gp prior
  const Basis& basis = *s.source.basis;
  Matrix phi = Matrix::Zero(s.source.dimension(), static_cast<Index>(at.size()));
  for (Index i = 0; i < phi.cols(); ++i) {
    basis.evaluate(at.inside[static_cast<std::size_t>(i)], phi.col(i).head(basis.size()));
  }
  return phi;
}

// eta is log precision, from which the log noise is taken.
std::function<Vector(std::size_t)> FittedRegressionState::eta_at(const Places& at) const {
  if (!noise) return [all = eta()](std::size_t) { return all; };
  return [all = eta(), more = noise->values(at, options.threads)](std::size_t i) {
    return Vector(all.array() - more[static_cast<Index>(i)]);
  };
}

FittedMonotoneRegression::FittedMonotoneRegression(std::shared_ptr<const FittedRegressionState> state)
    : state_(std::move(state)) {}

std::vector<double> FittedMonotoneRegression::estimate(std::span<const double> x) const {
  return estimate_rows(RowBlock{x, {}, {}});
}

std::vector<double> FittedMonotoneRegression::estimate_rows(const RowBlock& rows,
                                                            PredictionScale scale) const {
  auto y = evaluate(*state_, state_->posterior->point_coefficients(*state_->source.map),
                    places(*state_, rows), scale);
  add_offsets(*state_, rows, y);
  return y;
}

std::vector<double> FittedMonotoneRegression::posterior_mean(std::span<const double> x) const {
  return evaluate(*state_, state_->posterior->mean_coefficients(*state_->source.map), places(*state_, x));
}

Prediction FittedMonotoneRegression::predict(std::span<const double> x, double interval) const {
  return predict_rows(RowBlock{x, {}, {}}, interval);
}

Prediction FittedMonotoneRegression::predict_rows(const RowBlock& rows, double interval,
                                                  PredictionScale scale) const {
  const FittedRegressionState& s = *state_;
  const auto levels = ends(interval, s.scaling.y_scale);
  Prediction p;
  if (rows.x.empty()) return p;
  const Places at = places(s, rows);
  p.estimate = estimate_rows(rows, scale);
  const Vector eta = s.eta();
  const Matrix nu = s.posterior->quantiles(s.source, at, levels, s.options.threads);
  const Matrix observed = observation_quantiles(s, rows, at, levels);
  const auto in_units = [&](double v) {
    return scale == PredictionScale::link ? s.link_y(v) : s.mean_y(v, eta);
  };
  for (Index i = 0; i < nu.rows(); ++i) {
    double band[] = {in_units(nu(i, 0)), in_units(nu(i, 1)), observed(i, 0), observed(i, 1)};
    if (!std::isfinite(p.estimate[static_cast<std::size_t>(i)]) ||
        !std::all_of(std::begin(band), std::end(band), [](double y) { return std::isfinite(y); })) {
      // So far outside that the numbers overflow: anything is possible.
      double& estimate = p.estimate[static_cast<std::size_t>(i)];
      estimate =
          std::clamp(estimate, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
      band[0] = band[2] = std::numeric_limits<double>::lowest();
      band[1] = band[3] = std::numeric_limits<double>::max();
    }
    p.lower.push_back(band[0]);
    p.upper.push_back(band[1]);
    p.obs_lower.push_back(band[2]);
    p.obs_upper.push_back(band[3]);
  }
  add_offsets(s, rows, p.lower);
  add_offsets(s, rows, p.upper);
  return p;
}

std::vector<std::vector<double>> FittedMonotoneRegression::sample(std::span<const double> x, int count,
                                                                  std::uint64_t seed) const {
  const Places at = places(*state_, x);
  const Matrix g = draws(*state_, count, seed);
  std::vector<std::vector<double>> result;
  for (Index s = 0; s < g.cols(); ++s)
    result.push_back(evaluate(*state_, state_->source.map->value(g.col(s)), at));
  return result;
}

Curve FittedMonotoneRegression::draw_band(std::span<const double> x, double interval, int count,
                                          std::uint64_t seed) const {
  const auto levels = central_levels(interval);
  const auto paths = sample(x, count, seed);
  std::vector<double> at(paths.size());
  Curve curve;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t s = 0; s < paths.size(); ++s) at[s] = paths[s][i];
    curve.estimate.push_back(quantile(at, 0.5));
    curve.lower.push_back(quantile(at, levels[0]));
    curve.upper.push_back(quantile(at, levels[1]));
  }
  return curve;
}

std::vector<std::vector<double>> FittedMonotoneRegression::sample_latent(std::span<const double> x, int count,
                                                                         std::uint64_t seed) const {
  const Matrix g = draws(*state_, count, seed);
  const double unit = latent_unit(*state_);
  const Places at = places(*state_, x);
  std::vector<std::vector<double>> result(static_cast<std::size_t>(count));
  for (Index s = 0; s < g.cols(); ++s) {
    for (const double t : at.inside) {
      result[static_cast<std::size_t>(s)].push_back(unit * state_->source.latent(t, g.col(s)));
    }
  }
  return result;
}

Curve FittedMonotoneRegression::latent(std::span<const double> x, double interval) const {
  const auto levels = ends(interval);
  const double unit = latent_unit(*state_);
  const Matrix phi = latent_features(*state_, places(*state_, x));
  const Vector centre = unit * (phi.transpose() * state_->posterior->estimate());
  const Matrix band = unit * state_->posterior->linear_quantiles(phi, levels);
  return {to_std(centre), to_std(band.col(0)), to_std(band.col(1))};
}

namespace {

// Features whose values are the slopes of others.
class Slopes final : public Features {
 public:
  explicit Slopes(std::shared_ptr<const Features> of) : of_(std::move(of)) {}
  [[nodiscard]] Index size() const override { return of_->size(); }
  void evaluate(double x, VectorRef phi) const override { of_->derivative(x, phi); }
  void derivative(double, VectorRef phi) const override { phi.setZero(); }  // nothing lies beyond the data
  [[nodiscard]] Vector values(std::span<const double> x, const Vector& kappa, int threads) const override {
    return of_->slopes(x, kappa, threads);
  }

 private:
  std::shared_ptr<const Features> of_;
};

// nu' where f^2 is nu'': quadratic in the coordinates, as nu is. Beyond the data it is that of the edge.
Curve slope_curve(const FittedRegressionState& s, const Places& at, std::span<const double> levels,
                  double unit) {
  SourceModel slopes = s.source;
  slopes.features = std::make_shared<Slopes>(s.source.features);
  const Places inside(at.inside);
  const Vector centre = slopes.features->values(inside.inside, s.posterior->point_coefficients(*s.source.map),
                                                s.options.threads);
  Matrix band = s.posterior->quantiles(slopes, inside, levels, s.options.threads);
  if (shape_of(s.options).monotone) band = band.cwiseMax(0);  // no draw falls
  return {to_std(unit * centre), to_std(unit * band.col(0)), to_std(unit * band.col(1))};
}

}  // namespace

Curve FittedMonotoneRegression::derivative(std::span<const double> x, double interval) const {
  const FittedRegressionState& s = *state_;
  const double unit = s.scaling.y_scale / s.scaling.x_half;
  const auto levels = ends(interval, unit);
  const Places at = places(s, x);
  if (shape_of(s.options).curvature != 0) return slope_curve(s, at, levels, unit);
  Matrix slope(s.source.features->size(), static_cast<Index>(x.size()));
  for (Index i = 0; i < slope.cols(); ++i) {
    s.source.features->derivative(at.inside[static_cast<std::size_t>(i)], slope.col(i));
  }
  const Vector centre = unit * (slope.transpose() * s.posterior->point_coefficients(*s.source.map));
  if (!s.source.basis) {
    // nu' is linear in g, and so is kappa.
    const Matrix jac = s.source.map->jacobian(s.posterior->estimate());
    const Matrix band = unit * s.posterior->linear_quantiles(jac.transpose() * slope, levels);
    return {to_std(centre), to_std(band.col(0)), to_std(band.col(1))};
  }
  // nu' = f^2 (or -f^2): the squares of what f may be.
  Curve curve = latent(x, interval);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double low = curve.lower[i] * curve.lower[i];
    const double high = curve.upper[i] * curve.upper[i];
    const bool crosses = curve.lower[i] < 0 && curve.upper[i] > 0;
    curve.estimate[i] *= curve.estimate[i];
    curve.lower[i] = crosses ? 0 : std::min(low, high);
    curve.upper[i] = std::max(low, high);
    if (unit < 0) {
      curve.estimate[i] = -curve.estimate[i];
      curve.lower[i] = -std::exchange(curve.upper[i], -curve.lower[i]);
    }
    // The slope of the mean source is E f^2, which is more than the square of E f.
    if (s.posterior->point_estimate() == "mean") curve.estimate[i] = centre[static_cast<Index>(i)];
  }
  return curve;
}

double FittedMonotoneRegression::noise() const {
  if (!state_->response->has_units()) return std::nan("");
  return GaussianResponse::noise(state_->eta()) * std::abs(state_->scaling.y_scale);
}
std::vector<double> FittedMonotoneRegression::noise(std::span<const double> x) const {
  std::vector<double> result(x.size(), noise());
  const auto eta = state_->eta_at(places(*state_, x));
  for (std::size_t i = 0; i < x.size() && state_->noise; ++i)
    result[i] = GaussianResponse::noise(eta(i)) * std::abs(state_->scaling.y_scale);
  return result;
}
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
