#include "numeric/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <memory>
#include <utility>

namespace linkgistic {
namespace {

template <typename Right>
Right solved_lower(const Matrix& lower, Right x) {
  lower.triangularView<Eigen::Lower>().solveInPlace(x);
  return x;
}

template <typename Right>
Right solved(const Matrix& lower, Right x) {
  lower.triangularView<Eigen::Lower>().solveInPlace(x);
  lower.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

}  // namespace

Cholesky::Cholesky(Matrix a) : lower_(std::move(a)) {
  const Eigen::LLT<Eigen::Ref<Matrix>> in_place(lower_);
  positive_ = in_place.info() == Eigen::Success && (lower_.diagonal().array() > 0).all();  // no NaN
  lower_.triangularView<Eigen::StrictlyUpper>().setZero();
}

double Cholesky::log_determinant() const { return 2 * lower_.diagonal().array().log().sum(); }

Vector Cholesky::solve(const Vector& b) const { return solved(lower_, b); }

Matrix Cholesky::solve(const Matrix& b) const { return solved(lower_, b); }

Vector Cholesky::solve_lower(const Vector& b) const { return solved_lower(lower_, b); }

Matrix Cholesky::solve_lower(const Matrix& b) const { return solved_lower(lower_, b); }

Matrix Cholesky::inverse() const { return solve(Matrix(Matrix::Identity(lower_.rows(), lower_.cols()))); }

Matrix Cholesky::lower_inverse() const {
  return solve_lower(Matrix(Matrix::Identity(lower_.rows(), lower_.cols())));
}

SignedCholesky::SignedCholesky(const Matrix& a) : factors_(std::make_shared<Eigen::LDLT<Matrix>>(a)) {}

Vector SignedCholesky::solve(const Vector& b) const { return factors_->solve(b); }

double SignedCholesky::log_absolute_determinant() const {
  return factors_->vectorD().array().abs().max(1e-300).log().sum();
}

SymmetricEigen::SymmetricEigen(const Matrix& a) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(a);
  values_ = eigen.eigenvalues();
  vectors_ = eigen.eigenvectors();
}

Matrix SymmetricEigen::with(const Vector& values) const {
  return vectors_ * values.asDiagonal() * vectors_.transpose();
}

Vector eigenvalues(const Matrix& a) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

Matrix lower_root(const Matrix& a) {
  const SymmetricEigen eigen(a);
  const Matrix root = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
  const Eigen::HouseholderQR<Matrix> qr(root.transpose());  // root = L Q
  return Matrix(qr.matrixQR().triangularView<Eigen::Upper>()).transpose();
}

}  // namespace linkgistic
