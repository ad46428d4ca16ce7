// The Gaussian posterior about the mode, the learned hyper-parameters integrated out.
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "inference/empirical_bayes.hpp"

namespace linkgistic {
namespace {

// (free, free): the guarded covariance at a mode.
Matrix covariance_at(const SourceModel& source, const Mode& mode, double floor) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(mode.whitened_hessian);
  const Vector sd = (-0.5 * source.prior.log_precision(source.prior.free_coordinates())).array().exp();
  const Matrix root = sd.asDiagonal() * eigen.eigenvectors() *
                      eigen.eigenvalues().cwiseMax(floor).array().rsqrt().matrix().asDiagonal();
  return root * root.transpose();
}

// Lower triangular L with L L' the covariance, which rounding may have left with eigenvalues below 0.
Matrix lower_root(const Matrix& covariance) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(covariance);
  const Matrix root = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  const Eigen::HouseholderQR<Matrix> qr(root.transpose());  // root = L Q
  return Matrix(qr.matrixQR().triangularView<Eigen::Upper>()).transpose();
}

}  // namespace

Matrix EmpiricalBayes::hyper_root(const Matrix& curvature, const std::vector<Index>& which) const {
  // No more uncertain than their weak prior: eigenvalues in its units at least 1.
  Vector sd(curvature.rows());
  for (Index k = 0; k < sd.size(); ++k)
    sd[k] = hyper_[static_cast<std::size_t>(which[static_cast<std::size_t>(k)])].prior_sd;
  const Matrix whitened = sd.asDiagonal() * ((curvature + curvature.transpose()) / 2) * sd.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(whitened);
  return sd.asDiagonal() * eigen.eigenvectors() *
         eigen.eigenvalues().cwiseMax(1.0).array().rsqrt().matrix().asDiagonal();
}

Matrix EmpiricalBayes::hyper_curvature(const LaplaceFit& fit, const std::vector<Index>& which) const {
  constexpr double step = 1e-3;
  const auto n = static_cast<Index>(which.size());
  Matrix curvature(n, n);
  for (Index k = 0; k < n; ++k) {
    Vector gradient[2];
    for (const int side : {0, 1}) {
      Vector theta = fit.theta;
      theta[which[static_cast<std::size_t>(k)]] += side == 0 ? -step : step;
      gradient[side] = objective_gradient(theta, fit);
    }
    curvature.col(k) = -(gradient[1] - gradient[0])(which) / (2 * step);
  }
  return curvature;
}

Matrix EmpiricalBayes::hyper_covariance(const LaplaceFit& fit, const std::vector<Index>& which,
                                        const Matrix& centre) const {
  const double reach = std::sqrt(3.0);
  const double top = fit.log_evidence + fit.log_hyper_prior;
  const auto free = fit.source.prior.free_coordinates();
  Matrix sum = Matrix::Zero(centre.rows(), centre.cols());
  const Matrix directions = hyper_root(hyper_curvature(fit, which), which);
  for (Index k = 0; k < directions.cols(); ++k) {
    Matrix change = Matrix::Zero(centre.rows(), centre.cols());
    double total = 2.0 / 3;  // the weight of the middle
    for (const double side : {-reach, reach}) {
      Vector theta = fit.theta;
      theta(which) += side * directions.col(k);
      for (const Index i : which) {
        const HyperParameter& h = hyper_[static_cast<std::size_t>(i)];
        theta[i] = std::clamp(theta[i], h.to_theta(h.lower), h.to_theta(h.upper));
      }
      const SourceModel source = family_.at(theta.head(n_source_));
      const LogJoint joint(source, *fixed_data_, theta.tail(theta.size() - n_source_));
      const Mode mode = find_mode(joint, fit.mode.g);
      const double value =
          laplace_evidence(joint, mode, options_.curvature_floor) + log_hyper_prior(theta, nullptr);
      const double weight = std::exp(value - top + reach * reach / 2) / 6;
      if (!std::isfinite(weight)) continue;
      const Vector shift = mode.g(free) - fit.mode.g(free);
      change += weight *
                (covariance_at(source, mode, options_.curvature_floor) - centre + shift * shift.transpose());
      total += weight;
    }
    sum += change / total;
  }
  return sum;
}

GaussianPosterior EmpiricalBayes::posterior(const LaplaceFit& fit, const std::vector<bool>& learned) const {
  const std::vector<Index> which = positions(learned);
  Matrix covariance = covariance_at(fit.source, fit.mode, options_.curvature_floor);
  if (!family_.basis_moves() && !which.empty()) covariance += hyper_covariance(fit, which, covariance);
  const auto free = fit.source.prior.free_coordinates();
  Matrix factor = Matrix::Zero(fit.source.dimension(), covariance.cols());
  factor(free, Eigen::all) = lower_root(covariance);
  return {fit.mode.g, std::move(factor)};
}

}  // namespace linkgistic
