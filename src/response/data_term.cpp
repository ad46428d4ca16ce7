#include "response/data_term.hpp"

#include <linkgistic/error.hpp>

namespace linkgistic {

QuadraticBound DataTerm::quadratic_bound(const Vector&, const Matrix&, const Vector&) const {
  throw UsageError("inference = variational: no bound is known for this response");
}

QuadraticBound DataTerm::quadratic_bound_derivative(const Vector&, Index) const {
  throw UsageError("inference = variational: no bound is known for this response");
}

}  // namespace linkgistic
