#include "response/measure_data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {

void MeasurePoints::add(double at, double w, double shifted) {
  x.push_back(at);
  weight.push_back(w);
  if (shifted != 0 || !shift.empty()) {
    shift.resize(x.size(), 0.0);
    shift.back() = shifted;
  }
}

void MeasurePoints::merge_ties() {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [this](std::size_t i) { return std::pair(x[i], shift.empty() ? 0.0 : shift[i]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return key(i) < key(j); });
  MeasurePoints merged;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t i = order[n];
    if (n > 0 && key(i) == key(order[n - 1])) {
      merged.weight.back() += weight[i];
    } else {
      merged.add(x[i], weight[i], key(i).second);
    }
  }
  *this = std::move(merged);
}

MeasureData::MeasureData(std::shared_ptr<const Features> features,
                         std::shared_ptr<const SummedResponse> response, const MeasurePoints& a,
                         MeasurePoints b, const MeasureSums& sums, int threads)
    : features_(std::move(features)),
      response_(std::move(response)),
      b_(std::move(b)),
      sums_(sums),
      threads_(threads) {
  const double sign = response_->sign();
  linear_ = sign * features_->linear_sum(a.x, a.weight, threads_);
  for (std::size_t i = 0; i < a.shift.size(); ++i) sums_.scaled += sign * a.weight[i] * a.shift[i];
  constexpr Index most_kept = 1 << 18;  // two megabytes
  const auto points = static_cast<Index>(b_.size());
  if (features_->size() * points > most_kept) return;
  phi_.resize(features_->size(), points);
  for (Index n = 0; n < points; ++n) features_->evaluate(b_.x[static_cast<std::size_t>(n)], phi_.col(n));
}

std::vector<HyperParameter> MeasureData::hyper_parameters() const { return response_->hyper_parameters(); }

Vector MeasureData::arguments(const Vector& kappa) const {
  Vector z = phi_.cols() == static_cast<Index>(b_.size()) ? Vector(phi_.transpose() * kappa)
                                                          : features_->values(b_.x, kappa, threads_);
  for (std::size_t i = 0; i < b_.shift.size(); ++i) z[static_cast<Index>(i)] += b_.shift[i];
  return z;
}

double MeasureData::value(const Vector& kappa, const Vector& eta) const {
  const Vector z = arguments(kappa);
  double sum = 0;
  for (Index n = 0; n < z.size(); ++n)
    sum += b_.weight[static_cast<std::size_t>(n)] * response_->partition(z[n]).value;
  return response_->scale(eta) * core(kappa, sum) + sums_.constant +
         sums_.weight * response_->normaliser(eta).value;
}

DataDerivatives MeasureData::derivatives(const Vector& kappa, const Vector& eta) const {
  const Vector z = arguments(kappa);
  const double s = response_->scale(eta);
  std::vector<double> first(b_.size()), second(b_.size());
  double sum = 0;
  for (std::size_t n = 0; n < b_.size(); ++n) {
    const LogDensity b = response_->partition(z[static_cast<Index>(n)]);
    sum += b_.weight[n] * b.value;
    first[n] = -s * b_.weight[n] * b.first;
    second[n] = -s * b_.weight[n] * b.second;
  }
  FeatureSums sums = features_->sums(b_.x, first, second, threads_);
  return {s * core(kappa, sum) + sums_.constant + sums_.weight * response_->normaliser(eta).value,
          s * linear_ + sums.linear, std::move(sums.gram)};
}

DataGradient MeasureData::gradient(const Vector& kappa, const Vector& eta, bool) const {
  const Vector z = arguments(kappa);
  const double s = response_->scale(eta);
  Vector first(z.size());
  double sum = 0;
  for (Index n = 0; n < z.size(); ++n) {
    const double w = b_.weight[static_cast<std::size_t>(n)];
    const LogDensity b = response_->partition(z[n]);
    sum += w * b.value;
    first[n] = -s * w * b.first;
  }
  const double scaled = s * core(kappa, sum);
  const SummedResponse::Normaliser norm = response_->normaliser(eta);
  DataGradient result{scaled + sums_.constant + sums_.weight * norm.value, s * linear_,
                      Vector::Constant(eta.size(), scaled + sums_.weight * norm.slope)};
  if (phi_.cols() == z.size()) {
    result.kappa.noalias() += phi_ * first;
  } else {
    result.kappa += features_->linear_sum(b_.x, {first.data(), b_.size()}, threads_);
  }
  return result;
}

Vector MeasureData::third(const Vector& kappa, const Vector& eta, const Matrix& t) const {
  const Vector z = arguments(kappa);
  const Vector q = features_->quadratic_forms(b_.x, t, threads_);
  const double s = response_->scale(eta);
  std::vector<double> r(b_.size());
  for (std::size_t n = 0; n < r.size(); ++n) {
    const auto i = static_cast<Index>(n);
    r[n] = -s * b_.weight[n] * response_->partition(z[i]).third * q[i];
  }
  return features_->linear_sum(b_.x, r, threads_);
}

// ds/deta = s: gradient and curvature are proportional to s.
DataDerivatives MeasureData::hyper_derivatives(const Vector& kappa, const Vector& eta, Index) const {
  DataDerivatives d = derivatives(kappa, eta);
  const SummedResponse::Normaliser norm = response_->normaliser(eta);
  d.value += sums_.weight * (norm.slope - norm.value) - sums_.constant;
  return d;
}

// -B(z) >= c + l z - p z^2/2, the bound of y = 0, at E z^2; then z = nu + shift.
QuadraticBound MeasureData::quadratic_bound(const Vector& kappa_mean, const Matrix& kappa_covariance,
                                            const Vector& eta) const {
  const Vector variance = features_->quadratic_forms(b_.x, kappa_covariance, threads_);
  const Vector z = arguments(kappa_mean);
  std::vector<double> linear(b_.size()), square(b_.size());
  double constant = sums_.constant + sums_.scaled;
  for (std::size_t n = 0; n < b_.size(); ++n) {
    const auto i = static_cast<Index>(n);
    const auto bound = response_->quadratic_bound(0, z[i] * z[i] + std::fmax(variance[i], 0.0), eta);
    if (!bound) {
      throw UsageError("inference = variational: no bound is known for the response '" +
                       std::string(response_->name()) + "'");
    }
    const double h = b_.shift.empty() ? 0 : b_.shift[n], w = b_.weight[n];
    constant += w * (bound->constant + h * (bound->linear - bound->precision * h / 2));
    linear[n] = w * (bound->linear - bound->precision * h);
    square[n] = w * bound->precision;
  }
  FeatureSums sums = features_->sums(b_.x, linear, square, threads_);
  return {constant, linear_ + sums.linear, std::move(sums.gram)};
}

}  // namespace linkgistic
