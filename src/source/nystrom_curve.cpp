#include "source/nystrom_curve.hpp"

#include <Eigen/QR>
#include <cmath>
#include <numbers>

#include "numeric/decompositions.hpp"
#include "source/nystrom_basis.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

constexpr double half_period = 0.5;  // c: [-1, 1] is half of a period

// 2n harmonics follow the narrowest kernel, of the width 2.2/(n - 1), to exp(-7^2/2) of its size.
int harmonics_for(const NystromBasis& basis) { return 2 * static_cast<int>(basis.points()); }

// (1 + 2J, functions): least squares over [-1, 1] by 1, cos m theta, sin m theta, of the least norm: on half
// of a period these functions are almost dependent.
Matrix nearest_harmonics(const NystromBasis& basis) {
  const int harmonics = harmonics_for(basis);
  const Index rows = 8 * static_cast<Index>(harmonics);
  Matrix waves(rows, 1 + 2 * static_cast<Index>(harmonics));
  Matrix wanted(rows, basis.size());
  Vector phi(basis.size());
  for (Index i = 0; i < rows; ++i) {
    const double t = 2 * (static_cast<double>(i) + 0.5) / static_cast<double>(rows) - 1;
    waves(i, 0) = 1;
    for (int m = 1; m <= harmonics; ++m) {
      waves(i, m) = std::cos(std::numbers::pi * half_period * m * t);
      waves(i, harmonics + m) = std::sin(std::numbers::pi * half_period * m * t);
    }
    basis.evaluate(t, phi);
    wanted.row(i) = phi.transpose();
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(1e-13);
  solver.compute(waves);
  return solver.solve(wanted);
}

HarmonicSource of_functions(const NystromFunctions& features, const Vector& kappa) {
  const NystromBasis& basis = features.basis();
  const TrigSource family(PriorKind::gp, harmonics_for(basis), half_period);
  HarmonicSource result{family.at(start_theta(family.hyper_parameters())), {}};
  result.kappa = nearest_harmonics(basis) * kappa.tail(basis.size());
  result.kappa[0] += kappa[0];
  return result;
}

HarmonicSource of_products(const NystromProducts& features, const Vector& kappa) {
  const NystromBasis& basis = features.basis();
  const TrigSource family(PriorKind::offset, harmonics_for(basis), half_period);
  HarmonicSource result{family.at(start_theta(family.hyper_parameters())), {}};
  Matrix s(basis.size(), basis.size());
  for (Index j = 0; j < s.cols(); ++j) {
    for (Index i = 0; i <= j; ++i)
      s(i, j) = s(j, i) = kappa[1 + NystromBasis::pair(i, j)] / (i == j ? 1.0 : 2.0);
  }
  // S = sum_r lambda_r u_r u_r': each u_r . phi in harmonics, squared and integrated from 0.
  const SymmetricEigen eigen(s);
  const Matrix waves = nearest_harmonics(basis) * eigen.eigenvectors();
  result.kappa = Vector::Zero(result.source.map->outputs());
  Vector g = Vector::Zero(result.source.map->inputs());
  for (Index r = 0; r < s.cols(); ++r) {
    const double lambda = eigen.eigenvalues()[r];
    if (!(lambda > 0)) continue;  // rounding of 0
    g.head(waves.rows()) = std::sqrt(lambda) * waves.col(r);
    result.kappa += result.source.map->value(g);
  }
  result.kappa[0] = kappa.dot(features.at(0));
  return result;
}

}  // namespace

std::optional<HarmonicSource> as_harmonics(const SourceModel& source, const Vector& kappa) {
  if (const auto* products = dynamic_cast<const NystromProducts*>(source.features.get()))
    return of_products(*products, kappa);
  if (const auto* functions = dynamic_cast<const NystromFunctions*>(source.features.get()))
    return of_functions(*functions, kappa);
  return std::nullopt;
}

}  // namespace linkgistic
