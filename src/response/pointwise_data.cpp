#include "response/pointwise_data.hpp"

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {

PointwiseData::PointwiseData(std::shared_ptr<const Features> features,
                             std::shared_ptr<const Response> response, std::span<const double> x,
                             std::span<const double> y, std::span<const double> weight, int threads,
                             std::span<const double> shift)
    : features_(std::move(features)),
      response_(std::move(response)),
      x_(x.begin(), x.end()),
      y_(y.begin(), y.end()),
      weight_(weight.begin(), weight.end()),
      shift_(shift.begin(), shift.end()),
      threads_(threads) {
  if (weight_.empty()) weight_.assign(x_.size(), 1.0);
  constexpr Index most_kept = 1 << 18;  // two megabytes
  const auto rows = static_cast<Index>(x_.size());
  if (features_->size() * rows > most_kept) return;
  phi_.resize(features_->size(), rows);
  for (Index n = 0; n < rows; ++n) features_->evaluate(x_[static_cast<std::size_t>(n)], phi_.col(n));
}

std::vector<HyperParameter> PointwiseData::hyper_parameters() const { return response_->hyper_parameters(); }

Vector PointwiseData::arguments(const Vector& kappa) const {
  Vector nu = features_->values(x_, kappa, threads_);
  for (std::size_t n = 0; n < shift_.size(); ++n) nu[static_cast<Index>(n)] += shift_[n];
  return nu;
}

template <class Body>
void PointwiseData::for_rows(const Vector& kappa, const Body& body) const {
  const Vector nu = arguments(kappa);
  for (std::size_t n = 0; n < x_.size(); ++n) body(n, nu[static_cast<Index>(n)], weight_[n]);
}

double PointwiseData::value(const Vector& kappa, const Vector& eta) const {
  double sum = 0;
  for_rows(kappa,
           [&](std::size_t n, double nu, double w) { sum += w * response_->at(y_[n], nu, eta).value; });
  return sum;
}

// The sums over rows of w a, and of Phi with w b and w c, of the three numbers that row(n) gives.
template <class Sums, class Row>
Sums PointwiseData::summed(const Row& row) const {
  double sum = 0;
  std::vector<double> linear(x_.size()), square(x_.size());
  for (std::size_t n = 0; n < x_.size(); ++n) {
    const auto [a, b, c] = row(n);
    sum += weight_[n] * a;
    linear[n] = weight_[n] * b;
    square[n] = weight_[n] * c;
  }
  FeatureSums sums = features_->sums(x_, linear, square, threads_);
  return {sum, std::move(sums.linear), std::move(sums.gram)};
}

DataDerivatives PointwiseData::derivatives(const Vector& kappa, const Vector& eta) const {
  const Vector nu = arguments(kappa);
  return summed<DataDerivatives>([&](std::size_t n) {
    const LogDensity l = response_->at(y_[n], nu[static_cast<Index>(n)], eta);
    return std::array{l.value, l.first, l.second};
  });
}

DataGradient PointwiseData::gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const {
  const auto rows = static_cast<Index>(x_.size());
  const bool kept = phi_.cols() == rows;
  Vector nu = kept ? Vector(phi_.transpose() * kappa) : arguments(kappa);
  for (std::size_t n = 0; kept && n < shift_.size(); ++n) nu[static_cast<Index>(n)] += shift_[n];
  DataGradient result{0, Vector(), Vector::Zero(eta.size())};
  Vector first(rows);
  for (Index n = 0; n < rows; ++n) {
    const auto i = static_cast<std::size_t>(n);
    const LogDensity l = response_->at(y_[i], nu[n], eta);
    result.value += weight_[i] * l.value;
    first[n] = weight_[i] * l.first;
    for (Index k = 0; eta_asked && k < eta.size(); ++k)
      result.eta[k] += weight_[i] * response_->hyper_derivative(y_[i], nu[n], eta, k).value;
  }
  if (kept) {
    result.kappa.noalias() = phi_ * first;
  } else {
    result.kappa = features_->linear_sum(x_, {first.data(), x_.size()}, threads_);
  }
  return result;
}

Vector PointwiseData::third(const Vector& kappa, const Vector& eta, const Matrix& t) const {
  const Vector q = features_->quadratic_forms(x_, t, threads_);
  std::vector<double> r(x_.size());
  for_rows(kappa, [&](std::size_t n, double nu, double w) {
    r[n] = w * response_->at(y_[n], nu, eta).third * q[static_cast<Index>(n)];
  });
  return features_->linear_sum(x_, r, threads_);
}

QuadraticBound PointwiseData::quadratic_bound(const Vector& kappa_mean, const Matrix& kappa_covariance,
                                              const Vector& eta) const {
  const Vector variance = features_->quadratic_forms(x_, kappa_covariance, threads_);
  const Vector nu = arguments(kappa_mean);
  return summed<QuadraticBound>([&](std::size_t n) {
    const auto i = static_cast<Index>(n);
    const double square = nu[i] * nu[i] + std::fmax(variance[i], 0.0);
    const auto bound = response_->quadratic_bound(y_[n], square, eta);
    if (!bound) {
      throw UsageError("inference = variational: no bound is known for the response '" +
                       std::string(response_->name()) + "'");
    }
    // Of nu + h, as a function of nu.
    const double h = shift_.empty() ? 0 : shift_[n];
    return QuadraticDensity{bound->constant + h * (bound->linear - bound->precision * h / 2),
                            bound->linear - bound->precision * h, bound->precision};
  });
}

QuadraticBound PointwiseData::quadratic_bound_derivative(const Vector& eta, Index i) const {
  return summed<QuadraticBound>(
      [&](std::size_t n) { return response_->quadratic_bound_derivative(y_[n], eta, i); });
}

DataDerivatives PointwiseData::hyper_derivatives(const Vector& kappa, const Vector& eta, Index i) const {
  const Vector nu = arguments(kappa);
  return summed<DataDerivatives>([&](std::size_t n) {
    const LogDensity d = response_->hyper_derivative(y_[n], nu[static_cast<Index>(n)], eta, i);
    return std::array{d.value, d.first, d.second};
  });
}

}  // namespace linkgistic
