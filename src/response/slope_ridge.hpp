// A penalty on the mean square slope of the source, added to the rows' log likelihood: -(strength/2) kappa' G
// kappa, where kappa' G kappa = sum_n u_n nu'(x_n)^2 for fixed shares u_n.
#pragma once

#include <memory>
#include <utility>

#include "response/data_term.hpp"

namespace linkgistic {

class SlopeRidge final : public DataTerm {
 public:
  SlopeRidge(std::shared_ptr<const DataTerm> rows, Matrix square_slope, double strength)
      : rows_(std::move(rows)), g_(std::move(square_slope)), strength_(strength) {}

  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override {
    return rows_->hyper_parameters();
  }
  [[nodiscard]] double value(const Vector& kappa, const Vector& eta) const override {
    return rows_->value(kappa, eta) - strength_ / 2 * kappa.dot(g_ * kappa);
  }
  [[nodiscard]] DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const override {
    DataDerivatives result = rows_->derivatives(kappa, eta);
    const Vector g_kappa = g_ * kappa;
    result.value -= strength_ / 2 * kappa.dot(g_kappa);
    result.gradient -= strength_ * g_kappa;
    result.curvature -= strength_ * g_;
    return result;
  }
  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const override {
    DataGradient result = rows_->gradient(kappa, eta, eta_asked);
    const Vector g_kappa = g_ * kappa;
    result.value -= strength_ / 2 * kappa.dot(g_kappa);
    result.kappa -= strength_ * g_kappa;
    return result;
  }
  [[nodiscard]] Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const override {
    return rows_->third(kappa, eta, t);
  }
  [[nodiscard]] DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                  Index i) const override {
    return rows_->hyper_derivatives(kappa, eta, i);
  }

  [[nodiscard]] QuadraticBound quadratic_bound(const Vector& kappa_mean, const Matrix& kappa_covariance,
                                               const Vector& eta) const override {
    QuadraticBound result = rows_->quadratic_bound(kappa_mean, kappa_covariance, eta);
    result.gram += strength_ * g_;
    result.root = {};  // of the rows alone
    return result;
  }
  [[nodiscard]] QuadraticBound quadratic_bound_derivative(const Vector& eta, Index i) const override {
    return rows_->quadratic_bound_derivative(eta, i);
  }
  [[nodiscard]] bool is_quadratic() const override { return rows_->is_quadratic(); }

 private:
  std::shared_ptr<const DataTerm> rows_;
  Matrix g_;  // (P, P)
  double strength_;
};

}  // namespace linkgistic
