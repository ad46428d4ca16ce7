#include "inference/laplace.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace linkgistic {

Mode find_mode(const LogJoint& joint, const Vector& start, const NewtonOptions& options) {
  const NewtonResult newton = minimise_newton(joint, joint.to_white(start), options);
  return {joint.to_full(newton.x), -newton.value, newton.hessian, newton.iterations, newton.stop};
}

GuardedCurvature guard_curvature(const Matrix& h, double floor) {
  const Index d = h.rows();
  GuardedCurvature result;
  const Matrix identity = Matrix::Identity(d, d);
  if (Eigen::LLT<Matrix>(h - floor * identity).info() == Eigen::Success) {
    const Eigen::LLT<Matrix> llt(h);
    result.log_det = 2 * Matrix(llt.matrixL()).diagonal().array().log().sum();
    result.inverse = llt.solve(identity);
    result.unfloored = Vector::Ones(d);
    return result;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(h);
  const Vector& e = eigen.eigenvalues();
  const auto above = (e.array() > floor).cast<double>();
  const Matrix& u = eigen.eigenvectors();
  result.log_det = e.cwiseMax(floor).array().log().sum();
  result.inverse = u * (above / e.array().max(floor)).matrix().asDiagonal() * u.transpose();
  result.unfloored = (u * above.matrix().asDiagonal() * u.transpose()).diagonal();
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
