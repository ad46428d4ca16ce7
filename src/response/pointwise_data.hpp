// Rows kept one by one, for any response: each evaluation is one pass over them.
#pragma once

#include <memory>
#include <span>

#include "response/data_term.hpp"
#include "response/response.hpp"
#include "source/features.hpp"

namespace linkgistic {

class PointwiseData : public DataTerm {
 public:
  /// An empty weight counts every row once; shifts, where there are any, are added to nu.
  PointwiseData(std::shared_ptr<const Features> features, std::shared_ptr<const Response> response,
                std::span<const double> x, std::span<const double> y, std::span<const double> weight,
                int threads, std::span<const double> shift = {});

  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override;
  [[nodiscard]] double value(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const override;
  [[nodiscard]] Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const override;
  [[nodiscard]] DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                  Index i) const override;

  [[nodiscard]] QuadraticBound quadratic_bound(const Vector& kappa_mean, const Matrix& kappa_covariance,
                                               const Vector& eta) const override;
  [[nodiscard]] QuadraticBound quadratic_bound_derivative(const Vector& eta, Index i) const override;

 private:
  // body(n, nu_n, w_n) for all rows.
  template <class Body>
  void for_rows(const Vector& kappa, const Body& body) const;
  template <class Sums, class Row>
  [[nodiscard]] Sums summed(const Row& row) const;
  [[nodiscard]] Vector arguments(const Vector& kappa) const;  // nu_n with its shift

  std::shared_ptr<const Features> features_;
  std::shared_ptr<const Response> response_;
  std::vector<double> x_, y_, weight_, shift_;
  int threads_;
  Matrix phi_;  // (P, N): Phi_n, where that is small
};

}  // namespace linkgistic
