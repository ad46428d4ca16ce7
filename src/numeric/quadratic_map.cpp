#include "numeric/quadratic_map.hpp"

namespace linkgistic {

QuadraticMap QuadraticMap::after(const Matrix& transform) const {
  QuadraticMap result = *this;
  result.transform_ = transform_.size() == 0 ? transform : Matrix(transform_ * transform);
  result.inputs_ = transform.cols();
  return result;
}

Vector QuadraticMap::to_inner(const Vector& g) const { return transform_.size() == 0 ? g : transform_ * g; }

Vector QuadraticMap::value(const Vector& g) const {
  const Vector v = to_inner(g);
  Vector kappa = Vector::Zero(outputs_);
  for (const auto& t : linear_) kappa[t.p] += t.value * v[t.i];
  for (const auto& t : quadratic_) kappa[t.p] += t.value * v[t.i] * v[t.j];
  return kappa;
}

Matrix QuadraticMap::jacobian(const Vector& g) const {
  const Vector v = to_inner(g);
  Matrix jac = Matrix::Zero(outputs_, v.size());
  for (const auto& t : linear_) jac(t.p, t.i) += t.value;
  for (const auto& t : quadratic_) {
    jac(t.p, t.i) += t.value * v[t.j];
    jac(t.p, t.j) += t.value * v[t.i];
  }
  return transform_.size() == 0 ? jac : Matrix(jac * transform_);
}

Matrix QuadraticMap::curvature(const Vector& r) const {
  const Index inner = transform_.size() == 0 ? inputs_ : transform_.rows();
  Matrix c = Matrix::Zero(inner, inner);
  for (const auto& t : quadratic_) {
    const double term = t.value * r[t.p];
    c(t.i, t.j) += term;
    c(t.j, t.i) += term;
  }
  return transform_.size() == 0 ? c : Matrix(transform_.transpose() * c * transform_);
}

Vector QuadraticMap::trace(const Matrix& s) const {
  const Matrix inner = transform_.size() == 0 ? s : Matrix(transform_ * s * transform_.transpose());
  Vector result = Vector::Zero(outputs_);
  for (const auto& t : quadratic_) result[t.p] += 2 * t.value * inner(t.i, t.j);
  return result;
}

Vector QuadraticMap::contract(const Matrix& y) const {
  const Matrix inner = transform_.size() == 0 ? y : Matrix(y * transform_.transpose());
  Vector result = Vector::Zero(inner.cols());
  for (const auto& t : quadratic_) {
    result[t.j] += t.value * inner(t.p, t.i);
    result[t.i] += t.value * inner(t.p, t.j);
  }
  return transform_.size() == 0 ? result : Vector(transform_.transpose() * result);
}

}  // namespace linkgistic
