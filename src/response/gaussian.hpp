// y ~ N(nu, 1/alpha): l = log(alpha)/2 - log(2 pi)/2 - alpha (y - nu)^2/2, with eta = log alpha.
#pragma once

#include "numeric/extent.hpp"
#include "response/response.hpp"

namespace linkgistic {

class GaussianResponse final : public Response {
 public:
  /// The weak prior of alpha, y of unit variance: half of a standard deviation, free by a factor of e either
  /// way; the bounds leave room for data on a line and for data that are noise alone.
  static constexpr double precision = 4, precision_sd = 2, least_precision = 1e-4, most_precision = 1e12;

  [[nodiscard]] std::string_view name() const override { return "gaussian"; }
  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override;
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;
  [[nodiscard]] LogDensity hyper_derivative(double y, double nu, const Vector& eta, Index i) const override;
  /// Exact: the log density is quadratic in nu.
  [[nodiscard]] std::optional<QuadraticDensity> quadratic_bound(double y, double square,
                                                                const Vector& eta) const override;
  [[nodiscard]] QuadraticDensity quadratic_bound_derivative(double y, const Vector& eta,
                                                            Index i) const override;

  [[nodiscard]] bool is_valid(double y) const override;
  [[nodiscard]] std::string_view rule() const override { return "finite"; }
  [[nodiscard]] bool all_valid(std::span<const double> y) const override { return extent_of(y).finite; }
  [[nodiscard]] bool has_units() const override { return true; }
  [[nodiscard]] double mean(double nu, const Vector&) const override { return nu; }
  [[nodiscard]] double probability_below(double y, double nu, const Vector& eta) const override;
  [[nodiscard]] double quantile(double level, double nu, const Vector& eta) const override;
  /// Closed: N(mean, variance + 1/alpha).
  [[nodiscard]] Vector normal_quantiles(double level, const Vector& mean, const Vector& variance,
                                        const Vector& eta) const override;
  /// By Newton's method.
  [[nodiscard]] double mixture_quantile(double level, const Vector& nu, const Matrix& eta) const override;
  [[nodiscard]] double saturated(double y, const Vector& eta) const override;

  /// The standard deviation 1/sqrt(alpha).
  [[nodiscard]] static double noise(const Vector& eta);
  /// (S): that of each column.
  [[nodiscard]] static Vector noises(const Matrix& eta);
};

}  // namespace linkgistic
