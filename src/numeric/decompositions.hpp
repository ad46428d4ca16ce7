// Decompositions of the small symmetric matrices: Eigen's, compiled once here and not again in every room.
#pragma once

#include <memory>

#include "numeric/types.hpp"

namespace linkgistic {

/// A = L L', of a positive definite A.
class Cholesky {
 public:
  Cholesky() = default;
  /// Reads the lower triangle of `a`.
  explicit Cholesky(Matrix a);

  /// Whether A is positive definite. If it is not, the rest means nothing.
  [[nodiscard]] bool positive() const { return positive_; }
  /// L, zero above its diagonal.
  [[nodiscard]] const Matrix& lower() const { return lower_; }
  /// log det A.
  [[nodiscard]] double log_determinant() const;
  /// A^-1 b.
  [[nodiscard]] Vector solve(const Vector& b) const;
  [[nodiscard]] Matrix solve(const Matrix& b) const;
  /// L^-1 b.
  [[nodiscard]] Vector solve_lower(const Vector& b) const;
  [[nodiscard]] Matrix solve_lower(const Matrix& b) const;
  [[nodiscard]] Matrix inverse() const;        // A^-1
  [[nodiscard]] Matrix lower_inverse() const;  // L^-1

 private:
  Matrix lower_;
  bool positive_ = false;
};

/// A = P' L D L' P, of a symmetric A of any sign.
class SignedCholesky {
 public:
  explicit SignedCholesky(const Matrix& a);

  [[nodiscard]] Vector solve(const Vector& b) const;
  /// log |det A|, where no factor of D is taken for less than 1e-300.
  [[nodiscard]] double log_absolute_determinant() const;

 private:
  std::shared_ptr<const Eigen::LDLT<Matrix>> factors_;
};

/// A = U diag(e) U', of a symmetric A, with e increasing.
class SymmetricEigen {
 public:
  explicit SymmetricEigen(const Matrix& a);

  [[nodiscard]] const Vector& eigenvalues() const { return values_; }
  [[nodiscard]] const Matrix& eigenvectors() const { return vectors_; }
  /// U diag(values) U': a function of A.
  [[nodiscard]] Matrix with(const Vector& values) const;

 private:
  Vector values_;
  Matrix vectors_;
};

/// The eigenvalues of a symmetric A alone, increasing.
Vector eigenvalues(const Matrix& a);

/// Lower triangular L with L L' = A, of an A whose eigenvalues rounding may have left below 0.
Matrix lower_root(const Matrix& a);

}  // namespace linkgistic
