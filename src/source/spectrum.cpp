#include "source/spectrum.hpp"

#include <cmath>
#include <limits>

namespace linkgistic {
namespace {

// A positive size, learned in its logarithm about the value that it starts from.
HyperParameter positive(const char* name, double start, double sd, Unit unit, const char* meaning) {
  const HyperPriors p;
  return {.name = name,
          .coordinate = Coordinate::log,
          .start = start,
          .lower = p.least,
          .upper = p.most,
          .prior_mean = std::log(start),
          .prior_sd = sd,
          .unit = unit,
          .meaning = meaning};
}

// The logarithm of the share of harmonic m in the variance, and its derivative in l = log a.
struct Share {
  double log_share, slope;
};

// (1 + (m l)^2 / (2 p))^-p, p = nu + 1/2: the spectral density of the Matern kernel of order nu, and for p to
// infinity that of the squared exponential.
Share matern(double p, double m, double l) {
  const double u = m * m * l * l / (2 * p);
  return {-p * std::log1p(u), -m * m * l / (1 + u)};
}

Share share_of(SpectrumKind shape, int m, double l) {
  const double n = m;
  switch (shape) {
    case SpectrumKind::matern12:
      return matern(1, n, l);
    case SpectrumKind::matern32:
      return matern(2, n, l);
    case SpectrumKind::matern52:
      return matern(3, n, l);
    case SpectrumKind::squared_exponential:
      return {-n * n * l * l / 2, -n * n * l};
    default:
      return {-n * l, -n};
  }
}

}  // namespace

HyperLayout hyper_layout(PriorKind kind) {
  if (kind == PriorKind::offset) return {.a = 0, .amplitude = 2, .gamma = 3, .mu = 4, .v = 1};
  return {.a = 0, .amplitude = 1, .gamma = 2, .mu = 3, .v = std::nullopt};
}

std::vector<HyperParameter> prior_hyper_parameters(PriorKind kind, bool pinned_origin, bool twice) {
  const HyperPriors p;
  const Unit slope{-1, 1}, square{twice ? -2 : -1, 1};  // the latter of f^2
  const HyperParameter a{.name = "a",
                         .coordinate = Coordinate::log_minus_one,
                         .start = p.decay,
                         .lower = 1.02,
                         .upper = 100,
                         .prior_mean = std::log(p.decay - 1),
                         .prior_sd = p.decay_sd,
                         .meaning = "decay of the harmonics, above 1: greater is smoother"};
  HyperParameter b = positive("b", p.amplitude, p.amplitude_sd, square,
                              twice ? "scale of the curvature a priori, in {y} per {x}^2"
                                    : "scale of the slope a priori, in {y} per {x}");
  if (kind == PriorKind::gp) {
    b.unit = {0, 2};
    b.meaning = "scale of the curve's variance a priori, in {y}^2";
  }
  const HyperParameter v{.name = "v",
                         .coordinate = Coordinate::logit,
                         .start = p.share,
                         .lower = 1e-6,
                         .upper = 0.999,
                         .prior_mean = 0,
                         .prior_sd = p.share_sd,
                         .meaning = twice ? "share of the curvature free to change: near 0 a parabola"
                                          : "share of the slope free to bend: near 0 a straight line"};
  const HyperParameter s =
      positive("scale", p.slope, p.slope_sd, square,
               twice ? "mean curvature a priori, in {y} per {x}^2" : "mean slope a priori, in {y} per {x}");
  HyperParameter gamma = positive("gamma", p.level_precision, p.level_precision_sd, {0, -2},
                                  "1 / (variance of the level a priori), in 1/{y}^2");
  if (pinned_origin) {
    gamma.used = false;
    gamma.meaning = "not used with a shifted origin";
  }
  const HyperParameter mu{.name = "mu",
                          .coordinate = Coordinate::identity,
                          .start = 0,
                          .lower = -p.most,
                          .upper = p.most,
                          .prior_mean = 0,
                          .prior_sd = p.level_sd,
                          .unit = {0, 1},
                          .reading = Reading::level,
                          .meaning = "level a priori, in {y}"};
  std::vector<HyperParameter> all = {a, b, gamma, mu};
  if (kind == PriorKind::offset) all = {a, v, s, gamma, mu};
  if (twice)
    all.push_back(positive("slope", p.slope, p.slope_sd, slope,
                           "size a priori of the slope where it begins, in {y} per {x}"));
  return all;
}

Spectrum trig_spectrum(PriorKind kind, SpectrumKind shape, int harmonics, const Vector& theta) {
  const HyperLayout at = hyper_layout(kind);
  const Index n_hyper = theta.size();
  Spectrum s;
  s.lowest = kind == PriorKind::offset ? 0 : 1;
  const Index count = harmonics - s.lowest + 1;
  s.log_variance.resize(count);
  s.d_log_variance = Matrix::Zero(count, n_hyper);
  s.d_mean = Vector::Zero(n_hyper);
  s.d_mean_square = Vector::Zero(n_hyper);

  // l = log a = log(1 + e^theta), dl/dtheta = (a - 1)/a; z is the sum of the shares.
  const double log_a = std::log1p(std::exp(theta[at.a]));
  const double d_log_a = -std::expm1(-log_a);
  double z = 0;
  double d_z = 0;  // in theta
  const double amplitude = std::exp(theta[at.amplitude]);
  for (int m = s.lowest; m <= harmonics; ++m) {
    const Index row = m - s.lowest;
    const Share share = share_of(shape, m, log_a);
    s.log_variance[row] = theta[at.amplitude] + share.log_share;
    s.d_log_variance(row, at.amplitude) = 1;
    s.d_log_variance(row, at.a) = share.slope * d_log_a;
    z += std::exp(share.log_share);
    d_z += std::exp(share.log_share) * share.slope * d_log_a;
  }
  if (!at.v) {
    s.mean_square = amplitude * z;
    s.d_mean_square[at.amplitude] = s.mean_square;
    s.d_mean_square[at.a] = amplitude * d_z;
    return s;
  }
  // lambda_m = s v share_m / z, and the mean of the constant is sqrt(s (1 - v)).
  const double v = 1 / (1 + std::exp(-theta[*at.v]));
  s.log_variance.array() += std::log(v) - std::log(z);
  s.d_log_variance.col(*at.v).setConstant(1 - v);
  s.d_log_variance.col(at.a).array() -= d_z / z;
  s.mean = std::sqrt(amplitude * (1 - v));
  s.d_mean[at.amplitude] = s.mean / 2;
  s.d_mean[*at.v] = -s.mean * v / 2;
  s.mean_square = amplitude;
  s.d_mean_square[at.amplitude] = amplitude;
  return s;
}

void set_intercept(const HyperLayout& at, const Vector& theta, const Spectrum& spectrum,
                   std::optional<double> pinned_origin, Index level, GaussianPrior& prior) {
  prior.mean[level] = theta[at.mu];
  prior.d_mean(level, at.mu) = 1;
  if (pinned_origin) {
    prior.mean[level] += *pinned_origin * spectrum.mean_square;
    prior.d_mean.row(level) += *pinned_origin * spectrum.d_mean_square.transpose();
    prior.log_precision[level] = std::numeric_limits<double>::infinity();
  } else {
    prior.log_precision[level] = theta[at.gamma];
    prior.d_log_precision(level, at.gamma) = 1;
  }
}

}  // namespace linkgistic
