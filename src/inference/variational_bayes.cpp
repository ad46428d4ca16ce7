#include "inference/variational_bayes.hpp"

#include <Eigen/Cholesky>
#include <limits>
#include <utility>

namespace linkgistic {
namespace {

// Of the bound: in the search, where a gradient to four digits will do, and of what is returned.
constexpr double search_tolerance = 1e-6;
constexpr double final_tolerance = 1e-9;

}  // namespace

VariationalBayes::Evaluation VariationalBayes::evaluate(const Vector& theta, const Vector& mean,
                                                        const Matrix& covariance, double tolerance) const {
  bayes_.ask_stop();
  const auto n_source = static_cast<Index>(bayes_.family().hyper_parameters().size());
  Evaluation result{bayes_.family().at(theta.head(n_source)), {}, {}};
  const auto data = bayes_.data_for(result.source);
  const LogJoint joint(result.source, *data, theta.tail(theta.size() - n_source));
  result.q = maximise_bound(joint, mean, covariance, {.tolerance = tolerance});
  if (bayes_.family().basis_moves()) return result;
  VariationalBound bound(joint);
  const WhiteGaussian q = to_white(joint, result.q.mean, result.q.covariance);
  bound.touch(q);
  result.gradient = bound.hyper_gradient(q);
  return result;
}

VariationalBayesFit VariationalBayes::fit(const LaplaceFit& start, const std::vector<bool>& learn) const {
  const GaussianPosterior laplace = bayes_.posterior(start, std::vector<bool>(learn.size(), false));
  VariationalBayesFit fit;
  fit.theta = start.theta;
  fit.stop = "converged";
  Vector mean = laplace.mode();
  Matrix covariance = laplace.factor() * laplace.factor().transpose();
  if (!bayes_.family().basis_moves() && !positions(learn).empty()) {
    double best = -std::numeric_limits<double>::infinity();
    const MaximiseResult result =
        bayes_.maximise_learned(start.theta, learn, [&](const Vector& theta, Vector& gradient) {
          const Evaluation at = evaluate(theta, mean, covariance, search_tolerance);
          const double value = at.q.bound + bayes_.log_hyper_prior(theta, &gradient);
          gradient += at.gradient;
          fit.trace.push_back(value);
          if (value > best) {
            best = value;
            mean = at.q.mean;
            covariance = at.q.covariance;
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
  Evaluation last = evaluate(fit.theta, mean, covariance, final_tolerance);
  fit.source = std::move(last.source);
  fit.q = std::move(last.q);
  fit.log_hyper_prior = bayes_.log_hyper_prior(fit.theta, nullptr);
  if (!fit.q.converged) {
    fit.converged = false;
    fit.stop = "the bound still rises";
  }
  return fit;
}

double VariationalBayes::bound(const Vector& theta, const VariationalBayesFit& near) const {
  return evaluate(theta, near.q.mean, near.q.covariance, search_tolerance).q.bound;
}

// (D, learned): a root of the covariance that the hyper-parameters' uncertainty adds to the mean.
Matrix VariationalBayes::hyper_spread(const VariationalBayesFit& fit,
                                      const std::vector<bool>& learned) const {
  constexpr double step = 0.03;  // wide, since the mean of a converged q is good to the root of its tolerance
  const std::vector<Index> which = positions(learned);
  const auto n = static_cast<Index>(which.size());
  if (n == 0 || bayes_.family().basis_moves()) return Matrix(fit.source.dimension(), 0);
  Matrix d_mean(fit.source.dimension(), n), curvature(n, n);
  for (Index k = 0; k < n; ++k) {
    Vector gradient[2], mean[2];
    for (const int side : {0, 1}) {
      Vector theta = fit.theta;
      theta[which[static_cast<std::size_t>(k)]] += side == 0 ? -step : step;
      const Evaluation at = evaluate(theta, fit.q.mean, fit.q.covariance, final_tolerance);
      (void)bayes_.log_hyper_prior(theta, &gradient[side]);
      gradient[side] += at.gradient;
      mean[side] = at.q.mean;
    }
    d_mean.col(k) = (mean[1] - mean[0]) / (2 * step);
    curvature.col(k) = -(gradient[1] - gradient[0])(which) / (2 * step);
  }
  return d_mean * bayes_.hyper_root(curvature, which);
}

VariationalPosterior VariationalBayes::posterior(const VariationalBayesFit& fit,
                                                 const std::vector<bool>& learned) const {
  const auto free = fit.source.prior.free_coordinates();
  const Matrix root = hyper_spread(fit, learned)(free, Eigen::all);
  const Matrix covariance = Matrix(fit.q.covariance(free, free)) + root * root.transpose();
  Matrix factor = Matrix::Zero(fit.source.dimension(), covariance.rows());
  factor(free, Eigen::all) = Matrix(Eigen::LLT<Matrix>(covariance).matrixL());
  return {fit.q.mean, std::move(factor)};
}

}  // namespace linkgistic
