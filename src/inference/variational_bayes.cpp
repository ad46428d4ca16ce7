#include "inference/variational_bayes.hpp"

#include <limits>
#include <utility>

#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

// Tolerances of the bound: in the search a gradient to four digits is enough; the result is more exact.
constexpr VariationalOptions in_search{.tolerance = 1e-6};
constexpr VariationalOptions in_the_end{.tolerance = 1e-9};

// What the data add to the prior's precision at a mode, no less than nothing in any direction.
Matrix laplace_precision(const LaplaceFit& fit) {
  const SymmetricEigen eigen(fit.mode.whitened_hessian);
  const auto free = fit.source.prior.free_coordinates();
  const Vector inverse_sd = (0.5 * fit.source.prior.log_precision(free)).array().exp();
  const Matrix root = inverse_sd.asDiagonal() * eigen.eigenvectors();
  return root * (eigen.eigenvalues().array() - 1).max(0).matrix().asDiagonal() * root.transpose();
}

struct BoundEvaluation {
  SourceModel source;
  VariationalFit q;
  Vector gradient;  // of the bound in theta
};

BoundEvaluation evaluate(const Problem& problem, const Vector& theta, const GaussianSite& start,
                         const VariationalOptions& options) {
  BoundEvaluation result{problem.source_at(theta), {}, {}};
  const auto data = problem.data_for(result.source);
  const LogJoint joint(result.source, *data, problem.eta(theta));
  result.q = maximise_bound(joint, start, options);
  if (problem.basis_moves()) return result;
  VariationalBound bound(joint);
  const WhiteGaussian q = to_white(joint, result.q);
  bound.touch(q);
  result.gradient = bound.hyper_gradient(q);
  return result;
}

// (P, learned): a root of the covariance that the hyper-parameters' uncertainty gives E kappa.
Matrix hyper_spread(const Problem& problem, const VariationalBayesFit& fit, const LearnOptions& options) {
  constexpr double step = 0.03;  // wide, since a converged q is good to the root of its tolerance
  const std::vector<Index> which = problem.learned_places();
  const auto n = static_cast<Index>(which.size());
  const QuadraticMap& map = *fit.source.map;
  if (n == 0 || problem.basis_moves()) return Matrix(map.outputs(), 0);
  Matrix d_kappa(map.outputs(), n), curvature(n, n);
  for (Index k = 0; k < n; ++k) {
    Vector gradient[2], kappa[2];
    for (const int side : {0, 1}) {
      Vector theta = fit.theta;
      theta[which[static_cast<std::size_t>(k)]] += side == 0 ? -step : step;
      options.poll_stop();
      const BoundEvaluation at = evaluate(problem, theta, fit.q.site, in_the_end);
      (void)problem.log_hyper_prior(theta, &gradient[side]);
      gradient[side] += at.gradient;
      kappa[side] = map.value(at.q.mean) + map.trace(at.q.covariance) / 2;
    }
    d_kappa.col(k) = (kappa[1] - kappa[0]) / (2 * step);
    curvature.col(k) = -(gradient[1] - gradient[0])(which) / (2 * step);
  }
  return d_kappa * hyper_root(problem, curvature);
}

}  // namespace

VariationalBayesFit learn_bound(const Problem& problem, const LaplaceFit& start,
                                const LearnOptions& options) {
  options.poll_stop();
  VariationalBayesFit fit;
  fit.theta = start.theta;
  fit.stop = "converged";
  // From a mode to the q around it, before anything else moves.
  const auto data = problem.data_for(start.source);
  const LogJoint joint(start.source, *data, problem.eta(start.theta));
  VariationalOptions from_mode = in_search;
  from_mode.from_mode = true;
  GaussianSite site =
      maximise_bound(joint, site_at(joint, start.mode.g, laplace_precision(start)), from_mode).site;
  if (!problem.basis_moves() && !problem.learned_places().empty()) {
    double best = -std::numeric_limits<double>::infinity();
    const MaximiseResult result =
        maximise_learned(problem.from(start.theta), options, [&](const Vector& theta, Vector& gradient) {
          options.poll_stop();
          const BoundEvaluation at = evaluate(problem, theta, site, in_search);
          const double value = at.q.bound + problem.log_hyper_prior(theta, &gradient);
          gradient += at.gradient;
          fit.trace.push_back(value);
          options.report("variational", value);
          if (value > best) {
            best = value;
            site = at.q.site;
          }
          return value;
        });
    fit.theta = result.x;
    fit.stop = result.stop;
    fit.converged = result.converged;
    fit.evaluations = result.evaluations;
  } else {
    fit.converged = true;
    fit.evaluations = 1;
  }
  BoundEvaluation last = evaluate(problem, fit.theta, site, in_the_end);
  fit.source = std::move(last.source);
  fit.q = std::move(last.q);
  fit.log_hyper_prior = problem.log_hyper_prior(fit.theta, nullptr);
  if (!fit.q.converged) {
    fit.converged = false;
    fit.stop = "the bound still rises";
  }
  return fit;
}

double bound_at(const Problem& problem, const Vector& theta, const VariationalBayesFit& near,
                const LearnOptions& options) {
  options.poll_stop();
  if (!problem.basis_moves()) return evaluate(problem, theta, near.q.site, in_search).q.bound;
  // Another basis has other coordinates, perhaps another number of them: q begins at the mode there.
  const Problem held = problem.from(theta).held();
  return learn_bound(held, learn(held, options), options).q.bound;
}

VariationalPosterior variational_posterior(const Problem& problem, const VariationalBayesFit& fit,
                                           const LearnOptions& options) {
  const auto free = fit.source.prior.free_coordinates();
  const Matrix covariance = fit.q.covariance(free, free);
  Matrix factor = Matrix::Zero(fit.source.dimension(), covariance.rows());
  factor(free, Eigen::all) = Cholesky(covariance).lower();
  return {fit.q.mean, std::move(factor), hyper_spread(problem, fit, options)};
}

}  // namespace linkgistic
