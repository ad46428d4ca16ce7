#include "response/gaussian_moments.hpp"

#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <utility>

#include "numeric/decompositions.hpp"
#include "response/gaussian.hpp"

namespace linkgistic {

struct GaussianMoments::Cache {
  std::once_flag once;
  Square square;
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

const GaussianMoments::Square& GaussianMoments::square() const {
  std::call_once(cache_->once, [&] {
    const SymmetricEigen eigen(gram_);
    const double rounding = eigen.eigenvalues().maxCoeff() * static_cast<double>(gram_.rows()) *
                            std::numeric_limits<double>::epsilon();
    const Vector size = eigen.eigenvalues().cwiseMax(rounding).cwiseSqrt();
    Square& s = cache_->square;
    s.root = size.asDiagonal() * eigen.eigenvectors().transpose();
    if (size.minCoeff() > 0) {
      s.centre = (eigen.eigenvectors().transpose() * y_phi_).cwiseQuotient(size);
    } else {  // no rows
      s.centre = Vector::Zero(size.size());
    }
    s.gram = s.root.transpose() * s.root;
    s.rest = std::fmax(0.0, y_square_ - s.centre.squaredNorm());
  });
  return cache_->square;
}

Vector GaussianMoments::residual(const Vector& kappa) const {
  return square().centre - square().root * kappa;
}

double GaussianMoments::squared_error(const Vector& kappa) const {
  return square().rest + residual(kappa).squaredNorm();
}

double GaussianMoments::value(const Vector& kappa, const Vector& eta) const {
  const double log_norm = eta[0] - std::log(2 * std::numbers::pi);
  return (total_ * log_norm - std::exp(eta[0]) * squared_error(kappa)) / 2;
}

DataDerivatives GaussianMoments::derivatives(const Vector& kappa, const Vector& eta) const {
  const DataGradient first = gradient(kappa, eta, true);
  return {first.value, first.kappa, -std::exp(eta[0]) * square().gram};
}

DataGradient GaussianMoments::gradient(const Vector& kappa, const Vector& eta, bool) const {
  const double alpha = std::exp(eta[0]);
  const Vector left = residual(kappa);
  const double error = square().rest + left.squaredNorm();
  DataGradient result;
  result.kappa = alpha * (square().root.transpose() * left);
  result.value = (total_ * (eta[0] - std::log(2 * std::numbers::pi)) - alpha * error) / 2;
  result.eta = Vector::Constant(1, (total_ - alpha * error) / 2);
  return result;
}

Vector GaussianMoments::third(const Vector& kappa, const Vector&, const Matrix&) const {
  return Vector::Zero(kappa.size());  // l''' = 0
}

// (total log_norm - alpha sum w (y - nu)^2)/2.
QuadraticBound GaussianMoments::bound(double alpha, double log_norm) const {
  const Square& s = square();
  return {.constant = (total_ * log_norm - alpha * y_square_) / 2,
          .linear = alpha * y_phi_,
          .gram = alpha * s.gram,
          .top = (total_ * log_norm - alpha * s.rest) / 2,
          .centre = std::sqrt(alpha) * s.centre,
          .root = std::sqrt(alpha) * s.root};
}

QuadraticBound GaussianMoments::quadratic_bound(const Vector&, const Matrix&, const Vector& eta) const {
  return bound(std::exp(eta[0]), eta[0] - std::log(2 * std::numbers::pi));
}

QuadraticBound GaussianMoments::quadratic_bound_derivative(const Vector& eta, Index) const {
  return bound(std::exp(eta[0]), 1);
}

DataDerivatives GaussianMoments::hyper_derivatives(const Vector& kappa, const Vector& eta, Index) const {
  // In eta = log alpha, gradient and curvature are proportional to alpha.
  DataDerivatives d = derivatives(kappa, eta);
  d.value = (total_ - std::exp(eta[0]) * squared_error(kappa)) / 2;
  return d;
}

}  // namespace linkgistic
