#include "numeric/quadratic_map.hpp"

namespace linkgistic {

Vector QuadraticMap::value(const Vector& g) const {
  Vector kappa = Vector::Zero(outputs_);
  for (const auto& t : linear_) kappa[t.p] += t.value * g[t.i];
  for (const auto& t : quadratic_) kappa[t.p] += t.value * g[t.i] * g[t.j];
  return kappa;
}

Matrix QuadraticMap::jacobian(const Vector& g) const {
  Matrix jac = Matrix::Zero(outputs_, inputs_);
  for (const auto& t : linear_) jac(t.p, t.i) += t.value;
  for (const auto& t : quadratic_) {
    jac(t.p, t.i) += t.value * g[t.j];
    jac(t.p, t.j) += t.value * g[t.i];
  }
  return jac;
}

Vector QuadraticMap::pull_back(const Vector& g, const Vector& r) const {
  Vector result = Vector::Zero(inputs_);
  for (const auto& t : linear_) result[t.i] += t.value * r[t.p];
  for (const auto& t : quadratic_) {
    const double term = t.value * r[t.p];
    result[t.i] += term * g[t.j];
    result[t.j] += term * g[t.i];
  }
  return result;
}

Matrix QuadraticMap::curvature(const Vector& r) const {
  Matrix c = Matrix::Zero(inputs_, inputs_);
  for (const auto& t : quadratic_) {
    const double term = t.value * r[t.p];
    c(t.i, t.j) += term;
    c(t.j, t.i) += term;
  }
  return c;
}

Vector QuadraticMap::trace(const Matrix& s) const {
  Vector result = Vector::Zero(outputs_);
  for (const auto& t : quadratic_) result[t.p] += 2 * t.value * s(t.i, t.j);
  return result;
}

Vector QuadraticMap::contract(const Matrix& y) const {
  Vector result = Vector::Zero(inputs_);
  for (const auto& t : quadratic_) {
    result[t.j] += t.value * y(t.p, t.i);
    result[t.i] += t.value * y(t.p, t.j);
  }
  return result;
}

}  // namespace linkgistic
