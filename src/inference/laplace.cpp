#include "inference/laplace.hpp"

#include <cmath>
#include <numbers>

#include "numeric/decompositions.hpp"

namespace linkgistic {

Mode find_mode(const LogJoint& joint, const Vector& start, const NewtonOptions& options) {
  const NewtonResult newton = minimise_newton(joint, joint.to_white(start), options);
  return {joint.to_full(newton.x), -newton.value, newton.hessian, newton.iterations, newton.stop};
}

GuardedCurvature guard_curvature(const Matrix& h, double floor) {
  const Index d = h.rows();
  GuardedCurvature result;
  if (Cholesky(h - floor * Matrix::Identity(d, d)).positive()) {
    const Cholesky root(h);
    result.log_det = root.log_determinant();
    result.inverse = root.inverse();
    result.unfloored = Vector::Ones(d);
    return result;
  }
  const SymmetricEigen eigen(h);
  const Vector& e = eigen.eigenvalues();
  const Vector above = (e.array() > floor).cast<double>();
  result.log_det = e.cwiseMax(floor).array().log().sum();
  result.inverse = eigen.with(above.cwiseQuotient(e.cwiseMax(floor)));
  result.unfloored = eigen.with(above).diagonal();
  result.floored = static_cast<int>(d - above.sum());
  return result;
}

double laplace_evidence(const LogJoint& joint, const Mode& mode, const GuardedCurvature& curvature) {
  const double d = static_cast<double>(joint.free_coordinates().size());
  const double log_det = curvature.log_det - 2 * joint.prior_sd().array().log().sum();
  return mode.log_joint + (d * std::log(2 * std::numbers::pi) - log_det) / 2;
}

double laplace_evidence(const LogJoint& joint, const Mode& mode, double floor) {
  return laplace_evidence(joint, mode, guard_curvature(mode.whitened_hessian, floor));
}

}  // namespace linkgistic
