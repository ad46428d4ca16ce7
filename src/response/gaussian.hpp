// y ~ N(nu, 1/alpha): l = log(alpha)/2 - log(2 pi)/2 - alpha (y - nu)^2/2, with eta = log alpha.
#pragma once

#include "response/likelihood.hpp"

namespace linkgistic {

class GaussianLikelihood final : public Likelihood {
 public:
  [[nodiscard]] std::string_view name() const override { return "gaussian"; }
  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override;
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;
  [[nodiscard]] LogDensity hyper_derivative(double y, double nu, const Vector& eta, Index i) const override;
};

}  // namespace linkgistic
