// Checks derivatives written by hand against differences of the function itself.
#pragma once

#include <functional>

#include "numeric/types.hpp"

namespace linkgistic {

/// The gradient of f at x by Ridders' method: central differences of shrinking step, extrapolated to step 0.
/// Good to about 1e-10 relative for a smooth f evaluated to rounding.
Vector numeric_gradient(const std::function<double(const Vector&)>& f, const Vector& x, double step = 1e-2);

/// The same for a vector of functions: (outputs, inputs).
Matrix numeric_jacobian(const std::function<Vector(const Vector&)>& f, const Vector& x, double step = 1e-2);

/// max |a - b| / (1 + max |b|).
double relative_difference(const Matrix& a, const Matrix& b);

}  // namespace linkgistic
