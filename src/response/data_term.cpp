#include "response/data_term.hpp"

#include <linkgistic/error.hpp>

namespace linkgistic {

double QuadraticBound::at(const Vector& kappa) const {
  if (root.size() == 0) return constant + kappa.dot(linear - gram * kappa / 2);
  return top - (root * kappa - centre).squaredNorm() / 2;
}

Vector QuadraticBound::slope(const Vector& kappa) const {
  if (root.size() == 0) return linear - gram * kappa;
  return root.transpose() * (centre - root * kappa);
}

QuadraticBound::Products QuadraticBound::products(const Matrix& j) const {
  Products result;
  if (root.size() == 0) {
    result.gram_j = gram * j;
    result.j_gram_j = j.transpose() * result.gram_j;
    return result;
  }
  const Matrix image = root * j;
  result.gram_j = root.transpose() * image;
  result.j_gram_j = image.transpose() * image;
  return result;
}

QuadraticBound DataTerm::quadratic_bound(const Vector&, const Matrix&, const Vector&) const {
  throw UsageError("inference = variational: no bound is known for this response");
}

QuadraticBound DataTerm::quadratic_bound_derivative(const Vector&, Index) const {
  throw UsageError("inference = variational: no bound is known for this response");
}

}  // namespace linkgistic
