// Lower triangular systems of some tens of unknowns, as plain loops over columns.
//
// Eigen's triangular products and solves work in panels with packing and a heap buffer, which for such sizes
// costs several times the arithmetic.
#pragma once

#include <cmath>

#include "numeric/types.hpp"

namespace linkgistic {

/// x = L^-1 x. What is above the diagonal of L is not read, here and below.
inline void solve_lower(const Matrix& lower, Vector& x) {
  const Index n = lower.cols();
  for (Index j = 0; j < n; ++j) {
    x[j] /= lower(j, j);
    const Index below = n - j - 1;
    x.tail(below) -= x[j] * lower.col(j).tail(below);
  }
}

/// x = L^-T x.
inline void solve_lower_transposed(const Matrix& lower, Vector& x) {
  const Index n = lower.cols();
  for (Index j = n - 1; j >= 0; --j) {
    const Index below = n - j - 1;
    x[j] = (x[j] - lower.col(j).tail(below).dot(x.tail(below))) / lower(j, j);
  }
}

/// y += factor L x.
inline void add_lower_product(const Matrix& lower, double factor, const Vector& x, Vector& y) {
  const Index n = lower.cols();
  for (Index j = 0; j < n; ++j) y.tail(n - j) += (factor * x[j]) * lower.col(j).tail(n - j);
}

/// y = L' x.
inline void lower_transposed_product(const Matrix& lower, const Vector& x, Vector& y) {
  const Index n = lower.cols();
  y.resize(n);
  for (Index j = 0; j < n; ++j) y[j] = lower.col(j).tail(n - j).dot(x.tail(n - j));
}

/// Replaces the lower triangle `a` of a symmetric matrix by L, L L' = the matrix. A matrix that is not
/// positive definite gives NaN.
inline void cholesky_in_place(Matrix& a) {
  const Index n = a.cols();
  for (Index k = 0; k < n; ++k) {
    const Index size = n - k;
    auto column = a.col(k).tail(size);
    Index j = 0;
    for (; j + 4 <= k; j += 4) {
      column -= a(k, j) * a.col(j).tail(size) + a(k, j + 1) * a.col(j + 1).tail(size) +
                a(k, j + 2) * a.col(j + 2).tail(size) + a(k, j + 3) * a.col(j + 3).tail(size);
    }
    for (; j < k; ++j) column -= a(k, j) * a.col(j).tail(size);
    column *= 1 / std::sqrt(column[0]);
  }
}

/// upper = L^-T: its column k is row k of L^-1.
inline void invert_lower_transposed(const Matrix& lower, Matrix& upper) {
  const Index n = lower.cols();
  upper.setZero(n, n);
  for (Index k = 0; k < n; ++k) {
    auto row = upper.col(k);
    Index j = 0;
    for (; j + 4 <= k; j += 4) {
      const Index size = j + 4;
      row.head(size) -=
          lower(k, j) * upper.col(j).head(size) + lower(k, j + 1) * upper.col(j + 1).head(size) +
          lower(k, j + 2) * upper.col(j + 2).head(size) + lower(k, j + 3) * upper.col(j + 3).head(size);
    }
    for (; j < k; ++j) row.head(j + 1) -= lower(k, j) * upper.col(j).head(j + 1);
    row[k] = 1;
    row.head(k + 1) *= 1 / lower(k, k);
  }
}

}  // namespace linkgistic
