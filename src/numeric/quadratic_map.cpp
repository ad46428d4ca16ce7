#include "numeric/quadratic_map.hpp"

namespace linkgistic {

void QuadraticMap::value(const Vector& g, Vector& kappa) const {
  kappa.setZero(outputs_);
  for (const auto& t : linear_) kappa[t.p] += t.value * g[t.i];
  for (const auto& t : quadratic_) kappa[t.p] += t.value * g[t.i] * g[t.j];
}

Vector QuadraticMap::value(const Vector& g) const {
  Vector kappa;
  value(g, kappa);
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

void QuadraticMap::pull_back(const Vector& g, const Vector& r, Vector& result) const {
  result.setZero(inputs_);
  for (const auto& t : linear_) result[t.i] += t.value * r[t.p];
  for (auto t = quadratic_.begin(); t != quadratic_.end();) {
    const Index i = t->i;
    double sum = 0;
    for (; t != quadratic_.end() && t->i == i; ++t) {
      const double term = t->value * r[t->p];
      sum += term * g[t->j];
      result[t->j] += term * g[i];
    }
    result[i] += sum;
  }
}

Vector QuadraticMap::pull_back(const Vector& g, const Vector& r) const {
  Vector result;
  pull_back(g, r, result);
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
