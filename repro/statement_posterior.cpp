// Section 4 of the paper on posteriors of fits to the toys: predictive mean, Jensen's bound, the evidence and
// how the mode moves with a hyper-parameter.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "inference/learn.hpp"
#include "numeric/decompositions.hpp"
#include "numeric/logistic.hpp"
#include "repro/statements.hpp"
#include "repro/statistics.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian_moments.hpp"
#include "response/pointwise_data.hpp"
#include "source/spectrum.hpp"
#include "source/trig_source.hpp"
#include "table/toys.hpp"

namespace linkgistic::repro {
namespace {

constexpr int toy_pairs = 8;
constexpr double toy_frequency = 0.5;

/// A toy of the paper with its rows in [-1, 1], hyper-parameters held where a fit begins.
struct HeldFit {
  HeldFit(PriorKind kind, bool gaussian)
      : family(kind, toy_pairs, toy_frequency),
        toy(gaussian ? regression_toy(40, 1) : classification_toy(100, 1)) {
    for (double& x : toy.x) x = x / 50 - 1;
    if (gaussian) {
      for (double& y : toy.y) y = (y - 10) / 8;
    }
    theta = start_theta(family.hyper_parameters());
    source = family.at(theta);
    if (gaussian) {
      auto moments = std::make_shared<GaussianMoments>(source.features);
      moments->add(toy.x, toy.y, {}, 1);
      data = moments;
      eta = start_theta(data->hyper_parameters());
    } else {
      data = std::make_shared<PointwiseData>(source.features, std::make_shared<BernoulliResponse>(), toy.x,
                                             toy.y, std::vector<double>(), 1);
    }
    mode = mode_at(source);
  }

  [[nodiscard]] Mode mode_at(const SourceModel& at) const {
    const LogJoint joint(at, *data, eta);
    return find_best_mode(joint, start_points(at, {}, 4, 1), {});
  }
  [[nodiscard]] GaussianPosterior posterior() const {
    LaplaceFit fit;
    fit.theta = eta;  // all that the problem of one source has
    fit.source = source;
    fit.mode = mode;
    return laplace_posterior(Problem(source, data, {}).held(), fit);
  }

  TrigSource family;
  Toy toy;
  Vector theta, eta;
  SourceModel source;
  std::shared_ptr<const DataTerm> data;
  Mode mode;
};

/// The lemma's mean, right and as printed, against draws from the posterior.
Statement predictive_mean(int count) {
  const HeldFit fit(PriorKind::isgp, true);
  const GaussianPosterior q = fit.posterior();
  const Matrix draws = q.draw(count, 3);
  const Vector mean = q.mean_coefficients(*fit.source.map);
  const Index weights = fit.source.dimension() - 1;
  const Vector w = fit.mode.g.head(weights);
  const Matrix sigma = q.factor() * q.factor().transpose();
  const double printed_term = w.dot(sigma.topLeftCorner(weights, weights) * w);
  double error = 0, printed = 0;
  for (const double x : {-0.9, -0.3, 0.4, 0.8}) {
    const Vector phi = fit.source.features->at(x);
    std::vector<double> nu;
    for (Index s = 0; s < draws.cols(); ++s) nu.push_back(fit.source.map->value(draws.col(s)).dot(phi));
    const MeanError of_draws = mean_error(nu);
    // w'psi(x)w is nu of the mode without nu0.
    const double quadratic = fit.source.map->value(fit.mode.g).dot(phi) - fit.mode.g[weights];
    error = std::max(error, std::abs(mean.dot(phi) - of_draws.mean) / of_draws.error);
    printed = std::max(printed,
                       std::abs(mean.dot(phi) - quadratic + printed_term - of_draws.mean) / of_draws.error);
  }
  return {"lemma predictive mean",
          "Lemma of the predictive mean",
          "E \u03BD(x) = \u03BD0 + tr(\u03C8(x)\u03A3) + w'\u03C8(x)w under the Laplace posterior",
          "largest difference from the mean of draws, in standard errors",
          error,
          4.5,
          "the last term as printed, w'\u03A3w",
          printed,
          "the last term is w'\u03C8(x)w."};
}

/// The loss of the mean source against the mean loss over draws.
Statement posterior_jensen(int count) {
  const HeldFit fit(PriorKind::isgp, false);
  const GaussianPosterior q = fit.posterior();
  const Matrix draws = q.draw(count, 4);
  const Vector mean = q.mean_coefficients(*fit.source.map);
  double mean_above = -1e300, mean_below = -1e300;
  for (const double x : {-0.9, -0.5, 0.0, 0.5, 0.9}) {
    const Vector phi = fit.source.features->at(x);
    for (const int y : {0, 1}) {
      const auto loss = [&](double nu) { return softplus(nu) - y * nu; };
      std::vector<double> values;
      for (Index s = 0; s < draws.cols(); ++s)
        values.push_back(loss(fit.source.map->value(draws.col(s)).dot(phi)));
      const MeanError of_draws = mean_error(values);
      const double gap = (loss(mean.dot(phi)) - of_draws.mean) / of_draws.error;
      mean_above = std::max(mean_above, gap);
      mean_below = std::max(mean_below, -gap);
    }
  }
  return {"theorem posterior",
          "Theorem after the predictive mean",
          "the loss of the mean source and the mean loss over the posterior",
          "largest excess of the loss of the mean source, in standard errors",
          mean_above,
          4,
          "the inequality as printed, the other way round",
          mean_below,
          "E[loss] \u2265 loss of the mean source, by Jensen's inequality; the print has \u2264."};
}

/// Laplace's evidence of a Gaussian process with Gaussian noise is exact, with its constant.
Statement evidence() {
  const HeldFit fit(PriorKind::gp, true);
  const LogJoint joint(fit.source, *fit.data, fit.eta);
  const double laplace = laplace_evidence(joint, fit.mode, 1e-300);
  const auto n = static_cast<Index>(fit.toy.x.size());
  const auto& hyper = fit.family.hyper_parameters();
  const HyperLayout at = hyper_layout(PriorKind::gp);
  const auto value = [&](Index i) { return hyper[static_cast<std::size_t>(i)].to_value(fit.theta[i]); };
  const double noise = 1 / fit.data->hyper_parameters().front().to_value(fit.eta[0]);
  Matrix covariance(n, n);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    y[i] = fit.toy.y[static_cast<std::size_t>(i)] - value(at.mu);
    for (Index j = 0; j < n; ++j) {
      covariance(i, j) =
          trig_kernel(fit.toy.x[static_cast<std::size_t>(i)], fit.toy.x[static_cast<std::size_t>(j)],
                      value(at.a), value(at.amplitude), toy_frequency, toy_pairs) +
          1 / value(at.gamma) + (i == j ? noise : 0);
    }
  }
  const Cholesky root(covariance);
  const double log_det = root.log_determinant();
  const double exact =
      -(y.dot(root.solve(y)) + log_det + static_cast<double>(n) * std::log(2 * std::numbers::pi)) / 2;
  const double constant = static_cast<double>(fit.source.dimension()) / 2 * std::log(2 * std::numbers::pi);
  return {"evidence",
          "Appendix D, marginal likelihood",
          "the Laplace evidence; of a GP with Gaussian noise it is exact",
          "difference from the exact evidence",
          std::abs(laplace - exact),
          1e-6,
          "without a constant, as printed",
          std::abs(laplace - constant - exact),
          "+ (dim \u0393)/2 log 2\u03C0, which matters when M differs."};
}

/// dGamma/dtheta by re-optimised modes, against +H^-1 d2 log p/(dGamma dtheta).
Statement implicit_derivative() {
  const HeldFit fit(PriorKind::offset, false);
  constexpr double h = 1e-4;
  const GaussianPrior& prior = fit.source.prior;
  const Index k = *hyper_layout(PriorKind::offset).v;
  Vector forward = fit.theta, backward = fit.theta;
  forward[k] += h;
  backward[k] -= h;
  const auto mode_near = [&](const Vector& theta) {
    const SourceModel at = fit.family.at(theta);
    const LogJoint joint(at, *fit.data, fit.eta);
    return find_mode(joint, fit.mode.g).g;
  };
  const Vector measured = (mode_near(forward) - mode_near(backward)) / (2 * h);
  const Vector tau = prior.log_precision.array().exp();
  const Vector cross = tau.cwiseProduct(prior.d_mean.col(k) -
                                        prior.d_log_precision.col(k).cwiseProduct(fit.mode.g - prior.mean));
  // H^-1 = S Htilde^-1 S, S the prior's standard deviations.
  const Vector sd = (-prior.log_precision / 2).array().exp();
  const Vector step =
      sd.cwiseProduct(SignedCholesky(fit.mode.whitened_hessian).solve(sd.cwiseProduct(cross)));
  const double size = measured.norm();
  return {"implicit derivative",
          "Appendix D, implicit function theorem",
          "d\u0393/d\u03B8 = H\u207B\u00B9 \u2202\u00B2 log p/(\u2202\u0393 \u2202\u03B8) at the mode",
          "relative difference from re-optimised modes",
          (measured - step).norm() / size,
          1e-4,
          "the sign as printed, -H\u207B\u00B9",
          (measured + step).norm() / size,
          "the sign is plus, H being minus the second derivative."};
}

}  // namespace

std::vector<Statement> posterior_statements(const Settings& settings) {
  const int count = settings.quick ? 4000 : 40000;
  return {predictive_mean(count), posterior_jensen(count), evidence(), implicit_derivative()};
}

}  // namespace linkgistic::repro
