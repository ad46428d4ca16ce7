// The Nystrom functions of a Gaussian kernel and the integrals of their products: a basis without structure,
// by dense psi.
//
// With n equally spaced points X, k(x, z) = exp(-(a/2)(x - z)^2) and the eigenpairs (lambda_i, e_i) of k(X,
// X),
//   phi_i(z) = e_i . k(X, z) / sqrt(lambda_i),   f = sum_i w_i phi_i,   w_i ~ N(0, 1)  =>  f ~ GP(0, k).
// (The usual sqrt(n)/lambda_i e_i . k(X, z) in units of the prior.) Eigenvalues below 1e-6 of the largest are
// dropped.
//   k(x_i, z) k(x_j, z) = exp(-(a/4)(x_i - x_j)^2) exp(-a (z - m)^2),  m = (x_i + x_j)/2,
// and equally spaced points have only 2n - 1 midpoints m, so psi(x) needs 2n - 1 error functions.
#pragma once

#include <memory>

#include "source/features.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

class NystromBasis final : public Basis {
 public:
  /// With `constant`, phi_0 = 1 comes first.
  NystromBasis(const Vector& points, double a, bool constant);

  [[nodiscard]] Index size() const override { return functions() + (constant_ ? 1 : 0); }
  void evaluate(double x, VectorRef phi) const override;
  void derivative(double x, VectorRef phi) const;
  [[nodiscard]] bool has_constant() const { return constant_; }
  [[nodiscard]] Index points() const { return points_.size(); }

  /// Number of pairs i <= j, and the place of a pair among them.
  [[nodiscard]] Index pairs() const { return size() * (size() + 1) / 2; }
  [[nodiscard]] static Index pair(Index i, Index j) { return j * (j + 1) / 2 + i; }
  /// psi_ij(x) = int_origin^x phi_i phi_j, by pair.
  void integrate_products(double x, double origin, VectorRef psi) const;

 private:
  [[nodiscard]] Index functions() const { return weights_.cols(); }
  [[nodiscard]] Vector kernel(double x) const;

  Vector points_;
  double a_;
  bool constant_;
  Matrix weights_;   // (points, functions): e_i / sqrt(lambda_i)
  Matrix products_;  // (pairs of functions, 2n - 1): psi_ij in integrals of the bumps at the midpoints
};

/// nu = nu0 + int f^2: Phi = (1, psi_ij for i <= j).
class NystromProducts final : public Features {
 public:
  NystromProducts(std::shared_ptr<const NystromBasis> basis, double origin);
  [[nodiscard]] const NystromBasis& basis() const { return *basis_; }
  [[nodiscard]] Index size() const override { return 1 + basis_->pairs(); }
  void evaluate(double x, VectorRef phi) const override;
  void derivative(double x, VectorRef phi) const override;

 private:
  std::shared_ptr<const NystromBasis> basis_;
  double origin_;
};

/// nu = nu0 + f: Phi = (1, phi).
class NystromFunctions final : public Features {
 public:
  explicit NystromFunctions(std::shared_ptr<const NystromBasis> basis);
  [[nodiscard]] const NystromBasis& basis() const { return *basis_; }
  [[nodiscard]] Index size() const override { return 1 + basis_->size(); }
  void evaluate(double x, VectorRef phi) const override;
  void derivative(double x, VectorRef phi) const override;

 private:
  std::shared_ptr<const NystromBasis> basis_;
};

}  // namespace linkgistic
