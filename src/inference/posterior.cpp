#include "inference/posterior.hpp"

#include <utility>

#include "numeric/random.hpp"

namespace linkgistic {

GaussianPosterior::GaussianPosterior(Vector mode, Matrix factor)
    : mode_(std::move(mode)), factor_(std::move(factor)), covariance_(factor_ * factor_.transpose()) {}

Matrix GaussianPosterior::draw(Index count, std::uint64_t seed) const {
  Matrix z(factor_.cols(), count);
  for (Index s = 0; s < count; ++s) {
    RandomStream random(seed, static_cast<std::uint64_t>(s));
    for (Index i = 0; i < z.rows(); ++i) z(i, s) = random.normal();
  }
  return (factor_ * z).colwise() + mode_;
}

Vector GaussianPosterior::mean_coefficients(const QuadraticMap& map) const {
  // E kappa_p = kappa_p(mode) + tr(kappa''_p Sigma)/2.
  return map.value(mode_) + map.trace(covariance_) / 2;
}

SourceCovariance GaussianPosterior::source_covariance(const QuadraticMap& map) const {
  const Matrix root = map.jacobian(mode_) * factor_;
  SourceCovariance result{root * root.transpose(), Matrix(map.outputs(), map.outputs())};
  // tr(c_p Sigma c_q Sigma) = <m_p, m_q>, m_p = L' c_p L for Sigma = L L'.
  const Index n = factor_.cols();
  Matrix flat(n * n, map.outputs());
  for (Index p = 0; p < map.outputs(); ++p) {
    const Matrix m = factor_.transpose() * map.curvature(Vector::Unit(map.outputs(), p)) * factor_;
    flat.col(p) = m.reshaped();
  }
  result.quadratic = flat.transpose() * flat / 2;
  return result;
}

double GaussianPosterior::variance(const QuadraticMap& map, const Vector& phi) const {
  // nu = phi . kappa is quadratic in g with gradient d and constant second derivative c:
  // Var nu = d' Sigma d + tr(c Sigma c Sigma)/2.
  const Vector d = map.jacobian(mode_).transpose() * phi;
  const Matrix c_sigma = map.curvature(phi) * covariance_;
  return d.dot(covariance_ * d) + c_sigma.cwiseProduct(c_sigma.transpose()).sum() / 2;
}

}  // namespace linkgistic
