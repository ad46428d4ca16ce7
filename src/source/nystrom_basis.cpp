#include "source/nystrom_basis.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

// int_origin^x exp(-p (z - m)^2) dz.
double bump_integral(double x, double origin, double m, double p) {
  const double root = std::sqrt(p);
  return std::sqrt(std::numbers::pi) / (2 * root) *
         (std::erf(root * (x - m)) - std::erf(root * (origin - m)));
}

}  // namespace

NystromBasis::NystromBasis(const Vector& points, double a, bool constant)
    : points_(points), a_(a), constant_(constant) {
  const Index n = points.size();
  Matrix k(n, n);
  for (Index j = 0; j < n; ++j) k.col(j) = kernel(points[j]);
  const SymmetricEigen eigen(k);
  const Vector& lambda = eigen.eigenvalues();  // increasing
  const Index kept = (lambda.array() > 1e-6 * lambda[n - 1]).count();
  weights_ = eigen.eigenvectors().rightCols(kept) * lambda.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();

  products_ = Matrix::Zero(kept * (kept + 1) / 2, 2 * n - 1);
  for (Index p = 0; p < n; ++p) {
    for (Index q = 0; q < n; ++q) {
      const double gap = points[p] - points[q];
      const double size = std::exp(-a / 4 * gap * gap);
      for (Index j = 0; j < kept; ++j) {
        for (Index i = 0; i <= j; ++i) products_(pair(i, j), p + q) += size * weights_(p, i) * weights_(q, j);
      }
    }
  }
}

Vector NystromBasis::kernel(double x) const { return (-a_ / 2 * (points_.array() - x).square()).exp(); }

void NystromBasis::evaluate(double x, VectorRef phi) const {
  if (constant_) phi[0] = 1;
  phi.tail(functions()) = weights_.transpose() * kernel(x);
}

void NystromBasis::derivative(double x, VectorRef phi) const {
  if (constant_) phi[0] = 0;
  phi.tail(functions()) = weights_.transpose() * (a_ * (points_.array() - x) * kernel(x).array()).matrix();
}

void NystromBasis::integrate_products(double x, double origin, VectorRef psi) const {
  const Index n = points_.size();
  const double half_step = n > 1 ? (points_[1] - points_[0]) / 2 : 0;
  Vector bumps(2 * n - 1);
  for (Index s = 0; s < bumps.size(); ++s) {
    bumps[s] = bump_integral(x, origin, points_[0] + half_step * static_cast<double>(s), a_);
  }
  const Vector own = products_ * bumps;
  if (!constant_) {
    psi = own;
    return;
  }
  Vector kernels(n);
  for (Index j = 0; j < n; ++j) kernels[j] = bump_integral(x, origin, points_[j], a_ / 2);
  const Vector singles = weights_.transpose() * kernels;
  psi[pair(0, 0)] = x - origin;
  for (Index j = 0; j < functions(); ++j) {
    psi[pair(0, j + 1)] = singles[j];
    for (Index i = 0; i <= j; ++i) psi[pair(i + 1, j + 1)] = own[pair(i, j)];
  }
}

NystromProducts::NystromProducts(std::shared_ptr<const NystromBasis> basis, double origin)
    : basis_(std::move(basis)), origin_(origin) {}

void NystromProducts::evaluate(double x, VectorRef phi) const {
  phi[0] = 1;
  basis_->integrate_products(x, origin_, phi.tail(basis_->pairs()));
}

void NystromProducts::derivative(double x, VectorRef phi) const {
  Vector f(basis_->size());
  basis_->evaluate(x, f);
  phi[0] = 0;
  for (Index j = 0; j < f.size(); ++j) {
    for (Index i = 0; i <= j; ++i) phi[1 + NystromBasis::pair(i, j)] = f[i] * f[j];
  }
}

NystromFunctions::NystromFunctions(std::shared_ptr<const NystromBasis> basis) : basis_(std::move(basis)) {}

void NystromFunctions::evaluate(double x, VectorRef phi) const {
  phi[0] = 1;
  basis_->evaluate(x, phi.tail(basis_->size()));
}

void NystromFunctions::derivative(double x, VectorRef phi) const {
  phi[0] = 0;
  basis_->derivative(x, phi.tail(basis_->size()));
}

}  // namespace linkgistic
