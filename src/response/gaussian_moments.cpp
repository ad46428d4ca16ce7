#include "response/gaussian_moments.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <utility>

#include "response/gaussian.hpp"

namespace linkgistic {

struct GaussianMoments::Cache {
  std::once_flag once;
  Matrix root;
};

GaussianMoments::GaussianMoments() : cache_(std::make_shared<Cache>()) {}

GaussianMoments::GaussianMoments(std::shared_ptr<const Features> features)
    : features_(std::move(features)),
      gram_(Matrix::Zero(features_->size(), features_->size())),
      y_phi_(Vector::Zero(features_->size())),
      cache_(std::make_shared<Cache>()) {}

GaussianMoments::GaussianMoments(std::shared_ptr<const Features> features, FeatureSums sums, double y_square,
                                 double total)
    : features_(std::move(features)),
      gram_(std::move(sums.gram)),
      y_phi_(std::move(sums.linear)),
      y_square_(y_square),
      total_(total),
      cache_(std::make_shared<Cache>()) {}

void GaussianMoments::add(std::span<const double> x, std::span<const double> y,
                          std::span<const double> weight, int threads) {
  std::vector<double> w(weight.begin(), weight.end());
  if (w.empty()) w.assign(x.size(), 1.0);
  std::vector<double> wy(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    wy[n] = w[n] * y[n];
    y_square_ += wy[n] * y[n];
    total_ += w[n];
  }
  const FeatureSums sums = features_->sums(x, wy, w, threads);
  gram_ += sums.gram;
  y_phi_ += sums.linear;
  cache_ = std::make_shared<Cache>();
}

void GaussianMoments::add(const GaussianMoments& other) {
  gram_ += other.gram_;
  y_phi_ += other.y_phi_;
  y_square_ += other.y_square_;
  total_ += other.total_;
  cache_ = std::make_shared<Cache>();
}

GaussianMoments GaussianMoments::with_y_scaled(double shift, double factor) const {
  GaussianMoments result = *this;
  result.y_square_ = factor * factor * (y_square_ - shift * (2 * y_phi_[0] - shift * total_));
  result.y_phi_ = factor * (y_phi_ - shift * gram_.col(0));
  result.cache_ = std::make_shared<Cache>();
  return result;
}

std::vector<HyperParameter> GaussianMoments::hyper_parameters() const {
  return GaussianResponse().hyper_parameters();
}

const Matrix& GaussianMoments::root() const {
  std::call_once(cache_->once, [&] {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram_);
    const Vector& e = eigen.eigenvalues();
    const double rounding =
        e.maxCoeff() * static_cast<double>(e.size()) * std::numeric_limits<double>::epsilon();
    cache_->root = e.cwiseMax(rounding).cwiseSqrt().asDiagonal() * eigen.eigenvectors().transpose();
  });
  return cache_->root;
}

double GaussianMoments::squared_error(const Vector& kappa) const {
  return std::fmax(0.0, y_square_ - 2 * y_phi_.dot(kappa) + (root() * kappa).squaredNorm());
}

double GaussianMoments::value(const Vector& kappa, const Vector& eta) const {
  const double log_norm = eta[0] - std::log(2 * std::numbers::pi);
  return (total_ * log_norm - std::exp(eta[0]) * squared_error(kappa)) / 2;
}

DataDerivatives GaussianMoments::derivatives(const Vector& kappa, const Vector& eta) const {
  const DataGradient first = gradient(kappa, eta, true);
  return {first.value, first.kappa, -std::exp(eta[0]) * gram_};
}

DataGradient GaussianMoments::gradient(const Vector& kappa, const Vector& eta, bool) const {
  const double alpha = std::exp(eta[0]);
  const Vector image = root() * kappa;
  const double square = std::fmax(0.0, y_square_ - 2 * y_phi_.dot(kappa) + image.squaredNorm());
  DataGradient result;
  result.kappa = alpha * (y_phi_ - root().transpose() * image);
  result.value = (total_ * (eta[0] - std::log(2 * std::numbers::pi)) - alpha * square) / 2;
  result.eta = Vector::Constant(1, (total_ - alpha * square) / 2);
  return result;
}

Vector GaussianMoments::third(const Vector& kappa, const Vector&, const Matrix&) const {
  return Vector::Zero(kappa.size());  // l''' = 0
}

QuadraticBound GaussianMoments::quadratic_bound(const Vector&, const Matrix&, const Vector& eta) const {
  const double alpha = std::exp(eta[0]);
  return {(total_ * (eta[0] - std::log(2 * std::numbers::pi)) - alpha * y_square_) / 2, alpha * y_phi_,
          alpha * gram_};
}

QuadraticBound GaussianMoments::quadratic_bound_derivative(const Vector& eta, Index) const {
  const double alpha = std::exp(eta[0]);
  return {(total_ - alpha * y_square_) / 2, alpha * y_phi_, alpha * gram_};
}

DataDerivatives GaussianMoments::hyper_derivatives(const Vector& kappa, const Vector& eta, Index) const {
  // In eta = log alpha, gradient and curvature are proportional to alpha.
  DataDerivatives d = derivatives(kappa, eta);
  d.value = (total_ - std::exp(eta[0]) * squared_error(kappa)) / 2;
  return d;
}

}  // namespace linkgistic
