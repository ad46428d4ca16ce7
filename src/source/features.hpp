// The features that a source is linear in: nu(x) = kappa . Phi(x). The data enter inference only through sums
// over rows of Phi.
#pragma once

#include <span>

#include "numeric/types.hpp"

namespace linkgistic {

/// Weighted sums over rows.
struct FeatureSums {
  Vector linear;  // (P): sum_n r_n Phi_n
  Matrix gram;    // (P, P): sum_n h_n Phi_n Phi_n'
};

/// The features Phi. The sums here are the plain dense ones; a basis with structure overrides them by
/// something faster.
class Features {
 public:
  virtual ~Features() = default;

  [[nodiscard]] virtual Index size() const = 0;  // P
  /// Phi(x). The first feature is the constant 1.
  virtual void evaluate(double x, VectorRef phi) const = 0;
  /// dPhi/dx.
  virtual void derivative(double x, VectorRef phi) const = 0;

  /// nu_n = kappa . Phi(x_n).
  [[nodiscard]] virtual Vector values(std::span<const double> x, const Vector& kappa, int threads) const;
  /// kappa . Phi'(x_n).
  [[nodiscard]] virtual Vector slopes(std::span<const double> x, const Vector& kappa, int threads) const;
  /// Both weighted sums in one pass.
  [[nodiscard]] virtual FeatureSums sums(std::span<const double> x, std::span<const double> r,
                                         std::span<const double> h, int threads) const;
  /// sum_n r_n Phi_n.
  [[nodiscard]] virtual Vector linear_sum(std::span<const double> x, std::span<const double> r,
                                          int threads) const;
  /// Phi_n' t Phi_n for a symmetric t (P, P).
  [[nodiscard]] virtual Vector quadratic_forms(std::span<const double> x, const Matrix& t, int threads) const;

  [[nodiscard]] Vector at(double x) const;
};

}  // namespace linkgistic
