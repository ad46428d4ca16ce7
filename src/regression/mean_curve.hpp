// The mean of a fitted regression as a function of its coefficients, with gradients, for what is read off it.
#pragma once

#include <optional>
#include <vector>

#include "regression/fitted.hpp"

namespace linkgistic {

/// The value of nu, without its shift, at which the mean is `level`, in the units of the data. A UsageError
/// for one that no mean can have.
double fit_value_of_mean(const FittedRegressionState& state, double level);

/// The mean at t in [-1, 1] for an exposure of 1, increasing in t: of a response with units that of u.
class MeanCurve {
 public:
  /// The state must outlive the object.
  explicit MeanCurve(const FittedRegressionState& state);

  [[nodiscard]] Vector values(const std::vector<double>& t, const Vector& kappa) const;
  /// (P, points): of the values in kappa.
  [[nodiscard]] Matrix gradients(const std::vector<double>& t, const Vector& kappa) const;
  /// dm/dt and (P): its gradient in kappa.
  struct Slope {
    double value;
    Vector gradient;
  };
  [[nodiscard]] Slope slope(double t, const Vector& kappa) const;

 private:
  // m(nu) and its first two derivatives.
  struct Link3 {
    double value, first, second;
  };
  [[nodiscard]] Link3 at(double nu) const;

  const FittedRegressionState& state_;
  Link link_;
  MeanRange range_;
  double shift_;
};

/// The variance of kappa . d under a posterior that is not of draws, as the bands have it: with Laplace that
/// of the part of nu that is linear in g or, where it is greater, of the quadratic part.
class BandVariance {
 public:
  /// The state must outlive the object.
  explicit BandVariance(const FittedRegressionState& state);
  [[nodiscard]] double operator()(const Vector& d) const;

 private:
  const FittedRegressionState& state_;
  std::optional<SourceCovariance> laplace_;
};

/// (P): the pull of the prior on the coefficients of Laplace's estimate, to first order: what they are less
/// what they would be if the posterior's Newton step against the prior's gradient were taken back, J Sigma T
/// (m - g) with T the precisions and m the means of the prior. With Gaussian noise and a linear map it is the
/// bias of a fit to the estimate's own values. Zero for other posteriors.
Vector prior_pull(const FittedRegressionState& state);

}  // namespace linkgistic
